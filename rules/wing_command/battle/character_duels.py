"""Duels (WC-8.7, 8.8, W-19, W-48): who may fight one, against whom, and the attack."""

from __future__ import annotations

from rules.core.errors import demand, require
from rules.core.text import Said, _
from rules.hexbattle.ground import apart
from rules.hexbattle.tokens import Token
from rules.wing_command.battle.acting import finish, require_next
from rules.wing_command.battle.blows import strike
from rules.wing_command.battle.combat import stacked_at, troop_seen, why_out_of_shot
from rules.wing_command.battle.movement import may_charge
from rules.wing_command.battle.obedience import beside_now, why_not_by_order
from rules.wing_command.battle.record.commands import FightDuel
from rules.wing_command.battle.record.state import FIT, Clash, Going, HostState
from rules.wing_command.battle.run import Run, forbid
from rules.wing_command.battle.situation import enemies, engaged, order_of
from rules.wing_command.spec import MELEE, MISSILE, RETREAT


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
    """Why they can't fight this enemy in a duel; None if they can."""
    why = why_no_duellist(state, character)
    if why is not None:
        return why
    if not target.character or troop_seen(state, target) is None:
        return _("You can only duel a character stacked on a troop.")
    free = not engaged(state, character) and with_large(state, target.id)
    if not (with_large(state, character) or free):
        return _("One of the two has to be with a large unit.")
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
        return _("For a duel in melee both have to be stacked on troops.")
    if apart(token.at, target.at) != 1:
        return _("The target isn’t next to the character.")
    if state.units[character].high != state.units[target.id].high:
        return _("Both have to be at the same height for a melee.")
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
    demand(command.target in known, _("This unit isn’t a target."), field="/target")
    why = why_not_duel(state, character, known[command.target], command.how)
    forbid(why, "/target")
    allowed = command.how == MELEE and charges(state, character)
    require(not command.charge or allowed, _("The unit can’t charge now. Choose another action."), field="/charge")
    strike(run, blow_of(state, character, command.target, command.how, command.charge))
    finish(run, character, None)
