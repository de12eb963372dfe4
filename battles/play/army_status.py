"""Armies in battles, as `armies/` asks: how they fare, what holds them, what they fought lately, whom they met."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery
from django.urls import reverse

from armies.forces.current_battles import Engaged
from armies.forces.recent_battles import FightsOfLate
from armies.models import Army
from battles.models import Battle, BattleArmy, BattleRecord
from battles.setup.eligible import list_held
from battles.setup.other_laws import is_by_another_law
from battles.setup.queries import open_now, words_of_leaving
from core.clean_input import parse_uuid
from core.db.compiled_queries import CompiledQuery
from kingdom.models import Campaign, ChronicleEntry
from rules.core.health import WHOLE
from rules.core.text import Said, _, say


def list_engaged(campaign: Campaign) -> dict[UUID, Engaged]:
    """One query. Battles that are not over, as they stand; nothing is folded."""
    return dict(seat for battle in open_now(campaign) for seat in _seats(battle, campaign))


def _seats(battle: Battle, campaign: Campaign) -> Iterator[tuple[UUID, Engaged]]:
    url, words = reverse("battles:battle", args=[battle.pk]), words_of_leaving(battle)
    other = is_by_another_law(battle, campaign)
    for side in battle.state["sides"]:
        for army in side["armies"]:
            if key := parse_uuid(army["army"]):  # one that rose on the field is nowhere else
                yield key, _engaged(battle.name, url, in_hundredths(army) if other else army, words)


def in_hundredths(army: Mapping[str, Any]) -> Mapping[str, Any]:
    """What another law counts is not what lists of its armies count."""
    if army.get("share"):
        return army
    return {**army, "hp": army["hp"] * WHOLE // max(1, army["hp_max"]), "hp_max": WHOLE, "share": True}


def _engaged(name: str, url: str, army: Mapping[str, Any], words: Mapping[str, Any]) -> Engaged:
    return Engaged(name, url, army["hp"], army["hp_max"], words.get(army["status"]), army.get("share", False))


# Past opponents in battles, for `armies/`.


def list_met_in_battle(kingdoms: Any) -> QuerySet[Any]:
    """Seats, with the `army`, in battles in which an army of one of these kingdoms stands or stood."""
    own = BattleArmy.objects.filter(army__kingdom__in=kingdoms)
    return BattleArmy.objects.filter(battle__in=own.values("battle"))


def list_on_the_field() -> QuerySet[Any]:
    """Seats of any battle: the whole table watches it."""
    return BattleArmy.objects.all()


# Busy armies: an army in a battle stays as it is until that battle is over.


def why_in_battle(armies: Collection[Army]) -> dict[UUID, Said]:
    """Which battle holds each of these armies, where one does."""
    names = {army.pk: army.name for army in armies}
    battles = {army: told for army, *told in _ask_battles(list(names))}
    return {
        key: say(FOUGHT if status == Battle.Status.AFTERMATH else FIGHTS, army=names[key], battle=battle)
        for key, (battle, status) in battles.items()
    }


FIGHTS = _("{army} fights in “{battle}”: finish that battle first.")
FOUGHT = _("{army} fought in “{battle}”: settle its aftermath first.")


def _battles(armies: list[UUID]) -> QuerySet[BattleArmy, tuple[UUID, str, str]]:
    """The first battles last."""
    seats = BattleArmy.objects.filter(army__id__among=armies, battle__status__in=Battle.OPEN)
    return seats.order_by("-battle_id").values_list("army", "battle__name", "battle__status")


_ask_battles = CompiledQuery(_battles, list)


def list_held_armies(campaign: Campaign) -> QuerySet[BattleArmy, UUID]:
    """The campaign's armies that fight."""
    return list_held(campaign.pk)


# Recent battles of armies, for passing time: who fights, who fought today, who won. A battle counts for the day it
# was opened and, if it went on over midnight, for the day its aftermath was confirmed.


UNSETTLED = (Battle.Status.RUNNING, Battle.Status.AFTERMATH)
WERE_FOUGHT = (*UNSETTLED, Battle.Status.CLOSED)


def load_recent_battles(campaign: Campaign, since: int) -> FightsOfLate:
    """One query. A battle that is only being set up keeps nobody from rest, nor does one in which nothing was done yet
    or all of it taken back. One that waits for its aftermath holds its armies: that begins from what they were.
    """
    seats = _seats_since(campaign, since)
    today = [seat for seat in seats if seat.begun and campaign.day in (seat.day, seat.confirmed)]
    return FightsOfLate(
        fighting=_ids(seat for seat in seats if seat.status in UNSETTLED),
        fought=_ids(today),
        won=_ids(seat for seat in seats if seat.result and seat.result["winner"] == seat.side),
        battles={str(seat.army): seat.name for seat in today},
        places={str(seat.army): str(seat.battle) for seat in today},
        settled=_ids(seat for seat in today if seat.day != campaign.day),
    )


class SeatInBattle(NamedTuple):
    """An army in a battle. `day`: when it was opened, `confirmed`: when its aftermath was; `name` and `battle`: its
    name and id; `begun`: whether anything that was done in it stands.
    """

    army: UUID
    side: int
    status: str
    day: int
    name: str
    battle: UUID
    result: Mapping[str, Any] | None
    confirmed: int | None
    begun: bool


def _seats_since(campaign: Campaign, since: int) -> list[SeatInBattle]:
    entries = ChronicleEntry.objects.filter(
        campaign=campaign, kind=ChronicleEntry.Kind.BATTLE, day__gte=since, undone_at=None, battle_id__isnull=False
    )
    confirmed = entries.filter(battle_id=OuterRef("battle")).order_by("-seq").values("day")[:1]
    unsettled = Q(battle__status__in=UNSETTLED)
    since_then = Q(battle__day__gte=since) | Q(battle__in=entries.order_by().values("battle_id"))
    seats = BattleArmy.objects.filter(unsettled | Q(battle__status__in=WERE_FOUGHT) & since_then, campaign=campaign)
    figures = ("army_id", "side", "battle__status", "battle__day", "battle__name", "battle_id", "battle__state__result")
    begun = Exists(BattleRecord.objects.filter(battle=OuterRef("battle"), undone=False))
    return [SeatInBattle(*row) for row in seats.order_by("id").values_list(*figures, Subquery(confirmed), begun)]


def _ids(seats: Iterable[SeatInBattle]) -> frozenset[str]:
    return frozenset(str(seat.army) for seat in seats)
