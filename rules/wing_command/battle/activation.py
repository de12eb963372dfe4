"""Activations of wings (WC-9.4): starting and ending one, whose turn is next, and the duels of characters (WC-8.7,
8.8).
"""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction

from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.core.errors import demand, require
from rules.core.text import Said, _, by_number
from rules.hexbattle.chances import two_dice_at_most
from rules.hexbattle.field import Token
from rules.hexbattle.ground import apart
from rules.wing_command.battle.acting import finish, let_stand, require_next
from rules.wing_command.battle.blows import strike
from rules.wing_command.battle.combat import stacked_at, troop_seen, why_out_of_shot
from rules.wing_command.battle.movement import may_charge
from rules.wing_command.battle.obedience import beside_now, duty_of, why_not_by_order
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.commands import FightDuel
from rules.wing_command.battle.record.state import ACTION, FIT, ROUT, ROUTED, Clash, Going, HostState, Wing
from rules.wing_command.battle.run import Run, faces, forbid
from rules.wing_command.battle.situation import enemies, engaged, order_of, unrouted_beside
from rules.wing_command.spec import MELEE, MISSILE, RETREAT

# Activations of wings (WC-9.4): starting and ending one, whose turn is next, rallying by special order.

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
    names = [state.token(unit).name for unit in waiting[:NAMES_TOLD]]
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


# Duels (WC-8.7, 8.8, W-19, W-48): who may fight one, against whom, and the attack.


def with_large(state: HostState, unit: str) -> bool:
    """Whether a unit is small and stacked with a large one."""
    here = state.field.at(state.token(unit).at)
    return not state.units[unit].own.large and any(state.units[one.id].own.large for one in here if one.id != unit)


def why_no_duellist(state: HostState, character: str) -> Said | None:
    """Why a character can't fight any duel now; None if they can."""
    own, token = state.units[character], state.token(character)
    if not own.character:
        return _("Only characters can fight duels.")
    if not token.standing or own.morale != FIT:
        return _("Shaken and routed characters can’t fight duels.")
    if own.must_land:
        return _("The unit is exhausted: it has to land.")
    if own.activated:
        return _("The character acted in the command phase: no duel this turn.")
    going = state.going
    if own.acted and not (going is not None and going.unit == character):
        return _("The character has already acted.")
    return None


def why_not_duel(state: HostState, character: str, target: Token, how: str) -> Said | None:
    """Why the character can't fight this enemy in a duel; None if they can."""
    why = why_no_duellist(state, character)
    if why is not None:
        return why
    if not target.character or troop_seen(state, target) is None:
        return _("You can only duel a character stacked on a troop.")
    free = not engaged(state, character) and with_large(state, target.id)
    if not (with_large(state, character) or free):
        return _("One of the two duelists has to be with a large unit.")
    if how == MISSILE:
        return _why_no_shot(state, character, target)
    return _why_no_melee(state, character, target)


def _why_no_shot(state: HostState, character: str, target: Token) -> Said | None:
    own = state.units[character]
    if not own.own.shot:
        return _("This character can’t shoot.")
    if engaged(state, character):
        return _("Engaged characters can’t fight missile duels.")
    if order_of(state, character) == RETREAT:
        return _("Characters ordered to retreat can’t fight duels.")
    flying = (own.high, state.units[target.id].high)
    return why_out_of_shot(state, state.token(character).at, target, own.own.range, flying=flying)


def _why_no_melee(state: HostState, character: str, target: Token) -> Said | None:
    token, going = state.token(character), state.going
    if not stacked_at(state, character, token.at):
        return _("For a melee duel, both characters have to be stacked on troops.")
    if apart(token.at, target.at) != 1:
        return _("The target isn’t next to the character.")
    if state.units[character].high != state.units[target.id].high:
        return _("For melee, attacker and target have to be at the same height.")
    own_going = going if going and going.unit == character else None
    if own_going and own_going.effort:
        return _("Units can’t fight in melee after a second effort.")
    if order_of(state, character) == RETREAT:
        return _("Characters ordered to retreat can’t fight duels.")
    before = own_going.beside if own_going else beside_now(state, character)
    return why_not_by_order(state, character, target.id, MELEE, token.at, before)


def charges(state: HostState, character: str) -> bool:
    """Whether a melee duel gets the +1 of a charge: from their own move, or carried by a troop that charged."""
    return state.units[character].charged or own_charge(state, character)


def own_charge(state: HostState, character: str) -> bool:
    """Whether a character's own move this action counts as a charge."""
    going = state.going
    own_move = going if going and going.unit == character else Going(character)
    return may_charge(state, character, own_move.clear)


def blow_of(state: HostState, character: str, target: str, how: str, charge: bool | None = None) -> Clash:
    """The duel as an attack."""
    going = state.going
    out = state.units[character].infiltrating and (going is None or going.unit != character or going.out)
    charged = how == MELEE and charge is not False and charges(state, character)
    return Clash(character, target, how, duel=True, charged=charged, out=out, follow=False)


def duel(run: Run, command: FightDuel) -> None:
    """Fight a duel. Raises a refusal if it isn't possible."""
    state, character = run.state, command.character
    require_next(state, character)
    known = {foe.id: foe for foe in enemies(state, state.side_of(character))}
    demand(command.target in known, _("This unit isn’t a valid target."), field="/target")
    why = why_not_duel(state, character, known[command.target], command.how)
    forbid(why, "/target")
    allowed = command.how == MELEE and charges(state, character)
    require(not command.charge or allowed, _("The unit can’t charge now. Choose another action."), field="/charge")
    strike(run, blow_of(state, character, command.target, command.how, command.charge))
    finish(run, character, None)
