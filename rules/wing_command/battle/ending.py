"""End of a battle (WC-9.8, W-31, W-50): all wings of a side broken, retreating or empty, or the turn limit."""

from __future__ import annotations

from collections.abc import Mapping

from rules.core.text import Said, _
from rules.hexbattle import ending
from rules.hexbattle.field import Ended
from rules.hexbattle.tokens import Token
from rules.wing_command.battle.record.state import HostState, Wing
from rules.wing_command.battle.run import Run

REASONS: Mapping[str, Said] = {
    ending.TURN_LIMIT: _("The turn limit is reached: the side that lost the smaller share of its troops wins."),
    ending.ALL_LOST: _("All wings of a side are broken, in retreat or empty."),
}


def out_of_it(state: HostState, wing: Wing) -> bool:
    """Whether a wing is broken, retreating or empty. A wing with a reserve isn't empty (W-32)."""
    return wing.broken or wing.retreats or next(iter(state.members(wing)), None) is None


def defeated(state: HostState, side: int) -> bool:
    """Whether all wings of a side are broken, retreating or empty."""
    return all(out_of_it(state, wing) for wing in state.wings_of(side))


def check_victory(run: Run) -> None:
    """End the battle if a side is defeated; a draw if both are."""
    if run.state.field.ended:
        return
    found = ending.when_lost(run.state.field, lambda side: defeated(run.state, side))
    if found is not None:
        run.emit(found)


def at_the_limit(state: HostState) -> Ended:
    """The end at the turn limit: the side with the smaller share of losses wins; equal shares are a draw."""
    return ending.at_the_limit(state.field, is_troop)


def is_troop(token: Token) -> bool:
    return ending.is_troop(token)
