"""Sentences of what gods give before a battle (TF-7)."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from rules.battle_law import LogEntry
from rules.core.text import Term, _, by_number
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import DEPLOYMENT, LIST, FantasyState
from rules.thucidide_fantasy.battle.telling.log_lines import entry, of_side
from rules.thucidide_fantasy.battle.telling.names import spell_name

DREAMT_POINTS = by_number(
    "A dream has shown that {unit} has {count} point of spells.",
    "A dream has shown that {unit} has {count} points of spells.",
)
DREAMT: Mapping[str, tuple[Term, Term]] = {
    LIST: (_("{side} sees the enemy’s spells in a dream until the battle begins."),
           _("{side} dreams of the enemy’s spells no more.")),
    DEPLOYMENT: (_("{side} sees where the enemy is set up in a dream."),
                 _("{side} dreams of the enemy’s places no more.")),
}  # fmt: skip


def _dream(state: FantasyState, event: e.DreamSent) -> LogEntry:
    sent, over = DREAMT[event.what]
    return of_side(state, "dream-sent", event.side, sent if event.on else over, rule="TF-7")


def _dreamt_cards(state: FantasyState, event: e.CardsDreamt) -> LogEntry:
    if not event.spells:
        return entry(state, "cards-dreamt", event.caster, DREAMT_POINTS, count=event.points, rule="TF-7")
    spells = [spell_name(state, slug) for slug in event.spells]
    words = _("A dream has shown the spells of {unit}: {spells}.")
    return entry(state, "cards-dreamt", event.caster, words, spells=spells, rule="TF-7")


def _sealed(state: FantasyState, event: e.DeploymentSealed) -> LogEntry:
    words = _("A fog hides where {side} is set up, until the battle begins.") if event.on else _(
        "The fog about {side} lifts."
    )  # fmt: skip
    return of_side(state, "deployment-sealed", event.side, words, rule="TF-7")


GIFTS: Mapping[type, Callable[[FantasyState, Any], LogEntry]] = {
    e.DreamSent: _dream, e.CardsDreamt: _dreamt_cards, e.DeploymentSealed: _sealed,
}  # fmt: skip
