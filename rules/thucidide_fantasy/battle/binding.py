"""Constraints on where a move may end: fanatics, stop, repulsion, and undead too far from their master (T-6, T-92)."""

from __future__ import annotations

from rules.core.text import Said, _
from rules.hexbattle.ground import apart
from rules.thucidide_fantasy.battle.combat.retreat import is_fanatic
from rules.thucidide_fantasy.battle.paces import REPULSION, STOP, reach_of, to_enemies
from rules.thucidide_fantasy.battle.record.state import MOVING, FantasyState
from rules.thucidide_fantasy.battle.situation import foes_beside, is_undead, under, within_leash
from rules.thucidide_fantasy.gods import LEASH

NEARER = _("A fanatic unit has to move closer to the enemy.")
STAYS_TOUCHING = _("A fanatic unit next to an enemy has to stay next to one.")
HOMEWARD = _("This unit can only move toward its own edge.")
AWAY = _("This unit has to move away from the caster.")
TO_MASTER = _("Undead too far from their master can only move closer.")


def binds(state: FantasyState, unit: str) -> bool:
    """Whether any constraint may apply to a unit's move (`why_not_end`)."""
    return is_fanatic(state, unit) or bool(state.field.timers) or is_undead(state, unit)


def why_not_end(state: FantasyState, piece: str, at: str, cost: int) -> Said | None:
    """Why a unit or character may not end its move on a hex in reach; None if it may.

    `cost`: the points of the way there. Walking away and back counts as a move.
    """
    if piece not in state.units or not cost:
        return None
    token = state.token(piece)
    if is_fanatic(state, piece) and (why := _fanatic(state, piece, at)):
        return why
    if state.field.timers and (why := _spells(state, piece, at, cost)):
        return why
    if is_undead(state, piece) and not within_leash(state, piece, token.at, LEASH):
        master = state.field.tokens.get(state.units[piece].master)
        if master and master.standing and apart(at, master.at) >= apart(token.at, master.at):
            return TO_MASTER
    return None


def _fanatic(state: FantasyState, unit: str, at: str) -> Said | None:
    token = state.token(unit)
    if foes_beside(state, token.at, token.side):
        return None if foes_beside(state, at, token.side) else STAYS_TOUCHING
    return None if to_enemies(state, unit, at) < to_enemies(state, unit, token.at) else NEARER


def _spells(state: FantasyState, unit: str, at: str, cost: int) -> Said | None:
    token, ground = state.token(unit), state.field.ground
    if under(state, unit, STOP):
        near = ground.from_home(token.side, token.at) - ground.from_home(token.side, at)
        if near < cost:
            return HOMEWARD
    timer = under(state, unit, REPULSION)
    if timer is not None:
        caster = state.field.tokens.get(timer.by)
        if caster and caster.standing and apart(at, caster.at) <= apart(token.at, caster.at):
            return AWAY
    return None


# Moves that are forced before the phase can end (T-29)


def must_move(state: FantasyState, unit: str) -> bool:
    """Whether a unit must still move: an activated fanatic that can get nearer and isn't beside an enemy, or an
    activated unit under repulsion that can get away.
    """
    doing, token = state.doing(unit), state.token(unit)
    if state.phase != MOVING or not doing.activated or doing.done or not token.standing or token.side != state.side:
        return False
    repelled = repels(state, unit)
    zealous = is_fanatic(state, unit) and not foes_beside(state, token.at, token.side)
    if not (repelled or zealous):
        return False
    return any(
        at != token.at and why_not_end(state, unit, at, cost) is None for at, cost in reach_of(state, unit).items()
    )


def why_not_stay(state: FantasyState, piece: str) -> Said | None:
    """Why a move may not end where it began: units that must move can't stay (T-29). None if it may."""
    if piece not in state.units or not must_move(state, piece):
        return None
    return AWAY if repels(state, piece) else NEARER


def repels(state: FantasyState, unit: str) -> bool:
    """Whether repulsion affects a unit; its caster must be on the map (T-36)."""
    timer = under(state, unit, REPULSION)
    caster = state.field.tokens.get(timer.by) if timer else None
    return caster is not None and caster.standing
