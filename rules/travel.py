"""Armies on their way over the map of a campaign: what a step takes, and the hex where an army stands each day.

A law says what a day of an army is worth and what kinds of ground take (`TravelLaw`); the way itself is the map's
(HX-3). What is left of a day is carried into the next one of the same march, the last day is whole.
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

MOST_STEPS = 400  # of one march


class StepToll(NamedTuple):
    """Hexes of speed that entering a hex of one kind takes; `label`: what such hexes are called in a sum."""

    points: int
    label: Term
    rule: str


class Manner(NamedTuple):
    """A way to march that somebody may choose, and what it means."""

    slug: str
    name: Term
    help: Said


class MarchPace(NamedTuple):
    """`speed`: hexes of speed a day, at least 1; `wear`: health a day costs. Who `teleports` is there the same day."""

    speed: Breakdown
    wear: Breakdown = Breakdown()
    teleports: bool = False


class TravelLaw(Protocol):
    """How armies get over land by a law. A footing without a toll: nobody enters."""

    @property
    def tolls(self) -> Mapping[Footing, StepToll]: ...

    @property
    def by_road(self) -> StepToll:
        """What a step by road takes: over water and peaks no road leads."""

    def pace(self, army: Any, manner: Collection[str] = ()) -> MarchPace:
        """Of an army (the law's own document of it) that marches in this manner."""

    def manners(self, army: Any) -> Sequence[Manner]:
        """The ways there are to march for it today, beside the usual one."""


class PlainTravel:
    """Of a law that says nothing of marches: so many hexes a day, every army alike; difficult ground halves that."""

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
    """A map as the armies of one law get over it. `known`: the hexes somebody may reckon with, None for all of them."""

    field: HexMap
    law: TravelLaw
    known: frozenset[Hex] | None = None

    def toll(self, start: Hex, target: Hex) -> StepToll | None:
        """What the step to a neighbour takes; None: nobody goes there."""
        footing = entering(self.field, start, target)
        if footing is CLEAR and edge(start, target) in self.field.roads:
            return self.law.by_road
        return self.law.tolls.get(footing)

    def knows(self, at: Hex) -> bool:
        return self.known is None or at in self.known

    @cached_property
    def costs(self) -> Costs:
        """The same as numbers, for the whole map; what is not known is no way."""
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
        """The cheapest path, both ends included. Raises `InvalidInput` for no hex of the map and for the start,
        `IllegalCommand` where nothing leads there, as far as is known.
        """
        self.check(target)
        demand(target != start, _("The army is already there: choose another hex."), field="/to")
        found = path(self.costs, start, target)
        if found is None:
            template = (
                _("No path leads to {hex}. Choose another hex.")
                if self.known is None
                else _("You know no path to {hex}. Choose another hex.")
            )
            refuse(template, field="/to", hex=label_of(target))
        return found.hexes

    def reach(self, start: Hex, pace: MarchPace, days: int) -> dict[Hex, int]:
        """The hexes it can stand in after at most so many days of one march, by the days it takes."""
        speed = pace.speed.total
        found = reach(self.costs, start, speed * days)
        return {at: -(-points // speed) for at, points in found.items() if at != start}

    def check(self, at: Hex) -> None:
        """Raises `InvalidInput` for what is no hex of the map."""
        demand(at in self.field, _("The map has no hex {hex}."), field="/to", hex=label_of(at))

    def stands(self, at: Hex) -> bool:
        """Whether an army can stand in a hex, as far as is known."""
        return self.knows(at) and self.field.at(at).footing in self.law.tolls

    def tolls(self, hexes: Sequence[Hex]) -> Iterator[StepToll]:
        """Step by step. Raises `InvalidInput` for hexes that do not touch, `IllegalCommand` where nobody goes."""
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
    """A march: the path with both its ends, what each step takes, and the pace."""

    path: tuple[Hex, ...]
    steps: tuple[StepToll, ...]
    pace: MarchPace

    @cached_property
    def cost(self) -> Breakdown:
        """In hexes of speed, a line for each kind of ground. For who teleports: nothing."""
        lines = Breakdown()
        for kind in dict.fromkeys(() if self.pace.teleports else self.steps):
            lines = lines.plus(kind.label, kind.points * self.steps.count(kind), kind.rule)
        return lines

    @property
    def days(self) -> int:
        return 0 if self.pace.teleports else -(-self.cost.total // self.pace.speed.total)

    @cached_property
    def stops(self) -> tuple[Hex, ...]:
        """Where it stands today and after each day; the last one is the end."""
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
        """Health the whole of it costs."""
        lines = Breakdown()
        for line in self.pace.wear.lines:
            lines = lines.plus(line.label, line.value * self.days, line.rule)
        return lines


def itinerary(land: Overland, hexes: Sequence[Hex], pace: MarchPace) -> Itinerary:
    """The march along a path, both ends included. Who teleports needs only the ends, and an end one can stand in.

    Raises `InvalidInput`, `IllegalCommand` as `Overland.tolls` does, and for a path of one hex or of too many.
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
    """The march to a hex by the cheapest way. Raises as `Overland.way` and `itinerary` do."""
    return itinerary(land, (start, end) if pace.teleports else land.way(start, end), pace)
