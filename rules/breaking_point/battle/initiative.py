"""Initiative: the order in which sides strike (BP-4.1, B-21)."""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache

AHEAD = 2
"""Who is ahead by so much strikes first, or gets away."""


def steps_of(scores: Sequence[int | None]) -> tuple[tuple[int, ...], ...]:
    """Sides by falling score; one that is less than `AHEAD` behind the leader of a step strikes with them."""
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
    """The same with every side: who has no score (the GM called it back) strikes last."""
    steps = steps_of(scores)
    last = tuple(side for side, score in enumerate(scores) if score is None)
    return (*steps, last) if last else steps
