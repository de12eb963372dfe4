"""Page object of the odds workshop: the question in its address, and the answers so far."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from typing import Any
from uuid import UUID

from django.http import Http404

from battles.forecast.computation import answer_of, submit_tasks
from battles.forecast.odds_page import CauseChart, Histogram, ShownTable, explain_rounding, shares_of
from battles.forecast.single_flight import Overtaken, Unanswered
from battles.forecast.words import Segment
from battles.ruleset_ui import Bench, WorkshopUI, find_battle_ui
from kingdom.access.queries import get_campaign_for, is_gm
from kingdom.models import Campaign, User
from rules.core.errors import Refusal
from rules.core.odds import EXACT, AboutOdds, Odds, OddsTable
from rules.core.text import Said
from rules.odds.questions import Explained, Meeting
from rules.odds.tasks import Task

ABOUT = AboutOdds()
PENDING = object()
ODDS, TABLE, EXPLAINED = (
    "rules.odds.questions.odds_of",
    "rules.odds.questions.table_of",
    "rules.odds.questions.explained",
)


def get_workshop(user: User, campaign_id: UUID) -> tuple[Campaign, WorkshopUI]:
    """The campaign and its ruleset's workshop. Raises `Http404` for strangers and for rulesets without one."""
    campaign = get_campaign_for(user, campaign_id)
    workshop = _ui(campaign)
    if workshop is None:
        raise Http404
    return campaign, workshop


def has_workshop(campaign: Campaign) -> bool:
    return _ui(campaign) is not None


def _ui(campaign: Campaign) -> WorkshopUI | None:
    """None where the ruleset has no workshop, or no battles."""
    ui = find_battle_ui(campaign)
    return None if ui is None else ui.workshop


@dataclass(frozen=True)
class Answers:
    """Answers about a meeting so far. `pending`: more are being calculated; `trouble`: why there are none."""

    first: str
    second: str
    ids: tuple[str, str]
    odds: Odds | None = None
    explained: Explained | None = None
    tables: tuple[OddsTable, ...] = ()
    pending: bool = False
    trouble: Said | None = None

    @property
    def shares(self) -> list[Segment]:
        return shares_of(self.odds) if self.odds else []

    @property
    def rounded(self) -> Said | None:
        """A note where the rounded chances do not add up to 100 %; None otherwise."""
        return explain_rounding(self.odds, 1 if self.odds.method == EXACT else 0) if self.odds else None

    @property
    def histogram(self) -> Histogram | None:
        return Histogram.of(self.odds, self.ids) if self.odds else None

    @property
    def causes(self) -> CauseChart | None:
        return CauseChart.of(self.explained.causes, self.ids[0]) if self.explained else None

    @property
    def shown_tables(self) -> list[ShownTable]:
        return [ShownTable.of(table, self.first, self.second) for table in self.tables]


@dataclass(frozen=True)
class WorkshopPage:
    """The odds workshop. `address`: the query string of the same question."""

    campaign: Campaign
    ui: WorkshopUI
    bench: Bench
    answers: Answers | None
    may_set_up: bool
    address: str

    @property
    def setup(self) -> str:
        return self.bench.setup if self.may_set_up and self.answers else ""


def workshop_page(user: User, campaign_id: UUID, data: Any) -> WorkshopPage:
    """The question in the query `data`, with as many of the answers as a page waits for."""
    campaign, ui = get_workshop(user, campaign_id)
    bench = ui.bench(user, campaign, data)
    answers = None
    if bench.meeting is not None:
        answers = answers_to(bench.meeting, bench.ids, bench.names, ui.tables, asker=f"workshop {user.pk}")
    return WorkshopPage(campaign, ui, bench, answers, is_gm(user, campaign), data.urlencode())


def answers_to(
    meeting: Meeting, ids: tuple[str, str], names: Mapping[str, str], tables: Iterable[str], *, asker: str
) -> Answers:
    tasks = tasks_of(meeting, ids, tables)
    blank = Answers(names[ids[0]], names[ids[1]], ids)
    try:
        known = [_so_far(future) for future in submit_tasks(tasks, asker)]
    except Refusal as refusal:
        return replace(blank, trouble=refusal.message)
    except Unanswered as error:
        return replace(blank, pending=True, trouble=error.said)
    pending = PENDING in known  # Decided here, since a future may be done by the next look.
    odds, explained, *shown = (None if answer is PENDING else answer for answer in known)
    return replace(blank, odds=odds, explained=explained, tables=tuple(filter(None, shown)), pending=pending)


def _so_far(future: Future[Any]) -> Any:
    with suppress(Overtaken):  # the page asks again
        if future.done():
            return answer_of(future)
    return PENDING


def tasks_of(meeting: Meeting, ids: tuple[str, str], tables: Iterable[str]) -> list[Task]:
    """Tasks of the pool for a meeting: the odds, their explanation, and the tables."""
    key = hashlib.sha256(repr(meeting).encode()).hexdigest()
    kinds: Sequence[str] = tuple(tables)
    return [
        Task(ODDS, (meeting, ABOUT), f"{key} odds"),
        Task(EXPLAINED, (meeting, ABOUT), f"{key} explained"),
        *(Task(TABLE, (meeting, kind, *ids, ABOUT), f"{key} {kind}") for kind in kinds),
    ]
