"""What the engine would order the sides it commands: asked of the pool, and waited for a moment."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from concurrent.futures import CancelledError, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from battles.flights import flights
from battles.models import Battle
from battles.reckoning import WAIT, Lost
from battles.selectors.opponents import SideHead, task_of
from rules.odds import Proposal

type Counsel = Mapping[int, tuple[Proposal, ...]]


def counsel(battle: Battle, state: Any, heads: Iterable[SideHead]) -> Counsel | None:
    """By side, what the engine would order; None where it takes longer. Who asks again finds what was reckoned since.

    Raises `Lost`, `TooBusy` and what the law refuses.
    """
    heads = tuple(heads)
    tasks = [task_of(battle, state, head) for head in heads]
    futures = flights.ask(tasks, f"counsel {battle.pk} {[head.side for head in heads]}")
    wait(futures, WAIT)
    if not all(future.done() for future in futures):
        return None
    try:
        return {head.side: future.result() for head, future in zip(heads, futures, strict=True)}
    except (BrokenProcessPool, CancelledError) as error:
        raise Lost from error
