"""Reach and initiative: which bodies can be attacked, and the order in which sides strike."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

from rules.breaking_point.battle.state.battle_state import FIGHTING, FLEET, BattleNow, Body
from rules.breaking_point.spec import RANGES

# Reach of a body: cover, range and support (B-25, B-26, B-65).

ATTACK = "attack"


def covered(battle: BattleNow, body: Body) -> bool:
    """Whether another standing body of its side, not a shooting group, covers a shooting group (B-25, B-70). Distant
    support covers nobody (B-65).
    """
    return body.shoots_only and any(
        other.side == body.side and other.status == FIGHTING and not other.shoots_only and not other.formation.support
        for other in battle.bodies.values()
    )


def why_out_of_reach(battle: BattleNow, body: Body, target: Body, do: str) -> str:
    """Return why a body cannot attack or shoot at this one on the field, as a slug of `telling`, or ""."""
    if target.formation.support:
        return "support"
    if battle.kind == FLEET or not covered(battle, target):
        return ""
    if do == ATTACK:
        return "covered"
    return "" if reach_of(body) >= reach_of(target) else "range"


def reach_of(body: Body) -> int:
    reach = body.formation.range
    return RANGES.index(reach) if reach else -1


# Initiative: the order in which sides strike (BP-4.1, B-21).

AHEAD = 2
"""Margin by which a side strikes first, or gets away."""


def steps_of(scores: Sequence[int | None]) -> tuple[tuple[int, ...], ...]:
    """Return sides by descending score. A side less than `AHEAD` behind the leader of a step strikes with it."""
    left = sorted((side for side, score in enumerate(scores) if score is not None), key=lambda side: -_of(scores, side))
    steps: list[tuple[int, ...]] = []
    while left:
        leader = _of(scores, left[0])
        together = [side for side in left if leader - _of(scores, side) < AHEAD]
        steps.append(tuple(sorted(together)))
        left = [side for side in left if side not in together]
    return tuple(steps)


def _of(scores: Sequence[int | None], side: int) -> int:
    return scores[side] or 0


@lru_cache(maxsize=1024)
def order_of_sides(scores: tuple[int | None, ...]) -> tuple[tuple[int, ...], ...]:
    """Return the striking order of all sides. Sides without a score, which the GM called back, strike last."""
    steps = steps_of(scores)
    last = tuple(side for side, score in enumerate(scores) if score is None)
    return (*steps, last) if last else steps
