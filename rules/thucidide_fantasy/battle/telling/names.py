"""Names and drawings of phases, spells and effects."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.battle_law import LogEntry
from rules.core.text import Said, Term, _, say, verbatim
from rules.hexbattle.common import army_of, name_of
from rules.thucidide_fantasy.battle.record.state import FantasyState
from rules.thucidide_fantasy.battle.situation import DIVINE_BELL, DOUBLE_FLAGS, GROVE, LIT, NO_FLAGS, PARALYSED
from rules.thucidide_fantasy.battle.turn import PHASE_NAMES
from rules.thucidide_fantasy.grimoire import SPELLS

SPELL_GLYPHS: Mapping[str, str] = {
    "magic-arrows": "g-arrows", "word-of-power": "g-word", "armour": "g-armour", "blessing": "g-armour",
    "minor-healing": "g-heal", "major-healing": "g-heal", "total-healing": "g-heal", "slowness": "g-snail",
    "shackles": "g-snail", "stop": "g-halt", "bell": "g-bell", "rebound": "g-mirror", "volley": "g-mirror",
    "rain-of-fire": "g-fire", "fire-storm": "g-fire", "fear": "g-flag", "terror": "g-flag", "speed": "g-sprint",
    "farewell": "g-return", "vade-retro": "g-return", "repulsion": "g-run", "hatred": "g-fist",
    "fanaticism": "g-fist", "enthusiasm": "g-rally", "elite": "g-star", "phantom-troop": "g-hood", "grove": "g-hood",
    "animate-dead": "g-raise", "dust-warriors": "g-raise", "army-of-the-dead": "g-raise", "turn": "g-raise",
}  # fmt: skip
"""Drawings of spells; the others have a swirl."""


EFFECT_GLYPHS: Mapping[str, str] = {
    LIT: "g-fire", PARALYSED: "g-halt", DOUBLE_FLAGS: "g-flag", NO_FLAGS: "g-rally", DIVINE_BELL: "g-bell",
}  # fmt: skip


EFFECT_NAMES: Mapping[str, Term] = {
    LIT: _("Fire"), PARALYSED: _("Paralyzed"), DOUBLE_FLAGS: _("Flags on the enemy count double"),
    NO_FLAGS: _("Flags are ignored"), DIVINE_BELL: _("A god’s bell"), GROVE: _("Grove"),
}  # fmt: skip


def glyph_of_spell(slug: str) -> str:
    return SPELL_GLYPHS.get(slug, "g-swirl")


def glyph_of_effect(slug: str) -> str:
    return EFFECT_GLYPHS.get(slug) or glyph_of_spell(slug)


def phase_name(phase: str) -> Said:
    return PHASE_NAMES.get(phase, _("Phase"))


def spell_name(state: FantasyState, slug: str) -> Said:
    """The name of a spell, from the law or the campaign."""
    if slug in SPELLS:
        return SPELLS[slug].name
    own = state.options.spells.get(slug)
    return verbatim(own.called if own and own.called else slug)


def name_effect(state: FantasyState, slug: str) -> Said:
    """The name of an effect: special names for gods and fire, else the spell's name."""
    return EFFECT_NAMES.get(slug) or spell_name(state, slug)


# Log entries about a unit or character, or about a side


FIELDS = ("rolls", "numbers", "rule", "sums", "quiet", "weight", "target", "secret")


def entry(state: FantasyState, kind: str, unit: str, words: Term, /, **more: Any) -> LogEntry:
    """A log entry about a unit or character. Arguments that aren't members of the entry are inserted into the text."""
    fields = {name: more.pop(name) for name in tuple(more) if name in FIELDS}
    token = state.field.tokens.get(unit)
    text = say(words, unit=name_of(state.field, unit, first=True), **more)
    return LogEntry(kind, army_of(unit), fields.pop("target", ""), text, side=token.side if token else None, **fields)


def of_side(state: FantasyState, kind: str, side: int, words: Term, /, **more: Any) -> LogEntry:
    """A log entry about a side."""
    fields = {name: more.pop(name) for name in tuple(more) if name in FIELDS}
    text = say(words, side=state.opening.sides[side], **more)
    return LogEntry(kind, "", fields.pop("target", ""), text, side=side, **fields)


def name(state: FantasyState, unit: str) -> Said | str:
    return name_of(state.field, unit)
