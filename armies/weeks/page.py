"""Page object of passing time."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from django.core.paginator import Page
from django.http import QueryDict
from django.urls import reverse

from armies.ruleset_ui import WeeksUI
from armies.weeks.due import DueLine
from armies.weeks.forms import DAY, WEEK, TimeForm
from armies.weeks.queries import last_passage, list_due
from armies.weeks.ruleset_weeks import get_weeks_ui
from armies.weeks.week_summary import WhatPassed, tell_passed
from core.text import load_said
from kingdom.access.queries import get_role, is_gm
from kingdom.campaign.campaign_cards import Act, NowCard
from kingdom.campaign.queries import filter_named, load_board
from kingdom.chronicle import changes
from kingdom.models import Campaign, ChronicleEntry, Role, User
from kingdom.models.calendar import Date
from kingdom.rendering import EVERYTHING, ListLook, paginate
from rules.core.text import Said, _, by_number, say

LISTED = 30  # due lines on one page


@dataclass(frozen=True, slots=True)
class DueDay:
    """A day with its due lines."""

    day: int
    date: Date
    days: int
    lines: tuple[DueLine, ...]


@dataclass(frozen=True, slots=True)
class TimePage:
    """`due`: one page of due lines (`listed`). `form`: how the GM lets time pass, with the ruleset's choices; None for
    others.
    """

    campaign: Campaign
    life: WeeksUI
    due: tuple[DueDay, ...]
    listed: Page
    form: TimeForm | None
    last: ChronicleEntry | None
    passed: WhatPassed | None = None

    @property
    def gm(self) -> bool:
        return self.form is not None

    @property
    def last_text(self) -> Said:
        return load_said(self.last.text) if self.last else None  # type: ignore[return-value]


def time_form(campaign: Campaign, data: QueryDict | None = None) -> TimeForm:
    load_board(campaign)
    life = get_weeks_ui(campaign)
    return life.form(campaign, life.offers(campaign), data)


def _fresh(user: User, campaign: Campaign) -> TimeForm:
    """Fresh form; who rolls dice follows the user's setting."""
    form = time_form(campaign)
    form.initial["dice_by"] = "table" if user.types_dice else "server"
    return form


def preset_form(user: User, campaign: Campaign, span: str) -> TimeForm:
    """The fresh form as if sent for this span, for a link that opens the preview."""
    begun = _fresh(user, campaign)
    data = QueryDict(mutable=True)
    for name in begun.fields:
        initial = begun[name].initial
        values = initial if isinstance(initial, list | tuple) else [initial]
        data.setlist(name, [str(value) for value in values if value is not None])
    data["span"], data["day"] = span, str(campaign.day)
    return time_form(campaign, data)


def time_page(user: User, campaign: Campaign, form: TimeForm | None = None, look: ListLook = EVERYTHING) -> TimePage:
    """The date and what is due; for the GM also the form and the last passage, which can be undone."""
    gm = is_gm(user, campaign)
    load_board(campaign)
    listed = paginate(_about(list_due(user, campaign), look.query), look.page, LISTED)
    last = last_passage(campaign) if gm else None
    return TimePage(
        campaign=campaign,
        life=get_weeks_ui(campaign),
        due=_by_day(campaign, list(listed)),
        listed=listed,
        form=(form or _fresh(user, campaign)) if gm else None,
        last=last,
        passed=tell_passed(user, campaign, changes.list_changes(last)) if last else None,
    )


def _about(lines: Sequence[DueLine], query: str) -> Sequence[DueLine]:
    """Lines of the kingdoms whose names match the search."""
    return [line for line in lines if line.kingdom and filter_named([line.kingdom], query)] if query else lines


def _by_day(campaign: Campaign, lines: Sequence[DueLine]) -> tuple[DueDay, ...]:
    return tuple(
        DueDay(day, campaign.dates.date(day), day - campaign.day, tuple(found))
        for day, found in groupby(lines, key=lambda line: line.day)
    )


# Card of the running week on the campaign's page.


ENDS = by_number("Week {week} ends in {days} day", "Week {week} ends in {days} days", by="days")


def week(user: User, campaign: Campaign) -> Iterator[NowCard]:
    """Card with the end of the week and what is due then; none for a campaign without kingdoms."""
    role = get_role(user, campaign)
    if role is None or not load_board(campaign):
        return
    life, url = get_weeks_ui(campaign), reverse("armies:time", args=[campaign.pk])
    gm = role == Role.GM
    act = Act(_("Let time pass"), url, "week") if gm else Act(_("Show payments"), url, "week")
    ahead = (
        Act(_("1 day"), f"{url}?for={DAY}#what-happens"),
        Act(_("To the week’s end"), f"{url}?for={WEEK}#what-happens"),
    )
    days = campaign.days_to_upkeep
    yield NowCard(
        id="due",
        title=say(ENDS, week=campaign.week, days=days),
        badge=say(_("day {day}"), day=campaign.day + days),
        template="armies/weeks/card.html",
        told={"campaign": campaign, "template": life.panel_template, **life.panel(user, campaign)},
        act=act,
        more=ahead if gm else (),
        icon="calendar",
    )
