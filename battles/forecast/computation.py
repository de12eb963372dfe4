"""Computation for a request: it waits briefly for the pool; longer computations continue as a job."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from concurrent.futures import CancelledError, Future, wait
from concurrent.futures.process import BrokenProcessPool
from typing import Any

from battles.forecast.job_services import start_job
from battles.forecast.single_flight import Overtaken, WorkerLost, flights
from battles.models import Job
from kingdom.models import Campaign, User
from kingdom.models.base import uuid7
from rules.odds.tasks import GivenUp, Task

WAIT = 0.13  # seconds, so that no request's thread is held for a quarter of a second, even on a slow machine


def submit_tasks(tasks: Sequence[Task], asker: str) -> list[Future[Any]]:
    """Submit tasks and wait briefly. Returns their futures. Raises `TooBusy`."""
    futures = flights.ask(tasks, asker)
    wait(futures, WAIT)
    return futures


def answer_of(future: Future[Any]) -> Any:
    """Return the answer of a finished future. Raises what the work raised, `WorkerLost` or `Overtaken`."""
    try:
        return future.result()
    except BrokenProcessPool as error:
        raise WorkerLost from error
    except (CancelledError, GivenUp) as error:
        raise Overtaken from error


def reckon(
    *,
    by: User,
    kind: str,
    tasks: Sequence[Task],
    question: Mapping[str, Any],
    campaign: Campaign | None = None,
    asker: str = "",
) -> list[Any] | Job:
    """Return the answers in order, or the job that continues.

    `asker` names who asks about what; their earlier question is cancelled. Without it, nothing is. Raises what the work
    raised (a `Refusal`) or `Unanswered`: `TooBusy`, `WorkerLost` or `Overtaken`.
    """
    asker = asker or str(uuid7())
    futures = submit_tasks(tasks, asker)
    if not all(future.done() for future in futures):
        return start_job(
            by=by, kind=kind, tasks=tasks, question=question, campaign=campaign, asker=asker, futures=futures
        )
    return [answer_of(future) for future in futures]
