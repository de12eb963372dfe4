"""Turns: whether a battle waits for whoever looks at it."""

from __future__ import annotations

from collections.abc import Sequence

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import get_battle_ui
from battles.setup.open_battles import TAB, is_awaited
from battles.setup.queries import state_told
from kingdom.campaign import awaiting_counts
from rules.law import Legal, Pending, Summary, Viewer, is_turn


def is_your_turn(battle: Battle, summary: Summary, legal: Legal, pending: Sequence[Pending], viewer: Viewer) -> bool:
    """Whether this reader is to act, or to answer.

    A GM is when they can go on and nobody is awaited; where sides take turns, also for an army that no player commands.
    """
    if not viewer.gm:
        return bool(pending) or is_turn(legal, summary.waiting_for, viewer)
    ui = get_battle_ui(play_battle_state.get_law(battle))
    if ui.by_turns and summary.waiting_for:
        played = frozenset(map(str, awaiting_counts.read(battle.campaign, TAB)["played"]))
        return is_awaited(state_told(battle)["awaited"], (), gm=True, played=played)
    return any(kind in legal.commands for kind in ui.onward) and not summary.waiting_for
