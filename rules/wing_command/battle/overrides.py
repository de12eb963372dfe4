"""The GM's hand in a battle (WC-11): reports, reinforcements, overrides."""

from __future__ import annotations

from typing import Any

from rules.core.errors import demand, require
from rules.core.text import _
from rules.wing_command.battle.acting import finish
from rules.wing_command.battle.blows import settle
from rules.wing_command.battle.combat import RESULTS
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.commands import REASON_MOST
from rules.wing_command.battle.record.entering import identified
from rules.wing_command.battle.record.state import EXHAUSTED, ROUTED, HostState
from rules.wing_command.battle.run import Run
from rules.wing_command.battle.setup.setup_commands import WHOLE, check_figure
from rules.wing_command.battle.standing import room_for
from rules.wing_command.spec import WingSpec
from rules.wing_command.starter import ORDERS, POSTURES
from rules.wing_command.wing import MORALE_LEAST, MORALE_MOST

WINGS_MOST = 6
LAST_TURNS = 2
SHAKEN_MOST = 12
OF_UNITS = {"morale": (0, ROUTED), "fatigue": (0, EXHAUSTED)}
FLAGS = ("acted", "special", "activated")
OF_WINGS = {"morale": (MORALE_LEAST, MORALE_MOST), "shaken": (0, SHAKEN_MOST)}


def report(run: Run, result: str) -> None:
    """What came of the blow that waits (W-35), in the words of its table (W-57)."""
    blow = run.state.blow
    require(blow, _("No attack waits for its result."))
    assert blow is not None
    known = RESULTS[blow.how]
    demand(result in known, _("Choose one of: {choices}."), field="/result", choices=", ".join(known))
    settle(run, blow, result)


def reinforce(run: Run, army: WingSpec, side: int) -> None:
    """A new wing in the reserve of a side (W-32)."""
    state = run.state
    demand(side in (0, 1), _("Give side 0 or 1."), field="/side")
    require(state.field.started, _("The battle hasn't begun yet."))
    require(army.id not in state.wings, _("This army is in the battle already."), field="/army")
    full = len(state.wings_of(side)) < WINGS_MOST
    require(full, _("A side has at most {most} wings."), field="/side", most=WINGS_MOST)
    late = state.turn > state.options.turn_limit - LAST_TURNS
    require(not late, _("No army joins in the last two turns."))
    run.emit(e.WingJoined(identified(army._replace(side=side), state.opening.salt)))


def override(run: Run, command: c.Override) -> None:
    """A state of a unit or wing is set by hand."""
    state = run.state
    told = {"least": 1, "most": REASON_MOST}
    fits = 0 < len(command.reason.strip()) <= REASON_MOST
    demand(fits, _("Give a text of {least} to {most} characters."), field="/reason", **told)
    known = command.what in state.wings or command.what in state.field.tokens
    demand(known, _("Name a unit or a wing of this battle."), field="/what")
    if command.what in state.wings:
        _check_wing(state, command)
    else:
        _check_unit(state, command)
    seen = (True, True) if command.what in state.wings else run.seen(command.what)
    value: Any = command.value
    if command.field == "posture":
        run.take_posture(command.what, value)
    run.emit(e.Overridden(command.what, command.field, value, command.reason.strip(), seen))
    if command.field == "acted" and value:
        finish(run, command.what, None)


def _check_wing(state: HostState, command: c.Override) -> None:
    if command.field in OF_WINGS:
        _whole(command.value, OF_WINGS[command.field])
        return
    if command.field == "order":
        demand(command.value in ORDERS, _("Choose one of: {choices}."), field="/value", choices=", ".join(ORDERS))
        return
    demand(command.field == "leader", _("“{name}” is not a field here."), field="/field", name=command.field)
    members = [one for one in state.members(state.wings[command.what]) if state.units[one].character]
    demand(command.value in ("", *members), _("Choose a character of the wing."), field="/value")


def _check_unit(state: HostState, command: c.Override) -> None:
    unit = command.what
    require(not state.token(unit).gone, _("The unit has left the battle."), field="/what")
    if command.field in OF_UNITS:
        _whole(command.value, OF_UNITS[command.field])
    elif command.field in FLAGS:
        demand(isinstance(command.value, bool), _("Answer yes or no."), field="/value")
    elif command.field == "posture":
        told = ", ".join(POSTURES)
        demand(command.value in POSTURES, _("Choose one of: {choices}."), field="/value", choices=told)
    elif command.field == "at":
        at = state.field.ground.require_hex(command.value, field="/value")
        require(room_for(state, unit, at), _("{hex} is taken."), field="/value", hex=at)
    else:
        check_figure(command.field, command.value, character=state.units[unit].character, at="/field")


def _whole(value: object, bounds: tuple[int, int]) -> None:
    low, high = bounds
    whole = isinstance(value, int) and not isinstance(value, bool) and low <= value <= high
    demand(whole, WHOLE, field="/value", low=low, high=high)
