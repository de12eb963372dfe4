"""GM interventions in a battle (WC-11): reports, reinforcements, overrides."""

from __future__ import annotations

from typing import Any

from rules.core.errors import demand, require
from rules.core.text import _
from rules.hexbattle.common import ALL as SEEN_BY_ALL
from rules.hexbattle.common import EffectEnded
from rules.hexbattle.ending import check_turns, demand_whole, effect_in, running
from rules.hexbattle.seeing import own_side
from rules.wing_command.battle.acting import finish, going_on
from rules.wing_command.battle.blows import settle
from rules.wing_command.battle.combat import RESULTS
from rules.wing_command.battle.movement import room_for
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.commands import REASON_MOST
from rules.wing_command.battle.record.entering import identified
from rules.wing_command.battle.record.state import EXHAUSTED, ROUTED, HostState
from rules.wing_command.battle.run import Run
from rules.wing_command.battle.setup import check_figure
from rules.wing_command.battle.spells import begin, beginnable, check_aim, known_spells
from rules.wing_command.spec import WingSpec
from rules.wing_command.starter import ORDERS, POSTURES
from rules.wing_command.wing import MORALE_LEAST, MORALE_MOST

WINGS_MOST = 6
LAST_TURNS = 2
SHAKEN_MOST = 12
IN_AN_ATTACK = _("{unit}: pending attack. Enter its result first, or undo it.")
OF_UNITS = {"morale": (0, ROUTED), "fatigue": (0, EXHAUSTED)}
FLAGS = ("acted", "special", "activated")
OF_WINGS = {"morale": (MORALE_LEAST, MORALE_MOST), "shaken": (0, SHAKEN_MOST)}


def report(run: Run, result: str) -> None:
    """Apply the result the GM reports for the waiting attack (W-35), as a slug of its table (W-57).

    Raises a refusal if none is waiting or the result is unknown.
    """
    blow = run.state.blow
    require(blow, _("No attack needs a result now."))
    assert blow is not None
    known = RESULTS[blow.how]
    demand(result in known, _("Choose one of: {choices}."), field="/result", choices=", ".join(known))
    settle(run, blow, result)


def reinforce(run: Run, army: WingSpec, side: int) -> None:
    """Add a new wing to the reserve of a side (W-32). Raises a refusal if it isn't possible."""
    state = run.state
    demand(side in (0, 1), _("Must be side 0 or 1."), field="/side")
    require(state.field.started, _("The battle hasn’t begun yet."))
    require(army.id not in state.wings, _("This army is already in the battle."), field="/army")
    full = len(state.wings_of(side)) < WINGS_MOST
    require(full, _("A side can have at most {most} wings."), field="/side", most=WINGS_MOST)
    late = state.turn > state.options.turn_limit - LAST_TURNS
    require(not late, _("Armies can’t join in the last two turns."))
    run.emit(e.WingJoined(identified(army._replace(side=side), state.opening.salt)))


def override(run: Run, command: c.Override) -> None:
    """Set a state of a unit or wing, or an effect on a unit or hex. Raises a refusal if it isn't possible."""
    told = {"least": 1, "most": REASON_MOST}
    fits = 0 < len(command.reason.strip()) <= REASON_MOST
    demand(fits, _("Enter a text of {least} to {most} characters."), field="/reason", **told)
    if effect_in(command.field):
        _set_effect(run, command)
    else:
        _set_state(run, command)
    check_aim(run.state)


def _set_state(run: Run, command: c.Override) -> None:
    state, what = run.state, command.what
    known = what in state.wings or what in state.field.tokens
    demand(known, _("Choose a unit or a wing of this battle."), field="/what")
    if what in state.wings:
        _check_wing(state, command)
        run.emit(_told(command, command.value, SEEN_BY_ALL))
        return
    _check_unit(state, command)
    _set_unit(run, command)


def _told(command: c.Override, value: Any, seen: tuple[bool, ...]) -> e.Overridden:
    return e.Overridden(command.what, command.field, value, command.reason.strip(), seen)


