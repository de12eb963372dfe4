"""Queries for planned income and costs, as pages show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.http import Http404

from kingdom.models import Kingdom
from kingdom.models.calendar import Date
from rules.core.text import Said
from rules.planned import RHYTHMS, PlannedLine


class ShownLine(NamedTuple):
    """A line with the next day it is due; None if that is in none of the coming weeks, or never."""

    line: PlannedLine
    next_day: int | None
    next_date: Date | None
    over: bool


class Planned(NamedTuple):
    """The planned lines, and `sums`: the total (BP) of the active lines by week and by month."""

    lines: tuple[ShownLine, ...]
    sums: Mapping[Said, int]


def planned_of(kingdom: Kingdom) -> Planned:
    lines = tuple(_shown(kingdom, line) for line in kingdom.planned_lines)
    held = [shown.line for shown in lines if not shown.over]
    sums = {name: sum(line.amount for line in held if line.every == slug) for slug, name in RHYTHMS.items()
            if any(line.every == slug for line in held)}  # fmt: skip
    return Planned(lines, sums)


def planned_line(kingdom: Kingdom, line: str) -> PlannedLine:
    """Return the line with this id. Raises Http404."""
    found = next((one for one in kingdom.planned_lines if one.id == line), None)
    if found is None:
        raise Http404
    return found


def _shown(kingdom: Kingdom, line: PlannedLine) -> ShownLine:
    campaign = kingdom.campaign
    day = line.next_day(campaign.day, campaign.dates.next_month(campaign.day))
    return ShownLine(line, day, None if day is None else campaign.dates.date(day), line.over(campaign.day))
