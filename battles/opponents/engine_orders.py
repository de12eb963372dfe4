"""Engine orders for the sides the computer plays: asked of the pool, and waited for a moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from battles.forecast.computation import answer_of, submit_tasks
from battles.models import Battle
from battles.opponents.queries import SideHead, task_of
from rules.core.odds import Proposal

type Counsel = Mapping[int, tuple[Proposal, ...]]


def counsel(battle: Battle, state: Any, heads: Iterable[SideHead]) -> Counsel | None:
    """By side, what the engine would order; None where it takes longer. Who asks again finds what was reckoned since.

    Raises `Unanswered` and what the law refuses.
    """
    heads = tuple(heads)
    tasks = [task_of(battle, state, head) for head in heads]
    futures = submit_tasks(tasks, f"counsel {battle.pk} {[head.side for head in heads]}")
    if not all(future.done() for future in futures):
        return None
    return {head.side: answer_of(future) for head, future in zip(heads, futures, strict=True)}
