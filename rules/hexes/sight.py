"""Sight (HX-5): lines from hex to hex, and what stands in their way."""

from __future__ import annotations

from typing import Protocol

from rules.hexes.geometry import Hex, distance
from rules.hexes.paths import Predicate, nowhere
from rules.hexes.terrain import HexTerrain

HIGH_FLIGHT = 3
NUDGE = 1e-6
NUDGES = ((NUDGE, -3 * NUDGE), (-NUDGE, 3 * NUDGE))  # of q and r; the third coordinate takes the rest


class Relief(Protocol):
    """A map, or a field with what lies over it for now."""

    def at(self, at: Hex) -> HexTerrain: ...
    def height(self, at: Hex) -> int: ...
    def __contains__(self, at: Hex) -> bool: ...


def top(ground: Relief, at: Hex) -> int:
    """The height of what stands on a hex (HX-5.1)."""
    return ground.height(at) + ground.at(at).cover


def line(start: Hex, target: Hex, nudge: tuple[float, float]) -> tuple[Hex, ...]:
    """The hexes strictly between, sampled from middle to middle with both ends moved a little (HX-5.2)."""
    far = distance(start, target)
    east, south = nudge
    q, r = start.q + east, start.r + south
    return tuple(
        _rounded(q + (target.q - start.q) * step / far, r + (target.r - start.r) * step / far) for step in range(1, far)
    )


def _rounded(q: float, r: float) -> Hex:
    """The hex a point lies in: all three coordinates rounded, the one with the largest error put right."""
    s = -q - r
    whole_q, whole_r, whole_s = round(q), round(r), round(s)
    off_q, off_r, off_s = abs(whole_q - q), abs(whole_r - r), abs(whole_s - s)
    if off_q > off_r and off_q > off_s:
        return Hex(-whole_r - whole_s, whole_r)
    if off_r > off_s:
        return Hex(whole_q, -whole_q - whole_s)
    return Hex(whole_q, whole_r)


def sees(
    ground: Relief, start: Hex, target: Hex, *, flying: tuple[bool, bool] = (False, False), blocks: Predicate = nowhere
) -> bool:
    """Whether one of two lines between two hexes is free of what stands higher than the higher end (HX-5.3).

    `flying`: who of the two is in high flight. `blocks`: what else a law lets block, a magic grove, black night. A line
    may leave the map for a hex, along its western and eastern edge: nothing stands there.
    """
    eyes = max(HIGH_FLIGHT if high else ground.height(end) for end, high in zip((start, target), flying, strict=True))
    ways = ([at for at in line(start, target, nudge) if at in ground] for nudge in NUDGES)
    return any(not any(top(ground, at) > eyes or blocks(at) for at in way) for way in ways)
