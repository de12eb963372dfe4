"""A melee phase in which nothing can happen but blows, weather, defeat and rout: most of them.

Steps 1 to 5, what damage leaves behind and the end of the phase act only on orders, marks, walls and a few
traits. Where none of these is on the field the steps have nothing to do and are left out: the events are the
same (`tests/rules/test_calm.py`), at a third of the cost.
"""

from __future__ import annotations

from rules.pathfinder.battle.state.battle_state import FIGHTING, MELEE
from rules.pathfinder.battle.steps.run import PhaseRun, PlannedAttacks
from rules.pathfinder.catalogue import traits as t


def calm_plan(run: PhaseRun) -> PlannedAttacks | None:
    """Every army attacks whom it attacked before; None when anything else could happen."""
    battle, armies = run.draft.battle, run.draft.armies
    if run.orders or battle.forts or run.phase.kind != MELEE:
        return None
    tactics = battle.law.tactics
    plan: PlannedAttacks = []
    for army in run.draft.on_field():
        foe = armies.get(army.target) if army.target else None
        if foe is None or foe.status != FIGHTING or foe.side == army.side:
            return None
        if army.marks or army.hp == 0 or army.profile.acts:
            return None
        if army.tactic != "standard" and not t.ACTS.isdisjoint(tactics[army.tactic].traits):
            return None
        plan.append((army.id, foe.id, "melee"))
    return plan
