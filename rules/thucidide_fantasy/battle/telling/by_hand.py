"""Sentences of what the GM sets by hand (TF-9), each with the reason."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.battle_law import LogEntry
from rules.core.text import Said, Term, _
from rules.hexbattle.hand import effect_in, told_effect
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.hand_fold import GIVE, SIDES
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.telling.log_lines import entry, of_side
from rules.thucidide_fantasy.battle.telling.names import name_effect, spell_name

KIND = "overridden"
SIGNED: Mapping[str, tuple[Term, Term]] = {
    "trait": (_("The GM gives {unit} a trait, {what}: {reason}"),
              _("The GM takes a trait away from {unit}, {what}: {reason}")),
    "card": (_("The GM gives {unit} a card, {what}: {reason}"),
             _("The GM takes a card away from {unit}, {what}: {reason}")),
}  # fmt: skip


def overridden(state: FantasyState, event: e.Overridden) -> LogEntry:
    reason: Any = {"reason": event.reason}
    if effect := effect_in(event.field):
        side = state.opening.sides[int(event.what)] if event.what in SIDES else ""
        return told_effect(state.field, event, name_effect(state, effect), side)
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
