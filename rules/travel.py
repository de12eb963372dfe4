"""Marches of armies over a campaign's map: the cost of each step, and the hex where an army stands each day.

A law sets an army's speed and the cost of each kind of ground (`TravelLaw`). The path is a matter of the map (HX-3).
Movement left over from a day carries into the next day of the same march; the last day counts in full.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import accumulate, pairwise
from typing import Any, NamedTuple, Protocol

from rules.core.breakdown import Breakdown
from rules.core.errors import demand, refuse, require
from rules.core.text import Said, Term, _
from rules.hexes.geometry import Hex, edge, label_of, touch
from rules.hexes.mapfile import HexMap, entering
from rules.hexes.paths import NO_WAY, Costs, costs_on_foot, path, reach
from rules.hexes.terrain import CLEAR, DIFFICULT, Footing

MOST_STEPS = 400  # hexes of one march at most


class StepToll(NamedTuple):
    """Cost of entering a hex of one kind, in hexes of speed. `label` names such hexes in a breakdown."""

    points: int
    label: Term
    rule: str


class Manner(NamedTuple):
    """Optional way to march, and its effect."""

    slug: str
    name: Term
    help: Said


class MarchPace(NamedTuple):
    """Pace of an army: `speed` in hexes a day (at least 1), `wear` in health a day. An army that `teleports` arrives on
    the same day.
    """

    speed: Breakdown
    wear: Breakdown = Breakdown()
    teleports: bool = False


class TravelLaw(Protocol):
    """Protocol of a law's marches. Armies cannot enter a footing that `tolls` lacks."""

    @property
    def tolls(self) -> Mapping[Footing, StepToll]: ...

    @property
    def by_road(self) -> StepToll:
        """Cost of a step by road. Roads do not help over water or peaks."""

    def pace(self, army: Any, manner: Collection[str] = ()) -> MarchPace:
        """Return the pace of an army, given by its document, that marches in this manner."""

    def manners(self, army: Any) -> Sequence[Manner]:
        """Return the ways to march that the army may choose today, beside the usual one."""


class PlainTravel:
    """`TravelLaw` of a law without rules of marches: every army goes the same number of hexes a day, half as many over
    difficult ground.
    """

    def __init__(self, hexes: int = 2, rule: str = "HX-3"):
        self.tolls: Mapping[Footing, StepToll] = {
            CLEAR: StepToll(1, _("Open hexes"), rule),
            DIFFICULT: StepToll(2, _("Hexes of difficult ground (cost two each)"), rule),
        }
        self.by_road = StepToll(1, _("Hexes by road"), rule)
        self._pace = MarchPace(Breakdown().plus(_("Hexes per day for all armies"), hexes, rule))

    def pace(self, army: Any, manner: Collection[str] = ()) -> MarchPace:
        return self._pace

    def manners(self, army: Any) -> Sequence[Manner]:
        return ()


PLAIN_TRAVEL = PlainTravel()


