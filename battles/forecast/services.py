"""Services for forecasts, answered at once or by a job."""

from __future__ import annotations

from typing import Any

from battles.forecast.computation import reckon
from battles.forecast.job_services import start_job, stop_jobs_about
from battles.forecast.queries import FORECAST, NOTHING_AHEAD, PLAYED, Forecast, Foreseen, Wondered
from battles.models import Job
from kingdom.access.decorators import unrestricted
from kingdom.models import Campaign, User
from rules.core.errors import require
from rules.core.odds import Odds, OddsTable
from rules.odds.tasks import Task, suffices

BATTLE = "battle"  # key of the played battle's id in a job's question


@unrestricted("Nothing of the game changes.")
def foretell(
    *,
    by: User,
    foreseen: Foreseen,
    asked: Wondered,
    campaign: Campaign | None = None,
    question: dict[str, Any] | None = None,
    asker: str = "",
) -> Forecast | Job:
    """Return the forecast, or the job that computes it. Raises `InvalidInput` for an impossible question,
    `IllegalCommand` if nothing can be foretold, and the exceptions of `reckon`.
    """
    tasks = foreseen.tasks(asked)
    if foreseen.by_play:
        return _play_out(by, tasks, campaign, question or {}, foreseen)
    found = reckon(by=by, kind=FORECAST, tasks=tasks, question=question or {}, campaign=campaign, asker=asker)
    return found if isinstance(found, Job) else _answer(*found)


def _play_out(by: User, tasks: list[Task], campaign: Campaign | None, question: dict[str, Any], now: Foreseen) -> Job:
    """Start a job that plays the battle. It ends once the chances are certain enough. Their older job on this battle is
    stopped.
    """
    subject = {BATTLE: now.battle}
    stop_jobs_about(by=by, kind=PLAYED, subject=subject)
    return start_job(
        by=by, kind=PLAYED, tasks=tasks, question={**question, **subject}, campaign=campaign, enough=suffices
    )


def _answer(odds: Odds | None, table: OddsTable | None = None) -> Forecast:
    require(odds is not None, NOTHING_AHEAD)
    assert odds is not None
    return Forecast(odds, table)
