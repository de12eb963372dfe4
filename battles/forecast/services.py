"""Services for forecasts: answered at once, or by a job."""

from __future__ import annotations

from typing import Any

from battles.forecast.computation import reckon
from battles.forecast.queries import NOTHING_AHEAD, Forecast, Foreseen, Wondered
from battles.models import Job
from kingdom.access.decorators import unrestricted
from kingdom.models import Campaign, User
from rules.core.errors import require
from rules.core.odds import Odds, OddsTable

FORECAST = "forecast"  # the kind of its jobs


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
    """Raises `InvalidInput` for what cannot be asked, `IllegalCommand` where there is nothing to foretell, and what
    `reckon` raises.
    """
    tasks = foreseen.tasks(asked)
    found = reckon(by=by, kind=FORECAST, tasks=tasks, question=question or {}, campaign=campaign, asker=asker)
    return found if isinstance(found, Job) else _answer(*found)


def _answer(odds: Odds | None, table: OddsTable | None = None) -> Forecast:
    require(odds is not None, NOTHING_AHEAD)
    assert odds is not None
    return Forecast(odds, table)