def _set_unit(run: Run, command: c.Override) -> None:
    """Set a state of a unit, and reveal units that come into sight because of it."""
    what, before = command.what, run.state.field
    value: Any = command.value
    seen = run.seen(what)
    if command.field == "spell":
        seen = own_side(run.state.token(what))
    elif command.field == "at":
        value = run.state.field.ground.require_hex(value, field="/value")
        seen = tuple(one or other for one, other in zip(seen, run.place_seen(what, value), strict=True))
    elif command.field == "posture":
        run.take_posture(what, value)
    run.emit(_told(command, value, seen))
    run.sights(before)
    routed = command.field == "morale" and value == ROUTED and going_on(run.state, what) is not None
    if (command.field == "acted" and value) or routed:
        _end_action(run, what)


def _end_action(run: Run, unit: str) -> None:
    """End the unit's own action; one of another unit that met a hidden enemy goes on (H-9)."""
    going = run.state.going
    if going is None or going.unit == unit:
        finish(run, unit, None)
    elif run.state.units[unit].special:
        run.emit(e.MarkerGone(unit, seen=run.seen(unit)))


def _set_effect(run: Run, command: c.Override) -> None:
    """Begin an effect, or change the turns it has left; 0 ends it."""
    state, what, effect = run.state, command.what, effect_in(command.field)
    known = what in state.field.tokens or what in state.field.ground
    demand(known, _("Choose a unit or a hex of this battle."), field="/what")
    runs = [timer.effect for timer in state.field.timers if what in timer.on]
    begins = beginnable(state, what) if command.value != 0 else ()
    turns = check_turns((*runs, *begins), command.field, command.value)
    seen = run.seen(what) if what in state.field.tokens else SEEN_BY_ALL
    run.emit(_told(command, turns, seen))
    if effect in begins:
        begin(run, effect, "", what, turns)
    if not turns:
        run.emit(*(EffectEnded(timer, seen) for timer in running(state.field.timers, what, effect)))


def _check_wing(state: HostState, command: c.Override) -> None:
    if command.field in OF_WINGS:
        demand_whole(command.value, OF_WINGS[command.field], "/value")
        return
    if command.field == "order":
        demand(command.value in ORDERS, _("Choose one of: {choices}."), field="/value", choices=", ".join(ORDERS))
        return
    demand(command.field == "leader", _("Unknown field “{name}”. Remove it."), field="/field", name=command.field)
    members = [one for one in state.members(state.wings[command.what]) if state.units[one].character]
    demand(command.value in ("", *members), _("Choose a character of the wing."), field="/value")


def _check_unit(state: HostState, command: c.Override) -> None:
    unit = command.what
    require(not state.token(unit).gone, _("The unit has left the battle."), field="/what")
    if command.field in OF_UNITS:
        demand_whole(command.value, OF_UNITS[command.field], "/value")
    elif command.field in FLAGS:
        demand(isinstance(command.value, bool), _("Use true or false."), field="/value")
    elif command.field == "posture":
        told = ", ".join(POSTURES)
        demand(command.value in POSTURES, _("Choose one of: {choices}."), field="/value", choices=told)
    elif command.field == "at":
        blow = state.blow
        part = blow is not None and unit in (blow.attacker, blow.target)
        require(not part, IN_AN_ATTACK, field="/what", unit=state.token(unit).name)
        at = state.field.ground.require_hex(command.value, field="/value")
        require(room_for(state, unit, at), _("{hex} is occupied."), field="/value", hex=at)
    elif command.field == "spell":
        check_spell(state, unit, command.value)
    else:
        check_figure(command.field, command.value, character=state.units[unit].character, at="/value", named="/field")


def check_spell(state: HostState, unit: str, value: object) -> None:
    """Guard: a character can have this spell prepared. Raises a refusal otherwise."""
    own = state.units[unit]
    require(own.character and own.own.art, _("This character can’t cast spells."), field="/what")
    known = [spell.slug for spell in known_spells(state, unit)]
    demand(value in ("", None, *known), _("Choose one of: {choices}."), field="/value", choices=", ".join(known))
