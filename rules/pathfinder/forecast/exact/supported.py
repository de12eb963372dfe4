"""Checks of what the exact forecast supports. Everything else is refused."""

from __future__ import annotations

from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import ArmyInBattle, BattleState
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.battle.steps.strike import frightens, paralyses
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Fact


class NotUnderstood(Exception):
    """Raised if the two armies' chains would not be independent. The argument names the reason."""


REFUSED_MARKS = frozenset({"last-stand", "doomed", "leaving", "surrendering"})
CHECKS = frozenset({"tactic", "strategy"})
"""Rolls of steps 1 to 5 that decide something for good."""

FORESEEN = (
    e.TacticChosen, e.StrategyChosen, e.TargetChosen, e.Used, e.Marked, e.Unmarked, e.Healed, e.ConditionSet,
    e.ShapeTaken, e.ShapeEnded, e.AttackLost, e.TauntChecked,
)  # fmt: skip


def check_army(battle: BattleState, army: ArmyInBattle) -> None:
    """Refuse an army that would make the chains depend on each other, by its marks or traits."""
    if army.lost_hp or any(mark.kind in REFUSED_MARKS for mark in army.marks):
        raise NotUnderstood("its marks")
    for trait in (t.FEROCIOUS, t.SPAWNS):
        if trait in army.profile.traits:
            raise NotUnderstood(trait)


def check_run(run: PhaseRun) -> None:
    """Refuse a phase in which more happens before the blows than changes of stance and declared uses."""
    for event in run.draft.happened:
        if not isinstance(event, FORESEEN):
            raise NotUnderstood(type(event).__name__)
        if isinstance(event, e.Marked) and event.mark.kind in REFUSED_MARKS:
            raise NotUnderstood(event.mark.kind)


def check_pair(me: ArmyView, foe: ArmyView) -> None:
    """Refuse attacks whose after-effects would change the other chain."""
    mine, other = me.profile, foe.profile
    if Fact.BLOODIED in me.reads:
        raise NotUnderstood("bloodied")
    if frightens(me, foe) and t.MINDLESS not in other.traits:
        raise NotUnderstood("fear")
    if mine.works(t.DRAINS, other) or paralyses(me, foe):
        raise NotUnderstood("weakened by every wound")
    if me.has(t.BREAKS_SIEGE) and foe.army.engines:
        raise NotUnderstood("siegebreaker")
    if t.REGENERATES in mine.traits and t.REGENERATES in other.traits:
        raise NotUnderstood("both regenerate")
    if mine.works(t.FLIES, other) and t.FLIES not in other.traits:
        raise NotUnderstood("flight")
