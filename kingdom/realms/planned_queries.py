"""Queries for planned income and costs, as pages show them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.http import Http404

from core.clean_input import BP_MAX, LAST_DAY, REASON_MAX, clean_optional_whole, clean_slug, clean_text, clean_whole
from kingdom.models import Kingdom
from kingdom.models.calendar import Date
from rules.core.errors import demand
from rules.core.text import Said, _
from rules.realm import RHYTHMS, PlannedLine


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


# Validation of planned income and costs (`rules.realm`).


def clean_line(line: PlannedLine, *, kept: bool = False) -> PlannedLine:
    """Return the line, validated. Raises `InvalidInput`. `kept`: the name is stored already, so new rules for names do
    not apply.
    """
    amount = clean_whole(line.amount, field="/amount", least=-BP_MAX, most=BP_MAX)
    demand(amount, _("A planned entry of 0 BP changes nothing. Enter another amount."), field="/amount")
    since = clean_whole(line.since, field="/since", least=0, most=LAST_DAY)
    until = clean_optional_whole(line.until, field="/until", least=0, most=LAST_DAY)
    demand(
        until is None or until > since,
        _("The planned entry would end before it begins. Choose a later last day."),
        field="/until",
    )
    return line._replace(
        name=clean_text(line.name, field="/name", most=REASON_MAX, kept=kept),
        amount=amount,
        every=clean_slug(line.every, field="/every", among=RHYTHMS),
        since=since,
        until=until,
    )
