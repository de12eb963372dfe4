"""Assignment of armies to the sides of a new battle (seats), as the setup form sends it and its buttons change it.

Some rulesets' forms send a list of armies for each side, others a side for each army. Both are read and written here,
so that pages, buttons and addresses need not know which.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping
from typing import NamedTuple, Protocol
from uuid import UUID

from django.http import QueryDict

from armies.models import Army
from battles.setup.queries import free_armies
from core.clean_input import parse_uuid, parse_whole
from kingdom.models import Campaign
from rules.core.errors import InvalidInput
from rules.hexes.geometry import distance, hex_at

SIDES = ("one", "two", "three", "four", "five", "six")
ADD = "add"
SEAT, BENCH, ALL, KINGDOM, TAB = "seat", "bench", "all", "kingdom", "tab"

type SideOfArmy = dict[str, int]
"""Index of each army's side, by the army's id, in the order of seating."""


class SeatFields(Protocol):
    """Naming of the hidden fields by which a form sends its seats."""

    def name_of(self, side: int, army: str) -> str:
        """Name of the hidden field of an army on a side."""

    def value_of(self, side: int, army: str) -> str:
        """Value of the hidden field of an army on a side."""


class SideLists(SeatFields):
    """One list of armies for each side: `armies-one=<id>&armies-one=<id>`."""

    def name_of(self, side: int, army: str) -> str:
        return f"armies-{SIDES[side]}"

    def value_of(self, side: int, army: str) -> str:
        return army


class ArmySelects(SeatFields):
    """One side for each army: `army-<id>=1`."""

    def name_of(self, side: int, army: str) -> str:
        return f"army-{army}"

    def value_of(self, side: int, army: str) -> str:
        return str(side + 1)


def read_seats(data: QueryDict) -> SideOfArmy:
    """Seats in the submitted data, in either form."""
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
    """Copy of the data with these seats instead of its own."""
    written = data.copy()
    for name in list(written):
        if name.startswith("armies-") or (name.startswith("army-") and parse_uuid(name.removeprefix("army-"))):
            del written[name]
    for army, side in seats.items():
        written.appendlist(fields.name_of(side, army), fields.value_of(side, army))
    return written


# Buttons of the form.


class SeatMove(NamedTuple):
    """A button of the form: `add=seat:0:<army>`, `bench:<army>`, `all:1:<kingdom>`, `kingdom:1:<kingdom>` or
    `tab:<kingdom>`. Other values of `add` belong to the form itself.
    """

    kind: str
    side: int = 0
    whom: str = ""


def read_move(data: QueryDict) -> SeatMove:
    """The button that was pressed. A malformed value moves nobody."""
    kind, *told = data.get(ADD, "").split(":")
    if kind == ALL and not told:  # the two selects of an older form
        told = [str((parse_whole(data.get("all-on"), most=len(SIDES)) or 1) - 1), data.get("all-of", "")]
    if kind in (BENCH, TAB) and len(told) == 1:
        return SeatMove(kind, whom=told[0])
    side = parse_whole(told[0], most=len(SIDES) - 1) if len(told) == 2 else None
    if kind in (SEAT, ALL, KINGDOM) and side is not None and parse_uuid(told[1]):
        return SeatMove(kind, side, told[1])
    return SeatMove("")


def turn_to(data: QueryDict, move: SeatMove) -> QueryDict:
    """The data with the kingdom whose armies the bench now lists."""
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
    """Replaces all armies of this side by the kingdom's, which leave the sides they were on."""
    others = {army: side for army, side in seats.items() if side != move.side}
    return {**others, **dict.fromkeys(_armies_of(campaign, move.whom), move.side)}


def _without(seats: Mapping[str, int], armies: Collection[str]) -> SideOfArmy:
    return {army: side for army, side in seats.items() if army not in armies}


def _armies_of(campaign: Campaign, kingdom: str) -> list[str]:
    """Ids of the kingdom's free armies, in the order of the list."""
    return [str(key) for key in free_armies(campaign).filter(kingdom_id=kingdom).values_list("pk", flat=True)]


# Initial seats of a new battle.

SEATED = 6
"""Most armies of a kingdom that are seated initially."""


def seat_two_kingdoms(armies: Iterable[Army]) -> SideOfArmy:
    """Two kingdoms face to face: those whose ready armies are nearest to each other. `armies`: the free ones, in order.
    The kingdom that was founded first is the first side, so that two kingdoms keep their colors.

    Empty where fewer than two kingdoms have `SEATED` ready armies or fewer.
    """
    found: dict[UUID, list[Army]] = {}
    for army in armies:
        if army.status == Army.Status.READY:
            found.setdefault(army.kingdom_id, []).append(army)
    few = [own for own in found.values() if len(own) <= SEATED]
    if len(few) < 2:
        return {}
    pairs = [(one, two) for at, one in enumerate(few) for two in few[at + 1 :]]
    met = sorted(min(pairs, key=lambda pair: _apart(*pair)), key=lambda own: own[0].kingdom_id)
    return {str(army.pk): side for side, own in enumerate(met) for army in own}


FAR = 10_000
"""Distance in hexes where an army is on no map."""


def _apart(one: Iterable[Army], two: Iterable[Army]) -> int:
    others = list(two)
    return min((hexes_between(army.hex, other.hex) for army in one for other in others), default=FAR)


def hexes_between(one: str, two: str) -> int:
    """Distance of two hexes; `FAR` where either is no hex of a map."""
    try:
        return distance(hex_at(one), hex_at(two))
    except InvalidInput:
        return FAR
