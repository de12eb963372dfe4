"""The command test and a round from beginning to end (B-19)."""

from __future__ import annotations

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import (
    COMMAND,
    DUSK,
    DUSK_OF_FLEETS,
    FLEET,
    ON_FIELD,
    QUIET_MOST,
    ROUND,
    WAITING,
    WITHDRAWN,
    BattleNow,
    Phase,
    Result,
)
from rules.breaking_point.battle.steps.after import change_distance, flight
from rules.breaking_point.battle.steps.command import before_battle, command_test
from rules.breaking_point.battle.steps.leaving import withdraw
from rules.breaking_point.battle.steps.run import Run
from rules.breaking_point.battle.steps.strike import exchange

HERE = (*ON_FIELD, WAITING)


def resolve_command(run: Run) -> None:
    """B-24, BP-4.1; whoever is routed by it is pursued at once."""
    fought = before_battle(run)
    if fought:
        flight(run)
    run.emit(e.PhaseEnded(Phase(COMMAND)))
    if fought:
        _go_on(run, Phase(ROUND, 1))
    else:
        run.emit(e.BattleEnded(Result(None, "unfought"), "B-24"))


def resolve_round(run: Run) -> None:
    number = run.battle.phase.number
    before = len(run.draft.happened)
    _arrivals(run)
    run.take_aim()
    withdraw(run)
    exchange(run)
    if run.battle.kind == FLEET:
        change_distance(run)
    flight(run)
    attacked = run.attacked or any(isinstance(event, e.Attacked) for event in run.draft.happened[before:])
    _lapse(run)
    run.emit(e.PhaseEnded(Phase(ROUND, number), 0 if attacked else run.battle.quiet + 1))
    _go_on(run, Phase(ROUND, number + 1))


def _arrivals(run: Run) -> None:
    """Reserves come, or leave where nothing else of their side stands (B-44); then a command test, if one is due."""
    battle = run.battle
    for army in battle.owners() if any(order.commit for order in battle.orders.values()) else ():
        waiting = tuple(body.id for body in battle.of_army(army) if body.waiting)
        order = battle.orders.get(army)
        if waiting and order is not None and order.commit:
            run.emit(e.ReserveCommitted(army, waiting, battle.phase.number))
    for body in [body for body in run.bodies.values() if body.status == WAITING]:
        if not battle.on_field(body.side):
            run.emit(e.BodyLeft(body.id, WITHDRAWN, saved=True, rule="B-44"))
    if battle.due and len({body.side for body in battle.on_field()}) > 1:
        command_test(run)


def _lapse(run: Run) -> None:
    """What is said or gained for a round only (B-20, B-37)."""
    battle = run.battle
    for mark in [mark for mark in battle.conditions if mark.kind == c.SURROUNDED]:
        run.emit(e.ConditionLifted(mark, rule="B-37"))
    if battle.surprised and battle.kind != FLEET and not battle.house.surprise_for_battle:
        run.emit(e.SurpriseEnded(tuple(sorted(battle.surprised))))


def _go_on(run: Run, phase: Phase) -> None:
    result = over(run.battle)
    run.emit(e.PhaseBegan(phase) if result is None else e.BattleEnded(result))


def over(battle: BattleNow) -> Result | None:
    """How it ends after this phase, None where it does not (B-45)."""
    here = [body.formation for body in battle.bodies.values() if body.status in HERE]
    standing = {formation.side for formation in here if not formation.support}
    if len(standing) == 1:
        return Result(standing.pop(), "field")
    if not standing:
        return Result(None, "nobody")
    if battle.quiet >= QUIET_MOST:
        return Result(None, "quiet")
    return Result(None, "dusk") if battle.phase.kind == ROUND and battle.phase.number >= dusk_of(battle) else None


def dusk_of(battle: BattleNow) -> int:
    """The last round."""
    mark = battle.condition(c.DUSK)
    return int(mark.value or 0) if mark else DUSK_OF_FLEETS if battle.kind == FLEET else DUSK
