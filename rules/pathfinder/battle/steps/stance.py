"""Steps 2 and 3: changes of tactic and of strategy (PF-3.5, PF-3.7)."""

from __future__ import annotations

from rules.pathfinder.battle.orders.options import (
    STRATEGY_DC,
    TACTIC_DC,
    strategy_is_free,
    strategy_refusal,
    tactic_is_free,
    tactic_refusal,
)
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import ArmyInBattle
from rules.pathfinder.battle.steps.run import PhaseRun


def change_tactics(run: PhaseRun) -> None:
    if not run.orders:
        return
    for army in run.acting():
        wanted = run.order(army.id).tactic
        if wanted is not None and wanted != army.tactic and tactic_refusal(run.draft.battle, army, wanted) is None:
            _change_tactic(run, army, wanted)


def _change_tactic(run: PhaseRun, army: ArmyInBattle, wanted: str) -> None:
    if tactic_is_free(run.draft.battle, army, wanted):
        run.emit(e.TacticChosen(army.id, wanted, True))
        return
    success, told = run.check(army, "tactic", "tactic", TACTIC_DC)
    run.emit(e.TacticChosen(army.id, wanted, success, **told))  # type: ignore[arg-type]
    run.doom(army, success)


def change_strategies(run: PhaseRun) -> None:
    if not run.melee or not run.orders:
        return
    for army in run.acting():
        wanted = run.order(army.id).strategy
        if wanted is not None and wanted != army.strategy and strategy_refusal(run.draft.battle, army, wanted) is None:
            _change_strategy(run, army, wanted)


def _change_strategy(run: PhaseRun, army: ArmyInBattle, wanted: str) -> None:
    if strategy_is_free(run.draft.battle, army, wanted):
        run.emit(e.StrategyChosen(army.id, wanted, True))
        return
    success, told = run.check(army, "strategy", "strategy", STRATEGY_DC)
    run.emit(e.StrategyChosen(army.id, wanted, success, **told))  # type: ignore[arg-type]
    run.doom(army, success)
