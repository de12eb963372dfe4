"""Mires: the hexes that they make difficult (WC-7.4, H-1), worked out again when the map changes (HX-2.4)."""

from __future__ import annotations

from collections.abc import Iterable

from rules.hexbattle.ground import BattleGround, Timer, hex_of
from rules.hexes.mapfile import by_road
from rules.hexes.terrain import CLEAR, IMPASSABLE

MIRE = "mire"


def mired(ground: BattleGround, around: Iterable[str]) -> tuple[tuple[str, str], ...]:
    """The terrain that a mire puts on these hexes: clear ground changes, and so do roads over any ground."""
    return tuple((at, MIRE) for at in around if _eased(ground, at))


def mired_again(ground: BattleGround, timers: Iterable[Timer]) -> tuple[Timer, ...]:
    """The timers, with running mires spread over the ground as it is now."""
    return tuple(timer._replace(lays=mired(ground, timer.on)) if timer.effect == MIRE else timer for timer in timers)


def _eased(ground: BattleGround, at: str) -> bool:
    """Whether a hex is clear or a road leads into it, ignoring temporary terrain."""
    land, here = ground.land, hex_of(at)
    footing = land.at(here).footing
    by_roads = any(by_road(land, hex_of(near), here) for near in ground.around(at))
    return footing is CLEAR or (by_roads and footing is not IMPASSABLE)
