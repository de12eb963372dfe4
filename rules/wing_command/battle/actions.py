"""Commands of characters (WC-6): changing an order, taking command, resigning."""

from __future__ import annotations

from rules.core.errors import demand
from rules.core.text import Said, _
from rules.wing_command.battle.command_tests import command_test
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import HostState, Wing
from rules.wing_command.battle.run import Run, faces, forbid
from rules.wing_command.battle.special_orders import why_not_command
from rules.wing_command.spec import AUTONOMOUS
from rules.wing_command.starter import ORDERS

CHANGE, TAKE, RESIGN = "change_order", "take_command", "resign"


def licensed(state: HostState, character: str) -> bool:
    """Whether a character may do this without a special order (W-39)."""
    return state.is_army_leader(character) or state.units[character].own.profile == AUTONOMOUS


def why_not_licensed(state: HostState, character: str) -> Said | None:
    """Why a character lacks the licence L of WC-6; None if they have it."""
    if licensed(state, character) or state.units[character].special:
        return None
    return _("This needs a special order, unless the character is autonomous or the army leader.")


def why_not_change(state: HostState, character: str) -> Said | None:
    """Why a character can't change their wing's order; None if they can."""
    wing = state.led_by(character)
    if wing is None:
        return _("Only the leader of a wing can change its order.")
    if wing.retreats:
        return _("A leader can’t change the order to retreat.")
    return why_not_command(state, character) or why_not_licensed(state, character)


def why_not_take(state: HostState, character: str, wing: Wing | None = None) -> Said | None:
    """Why a character can't take command of this wing (or of any, without `wing`); None if they can."""
    if state.led_by(character) is not None:
        return _("The character already leads a wing.")
    own = [one for one in state.wings_of(state.side_of(character)) if not one.leader]
    if not own or (wing is not None and wing not in own):
        return _("The wing already has a leader.")
    return why_not_command(state, character) or why_not_licensed(state, character)


def why_not_resign(state: HostState, character: str) -> Said | None:
    """Why a character can't resign; None if they can."""
    if state.led_by(character) is None:
        return _("The character doesn’t lead a wing.")
    return why_not_command(state, character) or why_not_licensed(state, character)


def _tested(run: Run, character: str, what: str, wing: Wing) -> bool:
    """Roll the command test and return whether it succeeds. A special order used as licence is spent in any case."""
    test = command_test(run.state, character, wing)
    spends = not licensed(run.state, character)
    rolls = run.roll(character, "command")
    run.checkpoint()
    success = test.succeeds(faces(rolls))
    run.emit(
        e.CommandTested(
            character, what, wing.id, rolls, test.sum.lines, test.threshold, success, spends, run.seen(character)
        )
    )
    if spends:
        run.emit(e.MarkerGone(character, seen=run.seen(character)))
    return success


def change_order(run: Run, character: str, order: str) -> None:
    """Test to change the order of a leader's wing. Raises a refusal if it isn't possible."""
    demand(order in ORDERS, _("Choose one of: {choices}."), field="/order", choices=", ".join(ORDERS))
    why = why_not_change(run.state, character)
    forbid(why, "/character")
    wing = run.state.led_by(character)
    assert wing is not None
    if _tested(run, character, CHANGE, wing):
        run.emit(e.OrderChanged(wing.id, order))


def take_command(run: Run, character: str, wing_id: str) -> None:
    """Test to take command of a wing without a leader. Raises a refusal if it isn't possible."""
    wing = run.state.wings.get(wing_id)
    own = wing is not None and wing.side == run.state.side_of(character)
    demand(own, _("Choose a wing of this side."), field="/wing")
    assert wing is not None
    why = why_not_take(run.state, character, wing)
    forbid(why, "/wing")
    if _tested(run, character, TAKE, wing):
        run.emit(e.CommandTaken(character, wing.id, run.seen(character)))


def resign(run: Run, character: str) -> None:
    """Test to give up command of a wing. Raises a refusal if it isn't possible."""
    why = why_not_resign(run.state, character)
    forbid(why, "/character")
    wing = run.state.led_by(character)
    assert wing is not None
    if _tested(run, character, RESIGN, wing):
        run.emit(e.Resigned(character, wing.id, run.seen(character)))
