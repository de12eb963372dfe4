"""Lessons of a battle: the experience troops gain (BP-6, B-50)."""

from __future__ import annotations

from fractions import Fraction
from typing import NamedTuple

from rules.breaking_point.battle.aftermath.tolls import fought
from rules.breaking_point.battle.battle_state import FIGHTING, ROUND, WAITING, WITHDRAWN, BattleNow
from rules.core.text import Term, _


class Lesson(NamedTuple):
    """A result and the points it is worth: `usual`, of a band from `least` to `most` (None: no end)."""

    slug: str
    name: Term
    least: int
    usual: int
    most: int | None


UNFOUGHT = Lesson("no-battle", _("no battle"), 0, 0, 0)
CRUSHING = Lesson("crushing", _("crushing defeat"), 0, 2, 5)
DEFEAT = Lesson("defeat", _("defeat"), 5, 7, 10)
DRAW = Lesson("draw", _("draw"), 10, 12, 15)
MARGINAL = Lesson("marginal", _("marginal victory"), 16, 18, 20)
VICTORY = Lesson("victory", _("victory"), 20, 22, 25)
DECISIVE = Lesson("decisive", _("decisive victory"), 25, 25, None)
ONCE_AND_A_HALF, THREE_TIMES = Fraction(3, 2), 3


def share_lost(battle: BattleNow, side: int) -> Fraction:
    """Of the force a side has had in the battle, what it lost: all of it at most (B-72)."""
    bodies = [body for body in battle.bodies.values() if body.side == side and fought(body)]
    force = sum(body.force for body in bodies)
    return min(Fraction(1), Fraction(sum(body.losses for body in bodies), force)) if force else Fraction(0)


UNHURT = (FIGHTING, WAITING, WITHDRAWN)


def came_to_blows(battle: BattleNow) -> bool:
    """Whether anybody could strike: where a side is away before battle, or all are, there was none (BP-6, B-24)."""
    harmed = any(body.losses > body.brought or body.status not in UNHURT for body in battle.bodies.values())
    return harmed or any(phase.kind == ROUND for phase in battle.phases)


def lessons_of(battle: BattleNow) -> list[Lesson]:
    """By side: the worst loser's share of force lost is set against the victor's (B-50)."""
    if not came_to_blows(battle):
        return [UNFOUGHT] * len(battle.sides)
    winner = battle.result.winner if battle.result else None
    if winner is None:
        return [DRAW] * len(battle.sides)
    others = [side for side in range(len(battle.sides)) if side != winner]
    worst, own = max(share_lost(battle, side) for side in others), share_lost(battle, winner)
    if worst >= THREE_TIMES * own:
        won, lost = DECISIVE, CRUSHING
    else:
        won, lost = (VICTORY if worst >= ONCE_AND_A_HALF * own else MARGINAL), DEFEAT
    return [won if side == winner else lost for side in range(len(battle.sides))]
