"""Summary of a battle: phases, sides, armies, whom it waits for, how it ended. Also the names and drawings of phases,
spells and effects.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.battle_law import AFTERMATH, CLOSED, FIGHTING, RUNNING, SETUP, Awaited, Combatant, LogEntry, Stage, Summary
from rules.core.text import Said, Term, _, by_number, say, verbatim
from rules.hexbattle import common, telling
from rules.hexbattle.common import Moved, PhaseEnded, Placed, name_of
from rules.hexbattle.telling import split_fields, unit_entry
from rules.thucidide_fantasy.battle.aftermath import REASONS
from rules.thucidide_fantasy.battle.combat.steps import OF_GM
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import COMMANDING, FIGHTING_PHASE, MOVING, PHASES, FantasyState
from rules.thucidide_fantasy.battle.situation import DIVINE_BELL, DOUBLE_FLAGS, GROVE, LIT, NO_FLAGS, PARALYSED
from rules.thucidide_fantasy.battle.turn import PHASE_NAMES
from rules.thucidide_fantasy.grimoire import SPELLS
from rules.thucidide_fantasy.spec import ContingentSpec

# Summary of a battle: phases, sides, armies, whom it waits for, how it ended.

GONE = "gone"
STATUS_WORDS: Mapping[str, Term] = {FIGHTING: _("fighting"), GONE: _("nobody left")}
SUMMONED = by_number("{count} summoned stand, not counted", "{count} summoned stands, not counted")
STAGES: Mapping[str, Term] = {
    SETUP: _("Setup"), **PHASE_NAMES, AFTERMATH: _("Aftermath"), CLOSED: _("Over"),
}  # fmt: skip
IN_TURN = _("Turn {number}: {phase}")
COMMANDS_OF: Mapping[str, tuple[str, ...]] = {
    COMMANDING: ("activate", "order", "end_phase"), MOVING: ("move", "announce", "end_phase"),
    FIGHTING_PHASE: ("attack", "shoot", "end_phase"), "spells": ("cast", "decline", "end_phase"),
}  # fmt: skip


def stage_of(kind: str, number: int) -> Stage:
    """The `Stage` of a phase, by its slug, with the number of its turn."""
    label: Said = STAGES.get(kind, Term(kind))
    return Stage(kind, number, say(IN_TURN, number=number, phase=label) if kind in PHASES else label)


def kind_of(state: FantasyState) -> str:
    return state.phase if state.field.status == RUNNING else state.field.status


def stages_of(state: FantasyState) -> tuple[tuple[Stage, str], ...]:
    """The steps of the battle: setup, the phases of this turn, the aftermath."""
    now = kind_of(state)
    kinds = (SETUP, *PHASES, AFTERMATH)
    place = kinds.index(now) if now in kinds else len(kinds)
    return tuple(
        (Stage(kind, state.turn, STAGES[kind]), "current" if at == place else "done" if at < place else "to come")
        for at, kind in enumerate(kinds)
    )


def health_of(state: FantasyState, army: str) -> tuple[int, int]:
    """An army's stands left, and its total (C-4), as the aftermath counts them: without summoned units."""
    left = whole = 0
    for unit, own in state.units.items():
        token = state.field.tokens.get(unit)
        if token is None or token.army != army or own.summoned:
            continue
        whole += own.start
        left += 0 if token.gone else own.stands
    return left, whole


def summoned_of(state: FantasyState, army: str) -> int:
    """The summoned stands on the field. An army's own phantoms aren't among them; the enemy's are (T-31)."""
    tokens = state.field.tokens
    return sum(
        own.stands
        for unit, own in state.units.items()
        if own.summoned and not own.false and unit in tokens and tokens[unit].army == army and not tokens[unit].gone
    )


