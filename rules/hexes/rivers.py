"""Rivers along the sides of hexes, from corner to corner."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from heapq import heappop, heappush
from typing import NamedTuple

from rules.hexes.geometry import Edge, Hex, edge
from rules.hexes.mapfile import HexMap


class Corner(NamedTuple):
    """A corner of hexes, stored as the top or bottom corner of one hex; every corner is exactly one of these."""

    q: int
    r: int
    top: bool

    @property
    def hexes(self) -> tuple[Hex, Hex, Hex]:
        """The three hexes that meet at this corner."""
        q, r, top = self
        return (Hex(q, r), Hex(q, r - 1), Hex(q + 1, r - 1)) if top else (Hex(q, r), Hex(q - 1, r + 1), Hex(q, r + 1))

    def onward(self) -> Iterator[tuple[Corner, Edge]]:
        """The three adjacent corners, each with the hex side that leads there."""
        own, left, right = self.hexes
        yield Corner(left.q, left.r, not self.top), edge(own, left)
        yield Corner(right.q, right.r, not self.top), edge(own, right)
        beyond = Hex(left.q + right.q - own.q, left.r + right.r - own.r)
        yield Corner(beyond.q, beyond.r, not self.top), edge(left, right)


type EdgePrice = Callable[[Corner, Edge], float | None]


def corners_of(at: Hex) -> tuple[Corner, ...]:
    """The six corners of a hex, clockwise from the top."""
    q, r = at
    return (
        Corner(q, r, True), Corner(q + 1, r - 1, False), Corner(q, r + 1, True),
        Corner(q, r, False), Corner(q - 1, r + 1, True), Corner(q, r - 1, False),
    )  # fmt: skip


def ends_of(step: Edge) -> frozenset[Corner]:
    """The two corners at the ends of a hex side."""
    return frozenset(corners_of(step[0])) & frozenset(corners_of(step[1]))


def on_map(land: HexMap, step: Edge) -> bool:
    """Whether both hexes of an edge are on the map."""
    return step[0] in land and step[1] in land


def course(sources: Iterable[Corner], ends: Callable[[Corner], bool], price: EdgePrice) -> frozenset[Edge]:
    """The hex sides along the cheapest way from one of the sources to a corner where `ends` is true; empty if there is
    none.

    `price`: the cost of going along a side to a corner; None if impossible.
    """
    came: dict[Corner, tuple[Corner, Edge] | None] = dict.fromkeys(sources)
    waiting = [(0.0, corner) for corner in came]
    settled: set[Corner] = set()
    best = dict.fromkeys(came, 0.0)
    while waiting:
        spent, here = heappop(waiting)
        if ends(here):
            return frozenset(_back(came, here))
        if here in settled:
            continue
        settled.add(here)
        for there, step in here.onward():
            asked = price(there, step)
            if asked is not None and spent + asked < best.get(there, float("inf")):
                best[there], came[there] = spent + asked, (here, step)
                heappush(waiting, (spent + asked, there))
    return frozenset()


def _back(came: dict[Corner, tuple[Corner, Edge] | None], here: Corner) -> Iterator[Edge]:
    while (before := came[here]) is not None:
        here, step = before
        yield step
