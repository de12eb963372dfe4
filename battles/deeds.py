"""What battles tell time about armies: who fights, who fought today, who won.

A battle counts for the day it was opened and, if it went on over midnight, for the day its aftermath was confirmed.
"""

from __future__ import annotations

from uuid import UUID

from django.db.models import Q

from armies.fights import Deeds
from battles.models import Battle, BattleArmy
from kingdom.models import Campaign, ChronicleEntry

FOUGHT = (Battle.Status.RUNNING, Battle.Status.AFTERMATH, Battle.Status.CLOSED)


def deeds(campaign: Campaign, since: int) -> Deeds:
    """Two queries. A battle that is only being set up keeps nobody from rest."""
    confirmed = _confirmed(campaign, since)
    running = Q(battle__status=Battle.Status.RUNNING)
    lately = Q(battle__status__in=FOUGHT) & (Q(battle__day__gte=since) | Q(battle__in=confirmed))
    seats = BattleArmy.objects.filter(running | lately, campaign=campaign).select_related("battle").order_by("id")
    return Deeds(
        fighting=_ids(seat for seat in seats if seat.battle.status == Battle.Status.RUNNING),
        fought=_ids(seat for seat in seats if campaign.day in (seat.battle.day, confirmed.get(seat.battle_id))),
        won=_ids(seat for seat in seats if _won(seat)),
    )


def _confirmed(campaign: Campaign, since: int) -> dict[UUID, int]:
    """Battles whose aftermath was confirmed since then, and the day."""
    entries = ChronicleEntry.objects.filter(
        campaign=campaign, kind=ChronicleEntry.Kind.BATTLE, day__gte=since, undone_at=None, battle_id__isnull=False
    )
    return {battle: day for battle, day in entries.order_by("seq").values_list("battle_id", "day") if battle}


def _ids(seats) -> frozenset[str]:
    return frozenset(str(seat.army_id) for seat in seats)


def _won(seat: BattleArmy) -> bool:
    result = seat.battle.state.get("result")
    return bool(result) and result["winner"] == seat.side
