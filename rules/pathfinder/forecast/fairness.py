"""How lucky the sides of a battle were: its phases with the odds before and after their dice (`rules.fairness`)."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator

from rules.fairness import Chances, Fairness, Moment, fairness
from rules.odds import Odds
from rules.pathfinder.battle.state.battle import PHASES, BattleState
from rules.pathfinder.battle.telling.summary import stage_of

type Foretold = Callable[[BattleState], Odds | None]
type Fought = tuple[BattleState, BattleState]
"""A phase: the battle with its orders given and its dice still to fall, and the battle after it."""


def fairness_of(phases: Iterable[Fought], foretold: Foretold, now: BattleState) -> Fairness:
    """The luck of each side in these phases, first to last, of the battle that stands as `now`.

    `foretold` answers what the odds were at a moment, None where the battle cannot be foretold.
    """
    return fairness(moments(phases, foretold), _end(now))


def moments(phases: Iterable[Fought], foretold: Foretold) -> Iterator[Moment]:
    """Of each ranged and melee phase (dice fall in no other) the chances on both sides of its dice (PF-3.5)."""
    for before, after in phases:
        if before.phase.kind in PHASES and (odds := foretold(before)) is not None:
            yield Moment(stage_of(before.phase), Chances.of(odds), _chances(after, foretold))


def _chances(battle: BattleState, foretold: Foretold) -> Chances:
    if (end := _end(battle)) is not None:
        return end
    odds = foretold(battle)
    assert odds is not None  # it goes on from a phase that could be foretold
    return Chances.of(odds)


def _end(battle: BattleState) -> Chances | None:
    """How the battle ended; a battle broken off without a winner has no result that could have been likely."""
    if battle.result is None or (battle.result.winner is None and battle.result.reason):
        return None
    return Chances.decided(battle.result.winner, len(battle.sides))