def combatant(state: FantasyState, army: str, spec: ContingentSpec | None) -> Combatant:
    left, whole = health_of(state, army)
    there = left > 0 or any(token.standing for token in state.field.tokens.values() if token.army == army)
    status = FIGHTING if there else GONE
    led = spec.commander if spec else None
    leader = (led.key, str(led.name)) if led and led.key else ("", "")
    summoned = summoned_of(state, army)
    return Combatant(
        army, spec.name if spec else army, state.field.armies[army], status, STATUS_WORDS[status], left, whole,
        spec.kingdom if spec else "", *leader, fighting=there,
        besides=say(SUMMONED, count=summoned) if summoned else None,
    )  # fmt: skip


def armies_of(state: FantasyState) -> dict[str, Combatant]:
    specs = {spec.id: spec for spec in (*state.opening.contingents, *state.joined)}
    return {army: combatant(state, army, specs.get(army)) for army in state.field.armies}


# Whom the battle waits for


def awaited(state: FantasyState) -> Iterator[Awaited]:
    """Whose turn it is, by army; nobody while the GM has to report."""
    field = state.field
    if field.status == SETUP:
        yield from (Awaited(army, ("place", "ready")) for army, side in field.armies.items() if side not in field.ready)
    elif field.status == RUNNING and state.fight is not None:
        if state.fight.side != OF_GM:
            yield Awaited(_answering(state), ("answer", state.fight.asks))
    elif field.status == RUNNING:
        yield from (
            Awaited(army, COMMANDS_OF[state.phase]) for army, side in field.armies.items() if side == state.side
        )


def _answering(state: FantasyState) -> str:
    fight = state.fight
    assert fight is not None
    token = state.field.tokens.get(fight.todo[0].unit)
    if token is not None and state.field.armies[token.army] == fight.side:
        return token.army
    return next(army for army, side in state.field.armies.items() if side == fight.side)


def summary_of(state: FantasyState) -> Summary:
    names = {unit: state.told_name(unit) for unit in state.field.tokens}
    sides, ended = state.opening.sides, state.field.ended
    return Summary(
        state.field.status,
        stage_of(kind_of(state), state.turn),
        stages_of(state),
        common.teams(state.field, sides),
        armies_of(state),
        tuple(awaited(state)),
        telling.outcome(ended, sides, REASONS) if ended else None,
        dict(names),
    )


# Texts of the undo button


UNDO = _("Undo")
WORDS: Mapping[type, Term] = {
    PhaseEnded: _("Undo the end of the phase"),
    e.LotDrawn: _("Undo who goes first"),
    e.SpellCast: _("Undo the spell"),
    e.SpellDeclined: _("Undo the decision not to cast"),
    e.CombatOpened: _("Undo the combat"),
    e.GodAnswered: _("Undo the appeal"),
    Moved: _("Undo the move"),
    e.MoveEnded: _("Undo the move"),
    e.Activated: _("Undo the activation"),
    e.OrderGiven: _("Undo the order"),
    e.SpellAnnounced: _("Undo the announcement"),
    e.CardsChosen: _("Undo the choice of cards"),
    Placed: _("Undo the placement"),
}
"""By event, the most significant first."""


def undo_words(events: Sequence[Any]) -> Said:
    kinds = {type(event) for event in events}
    return next((words for kind, words in WORDS.items() if kind in kinds), UNDO)


# Names and drawings of phases, spells and effects.

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


def entry(state: FantasyState, kind: str, unit: str, words: Term, /, **more: Any) -> LogEntry:
    """A log entry about a unit or character. Arguments that aren't members of the entry are inserted into the text."""
    return unit_entry(state.field, kind, unit, words, **more)


def of_side(state: FantasyState, kind: str, side: int, words: Term, /, **more: Any) -> LogEntry:
    """A log entry about a side."""
    fields, told = split_fields(more)
    text = say(words, side=state.opening.sides[side], **told)
    return LogEntry(kind, "", fields.pop("target", ""), text, side=side, **fields)


def name(state: FantasyState, unit: str) -> Said | str:
    return name_of(state.field, unit)
