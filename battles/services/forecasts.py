"""A forecast asked for: answered at once, or by a job."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from battles.codec.odds import load_odds, load_table
from battles.models import Job
from battles.reckoning import reckon
from battles.selectors.odds import NOTHING_AHEAD, Foreseen, Wondered
from kingdom.models import Campaign, User
from kingdom.warrants import freely
from rules.errors import require
from rules.odds import Odds, OddsTable

FORECAST = "forecast"  # the kind of its jobs


class Forecast(NamedTuple):
    """The answer. `table` where one was asked for and there is one."""

    odds: Odds
    table: OddsTable | None = None


@freely("Nothing of the game changes.")
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


def forecast_of(results: Sequence[Any]) -> Forecast | None:
    """What a job of this kind came to; None while there are no odds."""
    if not results or results[0] is None:
        return None
    odds = load_odds(results[0])
    return odds and Forecast(odds, load_table(results[1]) if len(results) > 1 else None)


def _answer(odds: Odds | None, table: OddsTable | None = None) -> Forecast:
    require(odds is not None, NOTHING_AHEAD)
    assert odds is not None
    return Forecast(odds, table)
