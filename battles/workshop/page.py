"""Page objects of the odds workshop: one question with its answers, and a sweep as a table and a heat map."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from concurrent.futures import Future
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404

from battles.forecast.computation import answer_of, submit_tasks
from battles.forecast.odds_page import CauseChart, Histogram, Segment, ShownTable, explain_rounding, shade_of, shares_of
from battles.forecast.queries import get_job_for
from battles.forecast.single_flight import Overtaken, Unanswered
from battles.models import Job
from battles.ruleset_ui import Bench, WorkshopUI, find_battle_ui
from battles.workshop.sweeps import SWEEP, pairings_of
from core import text
from kingdom.access.queries import get_campaign_for, is_gm
from kingdom.models import Campaign, User
from rules.core.errors import Refusal
from rules.core.odds import EXACT, AboutOdds, Odds, OddsTable, rounded
from rules.core.text import Said
from rules.odds.tasks import Explained, Meeting, Pairing, Task

# Page object of the odds workshop: the question in its address, and the answers so far.

ABOUT = AboutOdds()
PENDING = object()
ODDS, TABLE, EXPLAINED = (
    "rules.odds.tasks.odds_of",
    "rules.odds.tasks.table_of",
    "rules.odds.tasks.explained",
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
    """Workshop UI of the campaign's ruleset; None if it has no workshop or no battles."""
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


# Page object of a sweep: its results as a table and as a heat map.


class HeatField(NamedTuple):
    """Field of the heat map. `pairing`: None where it is not known yet, or where an army would meet itself."""

    pairing: Pairing | None
    shade: int = 0


class SweepRow(NamedTuple):
    """Row of the heat map. `mean`: mean of the army's known chances to win, 0 to 1; None without any."""

    id: str
    name: str
    fields: tuple[HeatField, ...]
    mean: float | None


@dataclass(frozen=True)
class SweepPage:
    campaign: Campaign
    job: Job

    @cached_property
    def names(self) -> dict[str, str]:
        return dict((*self.job.question["rows"], *(self.job.question["columns"] or ())))

    @cached_property
    def pairings(self) -> list[Pairing]:
        return pairings_of(self.job)

    @property
    def columns(self) -> list[list[str]]:
        """Id and name of each army in the heading of the heat map."""
        found: list[list[str]] = self.job.question["columns"] or self.job.question["rows"]
        return found

    @property
    def trouble(self) -> Said | None:
        return text.load_said(self.job.trouble) if self.job.trouble else None

    @property
    def single(self) -> bool:
        return len(self.job.question["rows"]) == 1

    @cached_property
    def rows(self) -> list[SweepRow]:
        """Rows of the heat map, the strongest army first."""
        known = {(pairing.first, pairing.second): pairing for pairing in self.pairings}
        rows = []
        for pk, name in self.job.question["rows"]:
            fields = tuple(_field(known.get((pk, other))) for other, _name in self.columns)
            wins = [field.pairing.win for field in fields if field.pairing]
            rows.append(SweepRow(pk, name, fields, sum(wins) / len(wins) if wins else None))
        return sorted(rows, key=lambda row: -(row.mean or 0.0))

    @property
    def told(self) -> list[tuple[str, str, Pairing]]:
        """Names and odds of each pair, the highest chances to win first."""
        found = [(self.names[one.first], self.names[one.second], one) for one in self.pairings]
        return sorted(found, key=lambda meeting: -meeting[2].win)

    @property
    def thrown(self) -> int:
        """Number of pairs that were simulated rather than computed exactly."""
        return sum(pairing.method != EXACT for pairing in self.pairings)

    def cells(self) -> Iterator[tuple[object, ...]]:
        """Rows of the CSV file."""
        for first, second, one in self.told:
            chances = (round(rounded(chance), 6) for chance in (one.win, one.lose, one.mutual, one.undecided))
            yield (first, second, *chances, round(one.phases, 2), one.method, round(one.error, 4))


def _field(pairing: Pairing | None) -> HeatField:
    return HeatField(None) if pairing is None else HeatField(pairing, shade_of(pairing.win))


def sweep_page(user: User, campaign: Campaign, job_id: UUID) -> SweepPage:
    """The user's own sweep in this campaign. Raises `Http404`."""
    job = get_job_for(user, job_id)
    if job.kind != SWEEP or job.campaign_id != campaign.pk:
        raise Http404
    return SweepPage(campaign, job)
