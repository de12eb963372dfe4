"""Queries for forecasts and jobs: questions to the ruleset from nothing but what the reader sees, and jobs for whoever
started them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import timedelta
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404
from django.utils import timezone

from battles.codec import storage
from battles.codec.storage import load_odds, load_slice, load_table
from battles.models import Battle, Job
from battles.play import battle_state as play_battle_state
from battles.queries import get_viewer
from core import text
from core.queries import find_one
from kingdom.access.queries import list_campaigns, parse_uuid_or_404
from kingdom.models import User
from rules.core.errors import demand, require
from rules.core.odds import AboutOdds, Odds, OddsLaw, OddsTable, TableKind
from rules.core.text import _
from rules.law import OMNISCIENT, RUNNING, Law, Summary, Viewer
from rules.odds import tasks as playing
from rules.odds.tasks import Task, in_order, odds_from
from rules.odds.viewer_forecast import FieldNow, WhichTable

# Queries for jobs, each visible to whoever started it.

GUISE = "guise"  # key in a question of an impersonating GM: the impersonated user's id
SILENT = timedelta(seconds=30)
GONE = _("The server stopped before this calculation was done. Start it again.")


def get_job_for(user: User, job_id: UUID | str) -> Job:
    """Return their job with its progress. A job whose process is gone is marked as stopped. Raises Http404."""
    job = find_one(Job.objects.filter(pk=parse_uuid_or_404(job_id), owner=user.account))
    if (
        job is None
        or job.question.get(GUISE, str(user.account.pk)) != str(user.pk)
        or not _within(user, job.campaign_id)
    ):
        raise Http404
    if job.running and job.beat_at < timezone.now() - SILENT:
        job.state, job.trouble = Job.Status.STOPPED, text.dump_said(GONE)
    return job


def _within(user: User, campaign_id: UUID | None) -> bool:
    """Whether the user may see jobs of this campaign. A job without a campaign is hidden from tokens bound to one."""
    if campaign_id is None:
        return user.bound_to is None
    return list_campaigns(user).filter(pk=campaign_id).exists()


def list_results(job: Job) -> list[Any]:
    """Return the answers in the order of the tasks, None if there is none yet."""
    found: list[Any] = [None] * job.of
    for place, answer in job.results.values_list("place", "answer"):
        found[place] = answer
    return found


# Queries for forecasts: questions to the ruleset, from nothing but what the reader sees.

NO_FORECAST = _("This ruleset has no forecasts.")
NOTHING_AHEAD = _("This battle has no forecast at the moment.")
NOTHING_SUPPOSED = _("In this ruleset battles are played out from their current state: leave assumptions out.")
FORECAST, PLAYED = "forecast", "played"
"""Kinds of their jobs."""
SLICE = "rules.odds.tasks.play_slice"
ODDS, TABLE = "rules.odds.viewer_forecast.odds_of", "rules.odds.viewer_forecast.table_of"


@dataclass(frozen=True)
class Wondered:
    """A forecast question as requested: the odds to compute, and the table of choices."""

    about: AboutOdds
    table: WhichTable | None = None


@dataclass(frozen=True)
class Foreseen:
    """Subject of a forecast: a battle's state and its viewer. `name` is a stable key of the state and the viewer's
    knowledge. `battle` is its id, "" for a hypothetical one. `undecided`: see `AboutOdds`.
    """

    now: FieldNow
    state: Any
    summary: Summary
    viewer: Viewer
    name: str
    battle: str = ""
    undecided: frozenset[str] = frozenset()

    @property
    def law(self) -> OddsLaw:
        return self.now.battle.forecast

    @property
    def open(self) -> bool:
        """Whether it can be foretold: the battle is running."""
        return self.summary.status == RUNNING

    @property
    def by_play(self) -> bool:
        """Whether its odds are computed by playing it out many times, which takes seconds."""
        return self.law.by_play

    def tasks(self, asked: Wondered) -> list[Task]:
        """Return the tasks of a question: the odds and a table if wanted, or battles to play. Raises `IllegalCommand`
        for a battle that is not running, and what `check` raises.
        """
        self.check(asked)
        require(self.open, NOTHING_AHEAD)
        if self.by_play:
            return self._slices(asked.about.seed)
        about = replace(asked.about, undecided=self.undecided)
        key = f"{self.name} {self._told(about)}"
        found = [Task(ODDS, (self.now, about, self.viewer), key)]
        if (table := asked.table) is not None:
            arguments = (self.now, table, about, self.viewer)
            found.append(Task(TABLE, arguments, f"{key} {table.kind} {table.row} {table.column}"))
        return found

    def _slices(self, seed: int) -> list[Task]:
        parts = playing.SLICES
        return [Task(SLICE, (self.now, self.viewer, seed, part), f"{self.name} {seed} {part}") for part in parts]

    def check(self, asked: Wondered) -> None:
        """Raise `InvalidInput` for an unknown army or table and, if battles are played, for any assumption."""
        if self.by_play:
            self._check_nothing_supposed(asked)
        about, armies = asked.about, self.summary.armies
        named = [("/until/hp", army) for army in about.until] + [("/withdraw", army) for army in about.retreats]
        for at, army in named:
            demand(army in armies, _("This army isn’t in this battle."), field=f"{at}/{army}"[:160])
        if (table := asked.table) is not None:
            self._check_table(table)

    def _check_nothing_supposed(self, asked: Wondered) -> None:
        about = asked.about
        supposed = {
            "/orders": about.commands, "/until": about.phases or about.until, "/withdraw": about.retreats,
            "/unknown": about.unknown != "average", "/table": asked.table,
        }  # fmt: skip
        for at, given in supposed.items():
            demand(not given, NOTHING_SUPPOSED, field=at)

    def kinds(self, row: str, column: str) -> Sequence[TableKind]:
        """Return the tables of these two armies. They depend only on what the viewer knows."""
        if self.by_play:
            return ()
        guess = self.law.guesses(self.state, self.viewer)[0].state
        return self.law.table_kinds(guess, row, column)

    def usual_table(self) -> WhichTable:
        """Return the default table: the viewer's first army on the field, else any, against its first enemy."""
        demand(not self.by_play, NOTHING_SUPPOSED, field="/matrix")
        standing = [army for army in self.summary.armies.values() if army.fighting]
        own = [army for army in standing if army.id in self.viewer.armies]
        row = next(iter([*own, *standing]), None)
        column = next((army for army in standing if row is not None and army.side != row.side), None)
        kinds = self.kinds(row.id, column.id) if row and column else ()
        require(kinds, NOTHING_AHEAD)
        assert row is not None
        assert column is not None
        return WhichTable(kinds[0].slug, row.id, column.id)

    def _check_table(self, table: WhichTable) -> None:
        armies = self.summary.armies
        for name, army in (("row", table.row), ("column", table.column)):
            demand(army in armies, _("This army isn’t in this battle."), field=f"/table/{name}")
        enemies = armies[table.row].side != armies[table.column].side
        demand(enemies, _("Choose an army and one of its enemies."), field="/table/column")
        known = [kind.slug for kind in self.kinds(table.row, table.column)]
        demand(table.kind in known, _("Choose one of: {known}."), field="/table/kind", known=", ".join(known) or "–")

    def _told(self, about: AboutOdds) -> str:
        """Return the question in its one spelling, so that equal questions share an answer."""
        keeper = storage.get_keeper(self.now.battle)
        told = {
            "commands": [keeper.dump_command(command) for command in about.commands],
            "until": dict(about.until),
            "retreats": {army: list(retreat) for army, retreat in about.retreats.items()},
            "undecided": sorted(about.undecided),
            "rest": [about.phases, about.unknown, about.battles, about.seed],
        }
        return json.dumps(told, sort_keys=True)


