"""Cheapest ways by relaxing every step until nothing gets cheaper (HX-3)."""

from __future__ import annotations

from collections.abc import Callable, Collection

from tests.rules.hexes.second_reading.ground import Land, Place

Cost = Callable[[Place, Place], int | None]


def costs_from(land: Land, start: Place, cost: Cost, closed: Collection[Place] = ()) -> dict[Place, int]:
    """What each hex costs that can be reached; nobody goes on from what is `closed` (HX-3.1)."""
    far = {start: 0}
    moved = True
    while moved:
        moved = False
        for at in list(far):
            if at in closed and at != start:
                continue
            for near in land.around(at):
                step = cost(at, near)
                if step is not None and far[at] + step < far.get(near, 10**9):
                    far[near] = far[at] + step
                    moved = True
    return far


def way(
    land: Land, start: Place, target: Place, cost: Cost, closed: Collection[Place] = ()
) -> tuple[int, list[Place]] | None:
    """HX-3.1, HX-3.2: back from the target, each step to the first neighbour on a cheapest path."""
    far = costs_from(land, start, cost, closed)
    if target not in far:
        return None
    found = [target]
    while found[0] != start:
        here = found[0]
        for near in land.around(here):
            step = cost(near, here)
            open_ = near == start or near not in closed
            if near in far and open_ and step is not None and far[near] + step == far[here]:
                found.insert(0, near)
                break
    return far[target], found


def reach(
    land: Land, start: Place, points: int, cost: Cost, halts: Collection[Place], shut: Collection[Place]
) -> dict[Place, int]:
    """HX-3.4: `halts` may not be stopped in but passed, `shut` neither."""

    def entering(at: Place, near: Place) -> int | None:
        return None if near in shut else cost(at, near)

    far = costs_from(land, start, entering)
    return {at: spent for at, spent in far.items() if spent <= points and (at == start or at not in halts)}
