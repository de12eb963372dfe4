"""Command distance (WC-2) between a unit and the character who commands it."""

from __future__ import annotations

from typing import NamedTuple

from rules.hexbattle.ground import BattleGround, apart
from rules.hexbattle.moving import Gait, Mover, reach
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.battle.standing import BY_STEALTH, ON_FOOT

TRANCHE = 4
FARTHEST = 1 << 20

STARTS_MOST = 128
"""Number of characters' hexes for which a ground caches distances."""


class CommandDistance(NamedTuple):
    """A command distance. `cost`: from the first rule that applies. `orders`: whether special orders reach that far."""

    cost: int
    orders: bool = True

    @property
    def tranches(self) -> int:
        """The number of full tranches of 4 (WC-2.2)."""
        return self.cost // TRANCHE


def costs_from(ground: BattleGround, at: str, gait: Gait) -> dict[str, int]:
    """The path cost to every reachable hex, cached with the ground. Units don't block the path."""
    return ground.kept("command", (at, gait), lambda: reach(ground, Mover(gait, FARTHEST), at), STARTS_MOST)


def distance(state: HostState, character: str, unit: str) -> CommandDistance:
    """The command distance from a character to a unit, both on the map."""
    start, target = state.token(character).at, state.token(unit).at
    one, other = state.units[character], state.units[unit]
    if start == target:
        return CommandDistance(0, one.own.fly or not other.high)
    straight = apart(start, target)
    if one.own.fly:
        return CommandDistance(straight)
    if other.high:
        return CommandDistance(2 * straight, orders=False)
    gait = BY_STEALTH if one.infiltrating or other.infiltrating else ON_FOOT
    cost = costs_from(state.field.ground, start, gait).get(target)
    return CommandDistance(2 * straight, orders=False) if cost is None else CommandDistance(cost)
