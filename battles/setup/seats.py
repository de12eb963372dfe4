"""SideOfArmy of a new battle: which army is on which side, as the setup form sends it, and what its buttons do to that.

Some rulesets' forms send a list of armies for each side, others a side for each army. Either is read and written here,
so no page, button or address needs to know which it is.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, Protocol
from uuid import UUID

from django.http import QueryDict

from armies.models import Army
from battles.setup.eligible import free_armies
from core.clean_input import parse_uuid, parse_whole
from kingdom.models import Campaign
from rules.core.errors import InvalidInput
from rules.hexes.geometry import distance, hex_at

SIDES = ("one", "two", "three", "four", "five", "six")
ADD = "add"
SEAT, BENCH, ALL, KINGDOM, TAB = "seat", "bench", "all", "kingdom", "tab"

type SideOfArmy = dict[str, int]
"""By the id of an army the index of its side; in the order in which they were seated."""


class SeatFields(Protocol):
    """How a form sends its seats."""

    def name_of(self, side: int, army: str) -> str:
        """The name of the hidden field of an army on a side."""

    def value_of(self, side: int, army: str) -> str:
        """Its value."""


class SideLists(SeatFields):
    """A list of armies for each side: `armies-one=<id>&armies-one=<id>`."""

    def name_of(self, side: int, army: str) -> str:
        return f"armies-{SIDES[side]}"

    def value_of(self, side: int, army: str) -> str:
        return army


class ArmySelects(SeatFields):
    """A side for each army: `army-<id>=1`."""

    def name_of(self, side: int, army: str) -> str:
        return f"army-{army}"

    def value_of(self, side: int, army: str) -> str:
        return str(side + 1)


def read_seats(data: QueryDict) -> SideOfArmy:
    """The seats that were sent, in either way."""
    found: SideOfArmy = {}
    for side, name in enumerate(SIDES):
        for army in data.getlist(f"armies-{name}"):
            if parse_uuid(army):
                found.setdefault(army, side)
    for name, value in data.items():
        army = name.removeprefix("army-")
        number = parse_whole(value, most=len(SIDES)) if army != name and parse_uuid(army) else None
        if number:
            found.setdefault(army, number - 1)
    return found


def write_seats(data: QueryDict, seats: Mapping[str, int], fields: SeatFields) -> QueryDict:
    """What was sent with these seats in the place of its own."""
    written = data.copy()
    for name in list(written):
        if name.startswith("armies-") or (name.startswith("army-") and parse_uuid(name.removeprefix("army-"))):
            del written[name]
    for army, side in seats.items():
        written.appendlist(fields.name_of(side, army), fields.value_of(side, army))
    return written


# What the buttons do


class SeatMove(NamedTuple):
    """What a button of the form asks for: `add=seat:0:<army>`, `bench:<army>`, `all:1:<kingdom>`, `kingdom:1:<kingdom>`
    or `tab:<kingdom>`. Anything else is the form's own.
    """

    kind: str
    side: int = 0
    whom: str = ""


def read_move(data: QueryDict) -> SeatMove:
    """The button that was pressed. One that says nothing sensible moves nobody."""
    kind, *told = data.get(ADD, "").split(":")
    if kind == ALL and not told:  # the two lists of an older form
        told = [str((parse_whole(data.get("all-on"), most=len(SIDES)) or 1) - 1), data.get("all-of", "")]
    if kind in (BENCH, TAB) and len(told) == 1:
        return SeatMove(kind, whom=told[0])
    side = parse_whole(told[0], most=len(SIDES) - 1) if len(told) == 2 else None
    if kind in (SEAT, ALL, KINGDOM) and side is not None and parse_uuid(told[1]):
        return SeatMove(kind, side, told[1])
    return SeatMove("")


def turn_to(data: QueryDict, move: SeatMove) -> QueryDict:
    """What was sent, with the kingdom whose armies the bench now lists."""
    if move.kind != TAB:
        return data
    turned = data.copy()
    turned["bench"], turned["find"] = move.whom, ""
    return turned


def move_seats(campaign: Campaign, seats: SideOfArmy, move: SeatMove) -> SideOfArmy:
    """The seats after the button was pressed."""
    moves: Mapping[str, Callable[[], SideOfArmy]] = {
        SEAT: lambda: {**_without(seats, [move.whom]), move.whom: move.side},
        BENCH: lambda: _without(seats, [move.whom]),
        ALL: lambda: seats | {army: move.side for army in _armies_of(campaign, move.whom) if army not in seats},
        KINGDOM: lambda: _instead(campaign, seats, move),
    }
    return moves[move.kind]() if move.kind in moves else seats


def _instead(campaign: Campaign, seats: SideOfArmy, move: SeatMove) -> SideOfArmy:
    """The kingdom's armies in the place of all who stand on this side; wherever they stood before."""
    others = {army: side for army, side in seats.items() if side != move.side}
    return {**others, **dict.fromkeys(_armies_of(campaign, move.whom), move.side)}


def _without(seats: Mapping[str, int], armies: Collection[str]) -> SideOfArmy:
    return {army: side for army, side in seats.items() if army not in armies}


def _armies_of(campaign: Campaign, kingdom: str) -> list[str]:
    """Every free army of the kingdom, as it is listed."""
    return [str(key) for key in free_armies(campaign).filter(kingdom_id=kingdom).values_list("pk", flat=True)]


# Where a new battle begins

SEATED = 6
"""Armies of a kingdom that are seated beforehand, at most."""


def seat_two_kingdoms(armies: Iterable[Army]) -> SideOfArmy:
    """Two kingdoms face to face, those whose armies stand nearest to each other; nobody where there are no two with few
    enough armies. `armies`: those that are free, in the order in which they are listed.
    """
    found: dict[UUID, list[Army]] = {}
    for army in armies:
        if army.status == Army.Status.READY:
            found.setdefault(army.kingdom_id, []).append(army)
    few = [own for own in found.values() if len(own) <= SEATED]
    if len(few) < 2:
        return {}
    pairs = [(one, two) for at, one in enumerate(few) for two in few[at + 1 :]]
    met = min(pairs, key=lambda pair: _apart(*pair))
    return {str(army.pk): side for side, own in enumerate(met) for army in own}


FAR = 10_000
"""Hexes between armies of which one is on no map."""


def _apart(one: Iterable[Army], two: Iterable[Army]) -> int:
    others = list(two)
    return min((hexes_between(army.hex, other.hex) for army in one for other in others), default=FAR)


def hexes_between(one: str, two: str) -> int:
    """`FAR` where either stands on no map."""
    try:
        return distance(hex_at(one), hex_at(two))
    except InvalidInput:
        return FAR
