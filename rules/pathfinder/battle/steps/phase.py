"""A phase from its first step to its last (PF-3.4, PF-3.5)."""

from __future__ import annotations

from rules.pathfinder.battle.orders.options import tactic_refusal
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.steps.calm import calm_plan
from rules.pathfinder.battle.steps.consequences import aftereffects, weather
from rules.pathfinder.battle.steps.declare import declare
from rules.pathfinder.battle.steps.ends import conclude, defeat_and_rout, end_phase
from rules.pathfinder.battle.steps.lingering import linger
from rules.pathfinder.battle.steps.opposed import lost_attacks, plan_attacks, taunt, wear_down_walls, withdraw
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.battle.steps.stance import change_strategies, change_tactics
from rules.pathfinder.battle.steps.strike import attack, hold_and_trip


def resolve_tactics(run: PhaseRun) -> None:
    """Each commander's tactic is adopted without a check; an ambushed army stays on standard (PF-3.3, PF-3.4)."""
    battle = run.draft.battle
    for army in battle.on_field():
        wanted = run.order(army.id).tactic
        if wanted is None or wanted == army.tactic or army.id in battle.ambushed:
            continue
        if tactic_refusal(battle, army, wanted) is None:  # checked when it is adopted
            run.emit(e.TacticChosen(army.id, wanted, True, rule="PF-3.4"))
    conclude(run)


def resolve_phase(run: PhaseRun) -> None:
    """A ranged or melee phase, step by step (PF-3.5)."""
    calm = come_to_blows(run)  # 1 to 5
    if not calm:
        hold_and_trip(run)
    attack(run)  # 6
    if not calm:
        aftereffects(run)  # 7
    weather(run)  # 8
    defeat_and_rout(run)  # 9, 10
    if calm:
        conclude(run)
    else:
        end_phase(run)  # 11


def come_to_blows(run: PhaseRun) -> bool:
    """Steps 1 to 5: everything before armies lay hands on each other. Whether nothing could happen there."""
    if (plan := calm_plan(run)) is not None:
        run.plan = plan
        return True
    carry_out_orders(run)  # 1 to 4
    taunt(run)  # 5
    run.dice.checkpoint()
    plan_attacks(run)
    lost_attacks(run)
    withdraw(run)
    wear_down_walls(run)
    return False


def carry_out_orders(run: PhaseRun) -> None:
    """Steps 1 to 4: what lasts from before, then what every commander wants."""
    linger(run)  # 1
    change_tactics(run)  # 2
    change_strategies(run)  # 3
    run.dice.checkpoint()
    declare(run)  # 4