def load_foreseen(user: User, battle: Battle, viewer: Viewer | None = None) -> Foreseen:
    """Return the subject for a loaded battle and a member of its campaign, or another viewer."""
    state = play_battle_state.load_state(battle)
    viewer = viewer or get_viewer(user, battle, state)
    law = play_battle_state.get_engine(battle).forecast
    require(law.known or law.by_play, NO_FORECAST)
    seen = play_battle_state.view_state(battle, state, viewer)
    name = f"{battle.revision} {viewer.knowledge}"
    now, left = play_battle_state.build_field(battle, state), play_battle_state.left_to_the_engine(battle)
    waiting = (awaited.army for awaited in seen.summary.waiting_for if viewer.commands(awaited.army))
    undecided = frozenset(army for army in waiting if seen.summary.armies[army].side not in left)
    return Foreseen(now, seen.state, seen.summary, viewer, name, str(battle.pk), undecided)


def build_foreseen_opening(law: Law, house: Mapping[str, Any], opening: Any, name: UUID | str) -> Foreseen:
    """Return the subject for a hypothetical battle, of which the asker knows everything."""
    require_supposing(law)
    state = law.battle.forecast.begun(law.battle.open(opening))
    now = FieldNow(law.slug, house, opening, law.battle.freeze(state))
    return Foreseen(now, state, law.battle.summary(state), OMNISCIENT, str(name))


def require_supposing(law: Law) -> None:
    """Raise `IllegalCommand` if the law foretells no hypothetical battles."""
    forecast = law.battle.forecast
    require(forecast.known or forecast.by_play, NO_FORECAST)
    require(forecast.known, _("This ruleset only forecasts running battles of a campaign."))


class Forecast(NamedTuple):
    """Answer of a forecast. `table` is present if it was asked for and exists."""

    odds: Odds
    table: OddsTable | None = None


def forecast_of(results: Sequence[Any]) -> Forecast | None:
    """Return the forecast from a job's results; None without odds."""
    if not results or results[0] is None:
        return None
    odds = load_odds(results[0])
    return None if odds is None else Forecast(odds, load_table(results[1]) if len(results) > 1 else None)


def forecast_played(results: Sequence[Any]) -> Forecast | None:
    """Return the forecast from the battles played so far; None without any."""
    odds = odds_from(in_order([load_slice(part) for part in results]))
    return None if odds is None else Forecast(odds)


def get_forecast_of(job: Job) -> Forecast | None:
    """Return a job's forecast so far. One query."""
    return (forecast_played if job.kind == PLAYED else forecast_of)(list_results(job))
