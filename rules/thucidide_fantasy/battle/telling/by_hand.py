"""Sentences of what the GM sets by hand (TF-9), each with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.battle_law import LogEntry
from rules.core.text import Said, Term, _, by_number, say
from rules.hexbattle.hand import effect_in
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.hand_fold import GIVE, SIDES
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.telling.log_lines import entry, name, of_side
from rules.thucidide_fantasy.battle.telling.names import name_effect, spell_name

KIND = "overridden"
LASTS = by_number(
    "The GM sets {effect} on {target} to {count} more turn: {reason}",
    "The GM sets {effect} on {target} to {count} more turns: {reason}",
)
ENDS = _("The GM ends {effect} on {target}: {reason}")
SIGNED: Mapping[str, tuple[Term, Term]] = {
    "trait": (_("The GM gives {unit} a trait, {what}: {reason}"),
              _("The GM takes a trait away from {unit}, {what}: {reason}")),
    "card": (_("The GM gives {unit} a card, {what}: {reason}"),
             _("The GM takes a card away from {unit}, {what}: {reason}")),
}  # fmt: skip


def overridden(state: FantasyState, event: e.Overridden) -> LogEntry:
    reason: Any = {"reason": event.reason}
    if effect_in(event.field):
        return _effect(state, event)
    if event.what in SIDES:
        return of_side(state, KIND, int(event.what), _("The GM sets the counters of {side}: {reason}"), **reason)
    if event.field in SIGNED:
        given, taken = SIGNED[event.field]
        value = str(event.value)
        words = given if value[0] == GIVE else taken
        return entry(state, KIND, event.what, words, what=_named(state, event.field, value[1:]), **reason)
    if event.field == "grave" and event.value:
        words = _("The GM sets the grave of {unit} on {hex}: {reason}")
        return entry(state, KIND, event.what, words, hex=event.value, **reason)
    if event.field == "grave":
        return entry(state, KIND, event.what, _("The GM takes the grave of {unit} away: {reason}"), **reason)
    return entry(state, KIND, event.what, _("The GM sets a state of {unit}: {reason}"), **reason)


def _named(state: FantasyState, field: str, slug: str) -> Said:
    return TRAITS[slug].name if field == "trait" else spell_name(state, slug)


def _effect(state: FantasyState, event: e.Overridden) -> LogEntry:
    what, token = event.what, state.field.tokens.get(event.what)
    target: Said | str = name(state, what) if ":" in what else what
    target = state.opening.sides[int(what)] if what in SIDES else target
    side = int(what) if what in SIDES else token.side if token else None
    words = LASTS if event.value else ENDS
    text = say(words, effect=name_effect(state, effect_in(event.field)), target=target, count=event.value,
               reason=event.reason)  # fmt: skip
    return LogEntry(KIND, "", "", text, side=side)
