"""Summary of a battle: phases, sides, armies, whom it waits for, how it ended."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from rules.battle_law import AFTERMATH, CLOSED, FIGHTING, RUNNING, SETUP, Awaited, Combatant, Stage, Summary
from rules.core.text import Said, Term, _, say
from rules.hexbattle import common, telling
from rules.hexbattle.common import Moved
from rules.wing_command.battle.activation import open_wings
from rules.wing_command.battle.demoralisation import REASONS
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import COMMAND, END, INITIATIVE, PHASES, ROUT, HostState, Wing
from rules.wing_command.battle.turn import PHASE_NAMES, commanders

BROKEN, GONE = "broken", "gone"
STATUS_WORDS: Mapping[str, Term] = {
    FIGHTING: _("fighting"),
    BROKEN: _("broken"),
    GONE: _("nobody left"),
}
STAGES: Mapping[str, Term] = {
    SETUP: _("Setup"), **PHASE_NAMES, END: _("End of the turn"), AFTERMATH: _("Aftermath"), CLOSED: _("Over"),
}  # fmt: skip
IN_TURN = _("Turn {number}: {phase}")


def stage_of(kind: str, number: int) -> Stage:
    """A phase by its slug, with its turn's number."""
    label: Said = STAGES.get(kind, Term(kind))
    return Stage(kind, number, say(IN_TURN, number=number, phase=label) if kind in PHASES else label)


def kind_of(state: HostState) -> str:
    return state.phase if state.field.status == RUNNING else state.field.status


def stages_of(state: HostState) -> tuple[tuple[Stage, str], ...]:
    """The steps of the battle: setup, the phases of this turn, what follows."""
    now = kind_of(state)
    kinds = (*PHASES, END) if state.field.status == RUNNING else (SETUP, *PHASES, END, AFTERMATH)
    place = kinds.index(now) if now in kinds else len(kinds)
    return tuple(
        (Stage(kind, state.turn, STAGES[kind]), "current" if at == place else "done" if at < place else "to come")
        for at, kind in enumerate(kinds)
    )


def combatant(state: HostState, wing: Wing, name: str, kingdom: str, commander: tuple[str, str]) -> Combatant:
    left, whole = state.field.troops(wing.id)
    there = next(iter(state.members(wing)), None) is not None
    status = GONE if not there else BROKEN if wing.broken else FIGHTING
    return Combatant(
        wing.id, name, wing.side, status, STATUS_WORDS[status], left, whole, kingdom, *commander, fighting=there
    )


def armies_of(state: HostState) -> dict[str, Combatant]:
    specs = {spec.id: spec for spec in state.opening.wings}
    found = {}
    for wing in state.wings.values():
        spec = specs.get(wing.id)
        led = spec.commander if spec else None
        commander = (led.key, str(led.name)) if led and led.key else ("", "")
        found[wing.id] = combatant(state, wing, wing.name, spec.kingdom if spec else "", commander)
    return found


# Whom the battle waits for


def awaited(state: HostState) -> Iterator[Awaited]:
    """Whose turn it is, by army; nobody while the GM has to report."""
    if state.field.status == SETUP:
        for wing in state.wings.values():
            if wing.side not in state.field.ready:
                yield Awaited(wing.id, ("place", "ready"))
    elif state.field.status == RUNNING and state.blow is None:
        yield from _in_play(state)


def _in_play(state: HostState) -> Iterator[Awaited]:
    if state.phase in (INITIATIVE, ROUT):
        what = "roll_initiative" if state.phase == INITIATIVE else "resolve_rout"
        yield from (Awaited(wing.id, (what,)) for wing in state.wings.values())
    elif state.phase == COMMAND:
        yield from _commanding(state)
    elif state.wing:
        yield Awaited(state.wing, ("act", "end_wing"), say(Term("{wing}"), wing=state.wings[state.wing].name))
    else:
        yield from (Awaited(wing.id, ("take_wing",)) for wing in open_wings(state, state.side))


def _commanding(state: HostState) -> Iterator[Awaited]:
    if state.aiming:
        yield Awaited(common.army_of(state.aiming.character), ("aim",))
    elif state.distribution:
        yield Awaited(common.army_of(state.distribution.character), ("give_order", "end_distribution"))
    else:
        armies = dict.fromkeys(common.army_of(unit) for unit in commanders(state, state.side))
        yield from (Awaited(army, ("command", "pass")) for army in armies)


def summary_of(state: HostState) -> Summary:
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
    e.InitiativeRolled: _("Undo the initiative"),
    e.PointsRolled: _("Undo the order points"),
    e.SpecialOrderGiven: _("Undo the special order"),
    e.DistributionEnded: _("Undo the end of the orders"),
    e.CommandTested: _("Undo the command test"),
    e.SpellChosen: _("Undo the choice of a spell"),
    e.SpellTried: _("Undo the spell"),
    e.SpellCast: _("Undo the spell"),
    e.SidePassed: _("Undo the pass"),
    e.WingTaken: _("Undo the choice of the wing"),
    e.WingDone: _("Undo ending the activation"),
    e.TurnEnded: _("Undo fleeing and rallying"),
    e.Attacked: _("Undo the attack"),
    e.DuelFought: _("Undo the duel"),
    e.BlowAsked: _("Undo the attack"),
    e.Rallied: _("Undo the rally"),
    Moved: _("Undo the move"),
    e.Acted: _("Undo the action"),
}
"""By event, the most significant first."""


def undo_words(events: Sequence[Any]) -> Said:
    kinds = {type(event) for event in events}
    if e.TurnEnded in kinds:
        return WORDS[e.TurnEnded]
    return next((words for kind, words in WORDS.items() if kind in kinds), UNDO)
