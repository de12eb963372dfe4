"""Rerolls a god gave (TF-7): gained, spent, and gone with their side's spell phase (T-36)."""

from __future__ import annotations

from rules.hexbattle import common
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import CASTING, FantasyState, Reroll


def gained(state: FantasyState, event: e.RerollGained) -> FantasyState:
    own_turn = event.side == state.side  # whose phase is not counted (T-36)
    return state.but(rerolls=(*state.rerolls, Reroll(event.side, 1 + own_turn)))


def spent(state: FantasyState, event: e.RerollSpent) -> FantasyState:
    kept = list(state.rerolls)
    first = next((one for one in kept if one.side == event.side), None)
    if first:
        kept.remove(first)
    return state.but(rerolls=tuple(kept))


def after_phase(state: FantasyState, event: common.PhaseEnded) -> FantasyState:
    if event.phase != CASTING:
        return state
    left = (one._replace(until=one.until - (one.side == event.side)) for one in state.rerolls)
    return state.but(rerolls=tuple(one for one in left if one.until > 0))
