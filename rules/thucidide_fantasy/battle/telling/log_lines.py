"""Lines of the battle's log: about somebody, about a side."""

from __future__ import annotations

from typing import Any

from rules.battle_law import LogEntry
from rules.core.text import Said, Term, say
from rules.hexbattle.common import army_of, name_of
from rules.thucidide_fantasy.battle.record.state import FantasyState

FIELDS = ("rolls", "numbers", "rule", "sums", "quiet", "weight", "target", "secret")


def entry(state: FantasyState, kind: str, unit: str, words: Term, /, **more: Any) -> LogEntry:
    """A line about somebody. What isn't a field of the line fills the sentence."""
    fields = {name: more.pop(name) for name in tuple(more) if name in FIELDS}
    token = state.field.tokens.get(unit)
    text = say(words, unit=name_of(state.field, unit, first=True), **more)
    return LogEntry(kind, army_of(unit), fields.pop("target", ""), text, side=token.side if token else None, **fields)


def of_side(state: FantasyState, kind: str, side: int, words: Term, /, **more: Any) -> LogEntry:
    """A line about a side."""
    fields = {name: more.pop(name) for name in tuple(more) if name in FIELDS}
    text = say(words, side=state.opening.sides[side], **more)
    return LogEntry(kind, "", fields.pop("target", ""), text, side=side, **fields)


def name(state: FantasyState, unit: str) -> Said | str:
    return name_of(state.field, unit)
