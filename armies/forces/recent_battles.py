"""Recent battles of armies, for passing time: who fights, who fought today, who won.

A battle counts for the day it was opened and, if it lasted past midnight, for the day its aftermath was confirmed.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import Exists, OuterRef, Q, Subquery

from battles.models import Battle, BattleArmy, BattleRecord
from kingdom.models import Campaign, ChronicleEntry

NOBODY: frozenset[str] = frozenset()
UNSETTLED = (Battle.Status.RUNNING, Battle.Status.AFTERMATH)
WERE_FOUGHT = (*UNSETTLED, Battle.Status.CLOSED)


@dataclass(frozen=True, slots=True)
class FightsOfLate:
    """Ids of armies. `fighting`: in a battle that is not settled. `fought`: in one of this day. `won`: in one since
    `since`.

    `battles`: names of this day's battles, by army; `places`: their ids. `settled`: armies for whose battle only the
    aftermath is of this day.
    """

    fighting: frozenset[str] = NOBODY
    fought: frozenset[str] = NOBODY
    won: frozenset[str] = NOBODY
    battles: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    settled: frozenset[str] = NOBODY


def load_recent_battles(campaign: Campaign, since: int) -> FightsOfLate:
    """Battles of the campaign's armies from day `since` to today. One query.

    A battle in its setup does not keep armies from rest, nor does one whose every command was undone. A battle that
    waits for its aftermath holds its armies, since the aftermath starts from their state before it.
    """
    seats = list_seats_since(campaign, since)
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
    """An army in a battle. `day`: when the battle was opened; `confirmed`: when its aftermath was. `begun`: whether it
    has any command that is not undone.
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


def list_seats_since(campaign: Campaign, since: int) -> list[SeatInBattle]:
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
