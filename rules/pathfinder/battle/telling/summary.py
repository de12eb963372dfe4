"""Summary of a battle: its phases, its sides and armies, who is waited for, how it ended (PF-3.2, PF-3.5)."""

from __future__ import annotations

from collections.abc import Iterator

from rules import law
from rules.core.health import band_of
from rules.core.text import Said, Term, _, say
from rules.pathfinder.battle.orders.legal import awaiting
from rules.pathfinder.battle.state.battle_state import (
    AFTERMATH,
    CAPTURED,
    CLOSED,
    DEFEATED,
    FIGHTING,
    MELEE,
    RANGED,
    ROUTED,
    SETUP,
    TACTICS,
    WITHDRAWN,
    ArmyInBattle,
    BattleState,
    Phase,
)
from rules.verdicts import holder

STATUS_OF = {SETUP: law.SETUP, AFTERMATH: law.AFTERMATH, CLOSED: law.CLOSED}
STATUS_WORDS: dict[str, Term] = {
    FIGHTING: _("fighting"),
    WITHDRAWN: _("withdrew"),
    ROUTED: _("routed"),
    DEFEATED: _("defeated"),
    CAPTURED: _("captured"),
}
STAGE_NAMES: dict[str, Term] = {
    SETUP: _("Setup"),
    TACTICS: _("Tactics"),
    RANGED: _("Ranged"),
    MELEE: _("Melee"),
    AFTERMATH: _("Aftermath"),
    CLOSED: _("Aftermath"),
}
NUMBERED = {RANGED: _("Ranged {number}"), MELEE: _("Melee {number}")}
TO_COME = (SETUP, TACTICS, RANGED, MELEE, AFTERMATH)
RISEN = "~"  # in the id of an army that rose in the battle


def summary_of(battle: BattleState) -> law.Summary:
    return law.Summary(
        status=STATUS_OF.get(battle.phase.kind, law.RUNNING),
        stage=stage_of(battle.phase),
        stages=tuple(_stages(battle)),
        sides=tuple(law.Team(side.name, side.armies) for side in battle.sides),
        armies={army.id: _combatant(army, worded=army.id in battle.worded) for army in battle.armies.values()},
        waiting_for=tuple(law.Awaited(army, what) for army, what in awaiting(battle)),
        outcome=_outcome(battle),
        ordered=frozenset(army.id for army in battle.on_field() if army.id in battle.orders),
    )


def stage_of(phase: Phase) -> law.Stage:
    return law.Stage(phase.kind, phase.number, phase_label(phase))


def phase_label(phase: Phase) -> Said:
    """ "Melee 2"; the first ranged phase has no number, for there is usually one."""
    if phase.kind == MELEE or (phase.kind == RANGED and phase.number > 1):
        return say(NUMBERED[phase.kind], number=phase.number)
    return STAGE_NAMES[phase.kind]


def _stages(battle: BattleState) -> Iterator[tuple[law.Stage, str]]:
    now = battle.phase
    for phase in battle.phases:
        yield stage_of(phase), "done"
    if now.kind == CLOSED:
        yield stage_of(Phase(AFTERMATH)), "done"
        return
    yield stage_of(now), "current"
    for kind in TO_COME[TO_COME.index(now.kind) + 1 :]:
        yield law.Stage(kind, 1, STAGE_NAMES[kind]), "to come"


def _combatant(army: ArmyInBattle, *, worded: bool) -> law.Combatant:
    leader = army.spec.commander
    words = band_of(army.hp, army.hp_max).word if worded else None
    return law.Combatant(
        id=army.id,
        name=army.name,
        side=army.side,
        status=army.status,
        status_word=STATUS_WORDS[army.status],
        health=army.hp,
        health_max=army.hp_max,
        kingdom=army.spec.kingdom,
        leader=leader.id if leader else "",
        leader_name=leader.name if leader else "",
        risen_from=army.id.partition(RISEN)[0] if RISEN in army.id else "",
        fighting=army.status == FIGHTING,
        share=words is not None,
        words=words,
    )


def _outcome(battle: BattleState) -> law.Outcome | None:
    result = battle.result
    if result is None:
        return None
    winner = None if result.winner is None else battle.sides[result.winner].name
    return law.Outcome(result.winner, str(result.reason), holder(winner))
