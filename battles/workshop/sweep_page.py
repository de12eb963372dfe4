"""Page object of a sweep: its results as a table and as a heat map."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple
from uuid import UUID

from django.http import Http404

from battles.forecast.jobs import get_job_for
from battles.forecast.odds_page import shade_of
from battles.models import Job
from battles.workshop.sweeps import SWEEP, pairings_of
from core import text
from kingdom.models import Campaign, User
from rules.core.odds import EXACT, rounded
from rules.core.text import Said
from rules.odds.questions import Pairing


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
