"""Tolls of a battle for armies of other laws (WC-11, the aftermath of the bridge)."""

from __future__ import annotations

from fractions import Fraction

from rules.core.errors import require
from rules.core.text import _, say
from rules.hexbattle.common import outcome, teams
from rules.muster import DESTROYED, SCATTERED, STANDS, ArmyEnd, BattleToll, BattleTolls, MusteredSide
from rules.wing_command.battle.aftermath import Toll, toll_of
from rules.wing_command.battle.ending import REASONS
from rules.wing_command.battle.record.state import HostState

RULE = "WC-11"
LOST = _("Wing command: {destroyed} of {troops} troops destroyed, {fled} fled.")
BROKEN = _("Wing command: {destroyed} of {troops} troops destroyed, {fled} fled. The wing broke.")


def tolls_of(state: HostState) -> BattleTolls:
    """Raises `IllegalCommand` before the battle is over."""
    ended, names = state.field.ended, state.opening.sides
    require(ended is not None, _("The battle is not over yet."))
    assert ended is not None
    sides = tuple(MusteredSide(team.name, team.armies) for team in teams(state.field, names))
    armies = {army: _toll(state, army) for army in state.wings}
    return BattleTolls(sides, ended.winner, armies, outcome(ended, names, REASONS).text)


def _toll(state: HostState, army: str) -> BattleToll:
    """A troop destroyed counts whole, one that fled half; those withdrawn are back. The share that is lost of its
    health is theirs of all troops.
    """
    wing, toll = state.wings[army], toll_of(state, army)
    destroyed, fled, troops = len(toll.destroyed), len(toll.fled), max(1, wing.troops)
    left = _left(toll, troops)
    broken = wing.broken and left == STANDS
    return BattleToll(
        Fraction(2 * destroyed + fled, 2 * troops),
        left,
        -1 if broken else 0,
        bool(toll.commander),
        RULE,
        say(BROKEN if broken else LOST, destroyed=destroyed, fled=fled, troops=troops),
    )


def _left(toll: Toll, troops: int) -> ArmyEnd:
    """With all troops lost: destroyed if most of them were, else scattered."""
    if len(toll.destroyed) + len(toll.fled) < troops:
        return STANDS
    return DESTROYED if 2 * len(toll.destroyed) > troops else SCATTERED
