"""What battles tell time about armies: who fights, who fought today, who won (PF-7.1, PF-7.2)."""

from __future__ import annotations

from armies.time.deeds import Deeds
from battles.models import Battle, BattleArmy
from kingdom.models import Campaign

FOUGHT = (Battle.Status.RUNNING, Battle.Status.AFTERMATH, Battle.Status.CLOSED)


def deeds(campaign: Campaign, since: int) -> Deeds:
    """One query. A battle that is only being set up keeps nobody from rest."""
    seats = BattleArmy.objects.filter(campaign=campaign, battle__status__in=FOUGHT, battle__day__gte=since)
    going_on = BattleArmy.objects.filter(campaign=campaign, battle__status__in=(Battle.Status.RUNNING,))
    found = list((seats | going_on).select_related("battle").order_by("id"))
    return Deeds(
        fighting=_ids(seat for seat in found if seat.battle.status == Battle.Status.RUNNING),
        fought=_ids(seat for seat in found if seat.battle.day == campaign.day),
        won=_ids(seat for seat in found if _won(seat)),
    )


def _ids(seats) -> frozenset[str]:
    return frozenset(str(seat.army_id) for seat in seats)


def _won(seat: BattleArmy) -> bool:
    result = seat.battle.state.get("result")
    return bool(result) and result["winner"] == seat.side
