"""Summary of a battle: phases, sides, armies, whom it waits for, how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.battle_law import AFTERMATH, CLOSED, FIGHTING, RUNNING, SETUP, Awaited, Combatant, Stage, Summary
from rules.core.text import Said, Term, _, say
from rules.hexbattle import common
from rules.hexbattle.common import Moved, PhaseEnded, Placed
from rules.thucidide_fantasy.battle.combat.stops import OF_GM
from rules.thucidide_fantasy.battle.ending import REASONS
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record.state import COMMANDING, FIGHTING_PHASE, MOVING, PHASES, FantasyState
from rules.thucidide_fantasy.battle.turn import PHASE_NAMES
from rules.thucidide_fantasy.spec import ContingentSpec

GONE = "gone"
STATUS_WORDS: Mapping[str, Term] = {FIGHTING: _("fighting"), GONE: _("nobody left")}
STAGES: Mapping[str, Term] = {
    SETUP: _("Setup"), **PHASE_NAMES, AFTERMATH: _("Aftermath"), CLOSED: _("Over"),
}  # fmt: skip
IN_TURN = _("Turn {number}: {phase}")
COMMANDS_OF: Mapping[str, tuple[str, ...]] = {
    COMMANDING: ("activate", "order", "end_phase"), MOVING: ("move", "announce", "end_phase"),
    FIGHTING_PHASE: ("attack", "shoot", "end_phase"), "spells": ("cast", "decline", "end_phase"),
}  # fmt: skip


def stage_of(kind: str, number: int) -> Stage:
    """A phase by its slug, with its turn's number."""
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
    """An army's stands left, and its total (C-4). An army's own phantoms don't count; the enemy's do (T-31)."""
    left = whole = 0
    for unit, own in state.units.items():
        token = state.field.tokens.get(unit)
        if token is None or token.army != army or own.false:
            continue
        if own.summoned and token.gone:
            continue
        whole += own.start
        left += 0 if token.gone else own.stands
    return left, whole


def combatant(state: FantasyState, army: str, spec: ContingentSpec | None) -> Combatant:
    left, whole = health_of(state, army)
    there = left > 0 or any(token.standing for token in state.field.tokens.values() if token.army == army)
    status = FIGHTING if there else GONE
    led = spec.commander if spec else None
    leader = (led.key, led.name) if led and led.key else ("", "")
    return Combatant(
        army, spec.name if spec else army, state.field.armies[army], status, STATUS_WORDS[status], left, whole,
        spec.kingdom if spec else "", *leader, fighting=there,
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
        common.outcome(ended, sides, REASONS) if ended else None,
        dict(names),
    )


# Texts of the undo button


UNDO = _("Undo")
WORDS: Mapping[type, Term] = {
    PhaseEnded: _("Undo the end of the phase"),
    e.LotDrawn: _("Undo the draw"),
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
