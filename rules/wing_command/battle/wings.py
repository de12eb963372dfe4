"""Activations of wings (WC-9.4): starting and ending one, whose turn is next, rallying by special order."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.core.errors import demand, require
from rules.core.text import Said, _, by_number
from rules.hexbattle.chances import two_dice_at_most
from rules.wing_command.battle.acting import finish, let_stand, require_next
from rules.wing_command.battle.obedience import duty_of
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import ACTION, FIT, ROUT, ROUTED, HostState, Wing
from rules.wing_command.battle.run import Run, faces, forbid
from rules.wing_command.battle.situation import unrouted_beside

STILL_BOUND = by_number(
    "{count} unit still has to obey its order: {names}.", "{count} units still have to obey their order: {names}."
)
NAMES_TOLD = 5


def able_to_act(state: HostState, unit: str) -> bool:
    """Whether a unit can still act in its wing's activation. A routed one needs a special order to rally."""
    token, own = state.field.tokens.get(unit), state.units[unit]
    if token is None or token.gone or own.acted:
        return False
    return own.morale != ROUTED or why_not_rally(state, unit) is None


def able_units(state: HostState, wing: Wing) -> Iterator[str]:
    """The units of a wing that can still act in its activation."""
    return (unit for unit in state.members(wing) if able_to_act(state, unit))


def open_wings(state: HostState, side: int) -> tuple[Wing, ...]:
    """The wings a side may still activate."""
    return tuple(
        wing for wing in state.wings_of(side) if not wing.done and next(able_units(state, wing), None) is not None
    )


def take_wing(run: Run, wing_id: str) -> None:
    """Start a wing's activation. Raises a refusal if it isn't possible."""
    state = run.state
    demand(wing_id in state.wings, _("This wing isn’t in the battle."), field="/wing")
    wing = state.wings[wing_id]
    require(not state.wing, _("A wing is acting. End its activation first."), field="/wing")
    require(wing.side == state.side, _("It’s the other side’s turn to choose a wing."), field="/wing")
    require(not wing.done, _("This wing has already acted."), field="/wing")
    require(wing in open_wings(state, wing.side), _("No unit of this wing can act."), field="/wing")
    run.emit(e.WingTaken(wing_id))


def must_still_act(state: HostState, wing: Wing) -> tuple[str, ...]:
    """Units that must act before the activation ends: bound ones that can obey, and those that must land (W-16)."""
    going = state.going
    stumbled = going.unit if going and not going.done else ""
    return tuple(
        unit
        for unit in state.standing(wing)
        if unit != stumbled
        and able_to_act(state, unit)
        and state.units[unit].morale != ROUTED
        and (state.units[unit].must_land or duty_of(state, unit).compels)
    )


def end_wing(run: Run) -> None:
    """End the acting wing's activation. Raises `IllegalCommand` while units must still obey their order."""
    state = run.state
    require(state.wing, _("No wing is acting. Choose one first."))
    waiting = must_still_act(state, state.wings[state.wing])
    names = ", ".join(state.token(unit).name for unit in waiting[:NAMES_TOLD])
    require(not waiting, STILL_BOUND, count=len(waiting), names=names)
    let_stand(run)
    run.emit(e.WingDone(state.wing))
    next_activation(run)


def next_activation(run: Run) -> None:
    """Continue with the next side: sides alternate, one without wings left waits; after both comes the rout phase."""
    state = run.state
    if open_wings(state, state.side):
        return
    other = 1 - state.side
    if open_wings(state, other):
        run.emit(e.PhaseBegan(ACTION, other))
        return
    for wing in state.wings_in_order:
        if not wing.done and any(True for _unit in state.standing(wing)):
            run.emit(e.WingDone(wing.id, skipped=True))
    run.emit(e.PhaseBegan(ROUT, state.first))


# Rallying


def rally_lines(state: HostState, unit: str) -> Breakdown:
    """The modifiers of a test to rally (WC-9.6)."""
    wing = state.wing_of(unit)
    found = Breakdown().plus(_("Shaken markers of its wing"), wing.shaken, "WC-9.6")
    return found if wing.leader else found.plus(_("Its wing has no leader"), 1, "WC-9.6")


def rally_chance(state: HostState, unit: str) -> Fraction:
    """The chance that a unit's test to rally succeeds."""
    return two_dice_at_most(state.wing_of(unit).morale - rally_lines(state, unit).total)


def why_not_rally(state: HostState, unit: str) -> Said | None:
    """Why a unit can't test to rally by special order (W-49); None if it can."""
    own = state.units[unit]
    if own.morale != ROUTED:
        return _("Only routed units can rally by special order.")
    if not own.special:
        return _("Rallying now needs a special order.")
    if own.tested or own.acted:
        return _("The unit has already made a test this turn.")
    if not state.token(unit).standing:
        return _("The unit isn’t on the map.")
    if unrouted_beside(state, unit):
        return _("An adjacent enemy prevents the unit from rallying.")
    return None


def rally(run: Run, unit: str) -> None:
    """Test to rally a unit by its special order. Raises a refusal if it isn't possible."""
    why = why_not_rally(run.state, unit)
    require_next(run.state, unit)
    forbid(why, "/unit")
    rolls = run.roll(unit, "rally")
    run.checkpoint()
    decide_rally(run, unit, rolls)
    finish(run, unit, None)


def decide_rally(run: Run, unit: str, rolls: tuple[Roll, ...]) -> None:
    """Apply a test to rally: on success the unit improves one step, routed → shaken → fit."""
    state = run.state
    lines, limit = rally_lines(state, unit), state.wing_of(unit).morale
    success = faces(rolls) + lines.total <= limit
    morale = max(FIT, state.units[unit].morale - success)
    run.emit(e.Rallied(unit, rolls, lines.lines, limit, success, morale, run.seen(unit)))
