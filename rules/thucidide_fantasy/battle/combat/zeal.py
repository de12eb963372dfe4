"""Fanatics in combat: which units must attack before the phase ends, and how (T-29)."""

from __future__ import annotations

from rules.thucidide_fantasy.battle.combat.engagement import melee_targets, shot_targets, why_not_open
from rules.thucidide_fantasy.battle.combat.retreat import is_fanatic
from rules.thucidide_fantasy.battle.record.state import FIGHTING_PHASE, FantasyState


def must_fight(state: FantasyState, unit: str) -> bool:
    """Whether a unit must attack: an activated fanatic that can attack somebody."""
    doing, token = state.doing(unit), state.token(unit)
    if state.phase != FIGHTING_PHASE or not doing.activated or doing.fought or not token.standing:
        return False
    if not is_fanatic(state, unit) or why_not_open(state, unit) is not None:
        return False
    return next(melee_targets(state, unit, token.at), None) is not None or can_shoot(state, unit)


def can_shoot(state: FantasyState, unit: str) -> bool:
    return next(shot_targets(state, unit, state.at(unit)), None) is not None


def prefers_blade(state: FantasyState, unit: str) -> bool:
    """Whether a forced attack must be a melee (T-29)."""
    return next(melee_targets(state, unit, state.at(unit)), None) is not None