@dataclass(frozen=True)
class Overland:
    """Map as the armies of one law cross it. `known` are the hexes that a viewer knows; None means all."""

    field: HexMap
    law: TravelLaw
    known: frozenset[Hex] | None = None

    def toll(self, start: Hex, target: Hex) -> StepToll | None:
        """Return the cost of the step to a neighbouring hex; None if it is impassable."""
        footing = entering(self.field, start, target)
        if footing is CLEAR and edge(start, target) in self.field.roads:
            return self.law.by_road
        return self.law.tolls.get(footing)

    def knows(self, at: Hex) -> bool:
        return self.known is None or at in self.known

    @cached_property
    def costs(self) -> Costs:
        """Costs of the whole map as numbers, for path finding. Unknown hexes are impassable."""
        by_footing = {footing: toll.points for footing, toll in self.law.tolls.items()}
        whole = costs_on_foot(self.field, by_footing)
        if self.known is None:
            return whole
        enter = [NO_WAY] * len(whole.enter)
        for at in self.known:
            if at in whole:
                enter[whole.number(at)] = whole.enter[whole.number(at)]
        steps = {
            start: {target: price if self.knows(whole.hex(target)) else NO_WAY for target, price in there.items()}
            for start, there in whole.steps.items()
        }
        return Costs(whole.columns, whole.rows, enter, steps)

    def way(self, start: Hex, target: Hex) -> tuple[Hex, ...]:
        """Return the cheapest path, both ends included. Raises `InvalidInput` for a hex off the map and for the start,
        `IllegalCommand` if no known path leads there.
        """
        self.check(target)
        demand(target != start, _("The army is already there: choose another hex."), field="/to")
        found = path(self.costs, start, target)
        if found is None:
            template = (
                _("No path leads to {hex}. Choose another hex.")
                if self.known is None
                else _("You don’t know a path to {hex}. Choose another hex.")
            )
            refuse(template, field="/to", hex=label_of(target))
        return found.hexes

    def reach(self, start: Hex, pace: MarchPace, days: int) -> dict[Hex, int]:
        """Return the hexes that a march of at most this many days can reach, with the number of days."""
        speed = pace.speed.total
        found = reach(self.costs, start, speed * days)
        return {at: -(-points // speed) for at, points in found.items() if at != start}

    def check(self, at: Hex) -> None:
        """Raise `InvalidInput` for a hex off the map."""
        demand(at in self.field, _("The map has no hex {hex}."), field="/to", hex=label_of(at))

    def stands(self, at: Hex) -> bool:
        """Whether an army can stand in a hex, as far as is known."""
        return self.knows(at) and self.field.at(at).footing in self.law.tolls

    def tolls(self, hexes: Sequence[Hex]) -> Iterator[StepToll]:
        """Yield the cost of each step. Raises `InvalidInput` for hexes that are not adjacent or off the map,
        `IllegalCommand` for an unknown or impassable one.
        """
        for number, (start, target) in enumerate(pairwise(hexes)):
            at, named = f"/path/{number}", {"one": label_of(start), "other": label_of(target)}
            demand(target in self.field, _("The map has no hex {hex}."), field=at, hex=label_of(target))
            demand(touch(start, target), _(
                "{one} and {other} aren’t neighbors: enter every hex of the path."
            ), field=at,
                   **named)  # fmt: skip
            require(self.knows(target), _("None of your armies has seen {hex}."), field=at, hex=label_of(target))
            toll = self.toll(start, target)
            require(toll, _("Armies can’t move from {one} to {other}."), field=at, **named)
            assert toll is not None
            yield toll


@dataclass(frozen=True)
class Itinerary:
    """March: the path with both ends, the cost of each step, and the pace."""

    path: tuple[Hex, ...]
    steps: tuple[StepToll, ...]
    pace: MarchPace

    @cached_property
    def cost(self) -> Breakdown:
        """Cost of the march in hexes of speed, a line for each kind of ground. Empty for an army that teleports."""
        lines = Breakdown()
        for kind in dict.fromkeys(() if self.pace.teleports else self.steps):
            lines = lines.plus(kind.label, kind.points * self.steps.count(kind), kind.rule)
        return lines

    @property
    def days(self) -> int:
        return 0 if self.pace.teleports else -(-self.cost.total // self.pace.speed.total)

    @cached_property
    def stops(self) -> tuple[Hex, ...]:
        """Hexes where the army stands today and after each day. The last one is the destination."""
        if self.pace.teleports:
            return (self.path[-1],)
        spent = (0, *accumulate(step.points for step in self.steps))
        speed, at, found = self.pace.speed.total, 0, []
        for day in range(self.days + 1):
            while at + 1 < len(spent) and spent[at + 1] <= day * speed:
                at += 1
            found.append(self.path[at])
        return tuple(found)

    @property
    def wear(self) -> Breakdown:
        """Health that the whole march costs."""
        lines = Breakdown()
        for line in self.pace.wear.lines:
            lines = lines.plus(line.label, line.value * self.days, line.rule)
        return lines


def itinerary(land: Overland, hexes: Sequence[Hex], pace: MarchPace) -> Itinerary:
    """Return the march along a path, both ends included. An army that teleports needs only the ends.

    Raises `InvalidInput` and `IllegalCommand` as `Overland.tolls` does, for a path of one hex or of more than
    `MOST_STEPS` steps, and for a destination where the army cannot stand.
    """
    demand(len(hexes) > 1, _("Enter a march of at least one hex."), field="/path")
    demand(len(hexes) <= MOST_STEPS + 1, _("A march can have at most {most} hexes."), field="/path", most=MOST_STEPS)
    if not pace.teleports:
        return Itinerary(tuple(hexes), tuple(land.tolls(hexes)), pace)
    land.check(hexes[-1])
    require(
        land.stands(hexes[-1]),
        _("Armies can’t stand in {hex}. Choose another hex."),
        field="/to",
        hex=label_of(hexes[-1]),
    )
    return Itinerary((hexes[0], hexes[-1]), (), pace)


def planned(land: Overland, start: Hex, end: Hex, pace: MarchPace) -> Itinerary:
    """Return the march to a hex by the cheapest path. Raises as `Overland.way` and `itinerary` do."""
    return itinerary(land, (start, end) if pace.teleports else land.way(start, end), pace)
