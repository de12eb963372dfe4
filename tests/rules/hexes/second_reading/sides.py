"""Home edges, zones, ways from a threat, twins (HX-1.5, HX-6.2, HX-7.2, H-2, H-3)."""

from __future__ import annotations

from collections.abc import Collection, Sequence

from tests.rules.hexes.second_reading.ground import BATTLE, Land, Place, apart


def place_in(at: Place) -> tuple[int, int]:
    """Column and row, both from 0 (HX-1.3)."""
    return at[0] + at[1] // 2, at[1]


def from_home(land: Land, side: int, at: Place) -> int:
    """HX-1.5"""
    column, row = place_in(at)
    far = {"south": land.rows - 1 - row, "north": row, "west": column, "east": land.columns - 1 - column}
    return far[land.homes[side]]


def homeward(land: Land, side: int, at: Place) -> list[Place]:
    """HX-1.5"""
    return [near for near in land.around(at) if from_home(land, side, near) < from_home(land, side, at)]


def away(land: Land, side: int, at: Place, threat: Place, enemies: Sequence[Place]) -> list[Place]:
    """HX-6.2: the hexes away from a threat, the best first; `enemies` names a hex once for each that stands there."""
    farther = [near for near in land.around(at) if apart(near, threat) > apart(at, threat)]

    def order(near: Place) -> tuple[int, int, int]:
        beside = sum(apart(near, enemy) == 1 for enemy in enemies)
        return from_home(land, side, near), beside, land.around(at).index(near)

    return sorted(farther, key=order)


def zone(land: Land, side: int, rows: int) -> set[Place]:
    """HX-7.2, H-2: drawn on the map, or the rows nearest home, what is impassable left out.

    Where home edges meet at a corner the text is silent: the hex is of the nearer edge, of none where both are as near.
    """
    if land.zones:
        return land.zones[side]
    return {
        at
        for at in land.letters
        if from_home(land, side, at) < min(rows, from_home(land, 1 - side, at))
        and BATTLE[land.letters[at]][2] != "impassable"
    }


def twin(columns: int, rows: int, at: Place) -> Place:
    """H-3: even rows turn by half a turn, odd ones are mirrored in the middle row."""
    column, row = place_in(at)
    other = column if rows % 2 else columns - 1 - column
    return other - (rows - 1 - row) // 2, rows - 1 - row


def free_of(land: Land, zone_: Collection[Place]) -> list[Place]:
    return [at for at in zone_ if BATTLE[land.letters[at]][2] in ("clear", "difficult")]
