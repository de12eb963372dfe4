"""Moves of a battle: gaits, reach, a way of one's own, who stumbles (HX-3, H-1, H-9, W-42, W-54)."""

from __future__ import annotations

from collections.abc import Collection, Iterable
from itertools import pairwise
from typing import NamedTuple

from tests.rules.hexes.second_reading.ground import Land, Place, apart, ring


class Gait(NamedTuple):
    """Points by footing, what is not named is closed; footings that end the move; in the air; along roads only."""

    points: dict[str, int]
    halts: tuple[str, ...] = ()
    air: bool = False
    road: bool = False


WALKING = Gait({"clear": 1, "difficult": 2})
INFILTRATING = Gait({"clear": 1, "difficult": 2, "infiltration_only": 2})  # WC-9.9
FLYING = Gait({}, air=True)
ROAD = Gait({"clear": 1, "difficult": 2}, road=True)
HALTED = Gait({"clear": 1, "difficult": 1, "infiltration_only": 1}, ("difficult", "infiltration_only"))  # T-25


class Unit(NamedTuple):
    """Who moves: `closed` hexes it never enters, `held` ones it passes, on `halts` its move ends (HX-3, HX-6.1).

    `entry`: where it may enter the map from the reserve (W-32).
    """

    gait: Gait
    points: int
    closed: Collection[Place]
    held: Collection[Place]
    halts: Collection[Place]
    entry: Collection[Place] = ()


class Step(NamedTuple):
    points: int
    goes_on: bool


def step(land: Land, unit: Unit, start: Place | None, target: Place) -> Step | None:
    """H-1: what a step costs and whether the unit may go on from there; None where it is closed."""
    gait, goes_on = unit.gait, target not in unit.halts
    if target not in land or target in unit.closed:
        return None
    if gait.air:
        return Step(1, goes_on)
    if gait.road and (start is None or not land.by_road(start, target)):
        return None
    footing = land.lies_as(target) if start is None else land.footing(start, target)
    points = gait.points.get(footing)
    return None if points is None else Step(points, goes_on and footing not in gait.halts)


Found = dict[tuple[Place, bool], int]


def costs(land: Land, unit: Unit, start: Place | None) -> Found:
    """HX-3.1: the cheapest way to each hex, by whether the unit may go on; all steps are tried until none gains."""
    found: Found = {} if start is None else {(start, True): 0}
    fresh = list(found)
    if start is None:
        fresh = _gained(found, ((at, step(land, unit, None, at), 0) for at in unit.entry))
    while fresh:
        fresh = _gained(
            found,
            (
                (near, step(land, unit, at, near), found[at, True])
                for at, goes_on in fresh
                if goes_on
                for near in land.around(at)
            ),
        )
    return found


def _gained(found: Found, steps: Iterable[tuple[Place, Step | None, int]]) -> list[tuple[Place, bool]]:
    fresh = []
    for at, taken, before in steps:
        if taken and before + taken.points < found.get((at, taken.goes_on), 10**9):
            found[at, taken.goes_on] = before + taken.points
            fresh.append((at, taken.goes_on))
    return fresh


def reach(land: Land, unit: Unit, start: Place | None) -> dict[Place, int]:
    """HX-3.4: hexes to end on with their costs; where it stands it may stay."""
    ends: dict[Place, int] = {}
    for (at, _goes_on), cost in costs(land, unit, start).items():
        if cost <= unit.points and (at == start or at not in unit.held):
            ends[at] = min(cost, ends.get(at, cost))
    return ends


def route(land: Land, unit: Unit, start: Place, target: Place) -> tuple[int, list[Place]] | None:
    """HX-3.2, H-10: back from the target, each step to the first neighbour on a cheapest path."""
    cost = reach(land, unit, start).get(target)
    if cost is None:
        return None
    found, hexes, left = costs(land, unit, start), [target], cost
    while hexes[0] != start:
        for near in land.around(hexes[0]):
            taken = step(land, unit, near, hexes[0])
            if taken and (taken.goes_on or len(hexes) == 1) and found.get((near, True)) == left - taken.points:
                hexes.insert(0, near)
                left -= taken.points
                break
        else:
            raise AssertionError(hexes)
    return cost, hexes


def walked(land: Land, unit: Unit, hexes: list[Place]) -> int | None:
    """HX-3.3: the cost of a way of one's own, its start first; None where it is refused."""
    spent, goes_on = 0, True
    for start, target in pairwise(hexes):
        taken = step(land, unit, start, target) if apart(start, target) == 1 else None
        if taken is None or not goes_on:
            return None
        spent, goes_on = spent + taken.points, taken.goes_on
    stays = hexes[-1] in unit.held and hexes[-1] != hexes[0]
    return None if stays or spent > unit.points else spent


class Met(NamedTuple):
    hexes: list[Place]
    revealed: set[Place]
    left: int
    stumbled: bool
    fell_back: bool


def march(
    land: Land,
    unit: Unit,
    hexes: list[Place],
    hidden: Collection[Place],
    within: int,
    *,
    quiet: Collection[Place] = (),
    high: bool = False,
) -> Met:
    """H-9: how far a unit comes on a sound way among enemies its side does not see, one on a hex.

    One is revealed once the unit comes within so many hexes of it (W-52), or would enter its hex. `quiet` are those
    beside whom nobody halts, routed or in high flight (W-42); a unit in high flight passes them all (WC-9.5). Who falls
    back from a friend's hex (W-54) pays for the way to where it ends: of that the text is silent.
    """
    revealed: set[Place] = set()
    at, stumbled = 0, False
    while at < len(hexes) - 1:
        if hexes[at + 1] in hidden and not high:
            revealed.add(hexes[at + 1])
            stumbled = True
            break
        at += 1
        revealed |= {enemy for enemy in hidden if apart(enemy, hexes[at]) <= within}
        halted = (revealed - set(quiet)).intersection(ring(hexes[at])) and not high
        if at < len(hexes) - 1 and halted:
            stumbled = True
            break
    halted_at = at
    while stumbled and at and hexes[at] in unit.held:
        at -= 1
    kept = hexes[: at + 1]
    taken = [step(land, unit, a, b) for a, b in pairwise(kept)]
    return Met(kept, revealed, unit.points - sum(one.points for one in taken if one), stumbled, at < halted_at)
