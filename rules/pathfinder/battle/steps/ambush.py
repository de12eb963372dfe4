"""The ambush before a battle (PF-3.3, R-17)."""

from __future__ import annotations

from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Ambush
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.catalogue.effects import Situation
from rules.pathfinder.figures import dv_lines, om_lines, total


def spring_ambushes(run: PhaseRun) -> None:
    """Each ambusher rolls once against each target it lies in wait for (PF-3.3, R-17)."""
    for ambush in run.draft.battle.opening.ambushes:
        if run.army(ambush.by).status == "fighting" == run.army(ambush.target).status:
            _spring(run, ambush)
    run.dice.checkpoint()


def _spring(run: PhaseRun, ambush: Ambush) -> None:
    me, foe = run.view(ambush.by), run.view(ambush.target)
    me.tactic = foe.tactic = None
    om, dv = om_lines(Situation(me, foe, deed="ambush")), dv_lines(Situation(foe, me, deed="ambush"))
    roll = run.roll(ambush.by, "ambush", 20)
    check, against = roll.value + total(om), total(dv)
    run.emit(e.Ambushed(ambush.by, ambush.target, (roll,), check, against, check > against, om, dv))
