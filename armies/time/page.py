"""The page on which time passes."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.http import QueryDict

from armies.faces import LifeFace
from armies.time.due import DueLine
from armies.time.forms import TimeForm
from armies.time.life import life_for
from armies.time.selectors import falls_due, last_passage
from kingdom.calendar import Date
from kingdom.models import Campaign, ChronicleEntry, User
from kingdom.selectors import is_gm
from kingdom.text import from_json
from rules.text import Said


@dataclass(frozen=True, slots=True)
class DueDay:
    """A day on which something falls due."""

    day: int
    date: Date
    days: int
    lines: tuple[DueLine, ...]


@dataclass(frozen=True, slots=True)
class TimePage:
    """`offers`: what there is to choose, as the law's life has it for its form."""

    campaign: Campaign
    life: LifeFace
    gm: bool
    due: tuple[DueDay, ...]
    offers: Any
    last: ChronicleEntry | None

    @property
    def last_text(self) -> Said:
        return from_json(self.last.text) if self.last else None  # type: ignore[return-value]

    def form(self, data: QueryDict | None = None) -> TimeForm:
        return self.life.form(self.campaign, self.offers, data)


def time_page(user: User, campaign: Campaign) -> TimePage:
    """The date, what falls due, and for the GM what there is to choose and to take back."""
    gm, life = is_gm(user, campaign), life_for(campaign)
    return TimePage(
        campaign=campaign,
        life=life,
        gm=gm,
        due=_by_day(campaign, falls_due(user, campaign)),
        offers=life.offers(campaign) if gm else None,
        last=last_passage(campaign) if gm else None,
    )


def _by_day(campaign: Campaign, lines: Sequence[DueLine]) -> tuple[DueDay, ...]:
    return tuple(
        DueDay(day, campaign.dates.date(day), day - campaign.day, tuple(found))
        for day, found in groupby(lines, key=lambda line: line.day)
    )
