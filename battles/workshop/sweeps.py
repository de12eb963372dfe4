"""Sweeps of the odds workshop: armies that can be compared, tasks of a sweep, results."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from armies.forces.access import list_armies
from armies.models import Army
from armies.ruleset_ui import get_army_ui
from battles.codec.storage import load_pairing
from battles.forecast.job_services import start_job
from battles.forecast.queries import list_results
from battles.models import Job
from battles.ruleset_ui import get_battle_ui
from kingdom.access.decorators import unrestricted
from kingdom.models import Campaign, User
from kingdom.models.base import Natural, uuid7
from kingdom.realms.figures import get_ruleset
from rules.core.errors import Refusal, demand
from rules.core.odds import AboutOdds
from rules.core.text import _
from rules.law import WorkshopLaw
from rules.odds.tasks import Pairing, SweepPart, Task, mirrored
from rules.registry import ruleset

SWEEP = "sweep"  # kind of its jobs
SWEPT = "rules.odds.tasks.swept_together"
MOST_ARMIES = 300


class Entrant(NamedTuple):
    """An army of a sweep: its name there, and the ruleset's document."""

    id: str
    name: str
    document: Any


class Named(NamedTuple):
    """An army that can be chosen; `ready`: whether it could fight today."""

    id: str
    name: str
    kingdom: str
    ready: bool = True


@dataclass(frozen=True)
class Sweep:
    """Sweep: each army of `rows` against each of `columns`. For every army against every other, `columns` is `rows`
    itself.

    `field`: the ruleset's ground. `house`: the campaign's house rules.
    """

    law: str
    house: Mapping[str, Any]
    rows: Sequence[Entrant]
    columns: Sequence[Entrant]
    field: Any = ()

    @property
    def every(self) -> bool:
        return self.rows is self.columns

    def check(self) -> None:
        """Raises `InvalidInput` where there are too few armies, or too many pairs."""
        demand(self.rows and self.columns, _("Choose an army and at least one other."), field="/against")
        demand(not self.every or len(self.rows) > 1, _("Choose at least two armies."), field="/against")
        pairs = sum(len(against) for _row, against in self._meetings())
        most = self.by.most_pairs
        demand(
            pairs <= most,
            _("Too many comparisons at once: at most {most}. Choose fewer armies."),
            field="/against",
            most=most,
        )

    def _meetings(self) -> Iterable[tuple[Entrant, Sequence[Entrant]]]:
        """Each army with its opponents. Of every army against every other each pair comes once."""
        for at, row in enumerate(self.rows):
            yield row, self.columns[at + 1 :] if self.every else [one for one in self.columns if one.id != row.id]

    @property
    def by(self) -> WorkshopLaw:
        return ruleset(self.law, self.house).workshop

    def tasks(self, name: str) -> list[Task]:
        """Tasks of the sweep. `name` is part of their cache keys, so it must be unique."""
        about = AboutOdds(battles=self.by.swept)
        return [Task(SWEPT, (tuple(parts), about), f"{name} {at}") for at, parts in enumerate(self._pieces())]

    def _pieces(self) -> Iterator[list[SweepPart]]:
        """Parts of the pairs, of equal size, made of rows and parts of rows."""
        piece: list[SweepPart] = []
        room = at_once = self.by.at_once
        for row, against in self._meetings():
            rest = against
            while rest:
                piece.append(self._part(row, rest[:room]))
                rest, room = rest[room:], room - len(rest[:room])
                if not room:
                    yield piece
                    piece, room = [], at_once
        if piece:
            yield piece

    def _part(self, row: Entrant, against: Sequence[Entrant]) -> SweepPart:
        others = tuple((one.id, one.document) for one in against)
        return SweepPart(self.law, self.house, (row.id, row.document), others, self.field)

    def question(self) -> dict[str, Any]:
        """Data from which a page draws the results: ids and names."""
        columns = None if self.every else [[one.id, one.name] for one in self.columns]
        return {"rows": [[one.id, one.name] for one in self.rows], "columns": columns}


def list_entrants(user: User, campaign: Campaign, ids: Collection[UUID] | None = None) -> list[Entrant]:
    """The standing armies whose sheets the user may read, by kingdom: those with these ids, or all. Armies that the
    ruleset refuses are left out.
    """
    ui, rows = get_battle_ui(get_ruleset(campaign)), _readable(user, campaign)
    if ids is not None:
        rows = rows.filter(pk__in=ids)
    found = []
    for army in rows[:MOST_ARMIES]:
        army.campaign = campaign
        try:
            found.append(Entrant(str(army.pk), army.name, ui.document(army)))
        except Refusal:
            continue
    return found


def names_of(user: User, campaign: Campaign, most: int | None = None) -> list[Named]:
    """Names of these armies, of the first `most` where given."""
    listed = _readable(user, campaign)[:most].values_list("pk", "name", "kingdom__name", "status")
    return [Named(str(pk), name, kingdom, status == Army.Status.READY) for pk, name, kingdom, status in listed]


def by_kingdom(names: Iterable[Named]) -> list[tuple[str, list[tuple[str, str]]]]:
    """Choices of a select field: (id, name) of each army, grouped by kingdom."""
    grouped = groupby(names, lambda named: named.kingdom)
    return [(kingdom, [(named.id, named.name) for named in rows]) for kingdom, rows in grouped]


def _readable(user: User, campaign: Campaign) -> QuerySet[Any]:
    """The standing armies whose sheets the user may read, by kingdom and name."""
    kind = get_army_ui(campaign).army
    rows = list_armies(user, campaign, kind).filter(status__in=kind.STANDING)
    return rows.order_by(Natural("kingdom__name"), Natural("name"), "id")


def pairings_of(job: Job) -> list[Pairing]:
    """Results so far, in the order of the tasks. Of every army against every other each pair is given both ways
    round.
    """
    found = [load_pairing(pairing) for piece in list_results(job) if piece for pairing in piece]
    return found + [mirrored(pairing) for pairing in found] if job.question.get("columns") is None else found


# Sweeps run as jobs, on this machine or on a cluster.


@unrestricted("Nothing of the game changes.")
def start_sweep(*, by: User, sweep: Sweep, campaign: Campaign | None = None) -> Job:
    """Starts the sweep as a job. Raises `InvalidInput` where there are too few armies, or too many pairs."""
    sweep.check()
    tasks = sweep.tasks(str(uuid7()))
    return start_job(by=by, kind=SWEEP, tasks=tasks, question=sweep.question(), campaign=campaign, far=True)
