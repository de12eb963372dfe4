"""Marches over the lands of a campaign (PF-1.8, PF-2.9, R-72, R-95, HX-2.3, docs/maps.md)."""

from __future__ import annotations

from fractions import Fraction
from itertools import accumulate

from tests.rules.hexes.second_reading.ground import CLOSED_LANDS, DIFFICULT_LANDS, Land, Place

KM_OF_A_METRE, KM_A_HEX = 4, 18


def hexes_a_day(metres: str, *, land: bool = False, forced: bool = False) -> int:
    """PF-1.8; PF-2.9: half of it off the land, at least 1; R-95: half as far again, at least one hex more."""
    hexes = max(1, int(Fraction(metres) * KM_OF_A_METRE / KM_A_HEX))
    if land:
        hexes = max(1, hexes // 2)
    return hexes + max(1, hexes // 2) if forced else hexes


def wear_a_day(rating: Fraction) -> int:
    """R-95: half the challenge rating, at least 1."""
    return max(1, int(rating / 2))


def toll(land: Land, start: Place, target: Place) -> int | None:
    """Hexes of speed a step takes; None: nobody goes there."""
    way = frozenset((start, target))
    if land.letters[target] in CLOSED_LANDS or land.obstacles.get(way) == "wall":
        return None
    if way in land.roads:
        return 1
    crossing = way in land.rivers or land.obstacles.get(way) == "stream"
    return 2 if crossing or land.letters[target] in DIFFICULT_LANDS else 1


def stops(path: list[Place], tolls: list[int], speed: int) -> list[Place]:
    """Where it stands today and at the end of each day: the rest of a day is carried on (R-72)."""
    spent = [0, *accumulate(tolls)]
    stood, day = [path[0]], 0
    while stood[-1] != path[-1] or spent[-1] > day * speed:
        day += 1
        stood.append([at for at, so_far in zip(path, spent, strict=True) if so_far <= day * speed][-1])
    return stood
