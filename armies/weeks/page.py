"""Page object of passing time, and its summary: one row for each army, those with trouble first."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Any

from django.core.paginator import Page
from django.http import QueryDict
from django.urls import reverse

from armies.models import Army
from armies.ruleset_ui import WeeksUI
from armies.weeks.forms import DAY, WEEK, TimeForm
from armies.weeks.passage import DueLine
from armies.weeks.queries import last_passage, list_due
from armies.weeks.ruleset_weeks import get_weeks_ui
from core.text import load_said
from kingdom.access.queries import get_role, is_gm
from kingdom.campaign.campaign_cards import Act, NowCard
from kingdom.campaign.queries import filter_named, load_board
from kingdom.chronicle import changes
from kingdom.chronicle.changes import Change
from kingdom.chronicle.wording import ChangeInWords, changes_in_words
from kingdom.models import Campaign, ChronicleEntry, Role, User
from kingdom.models.base import make_natural_key
from kingdom.models.calendar import Date
from kingdom.rendering import EVERYTHING, ListLook, paginate
from rules.core.text import Said, _, by_number, say

# Summary of passing time: one row for each army, those with trouble first, and other changes.

MOST_NAMED = 200  # most unchanged armies that are named; further ones are counted


@dataclass(frozen=True, slots=True)
class ArmyOutcome:
    """Effects of the days on one army: its lines, and whether each is a problem."""

    army: str
    name: str
    lines: tuple[tuple[ChangeInWords, bool], ...]

    @property
    def bad(self) -> bool:
        return any(bad for _line, bad in self.lines)


@dataclass(frozen=True, slots=True)
class WeekSummary:
    """`quiet`: names of armies to which nothing happens, on the march or otherwise; `quiet_count`: their number.
    `others`: changes that are not about armies.
    """

    rows: tuple[ArmyOutcome, ...]
    others: tuple[ChangeInWords, ...]
    quiet: tuple[str, ...] = ()
    quiet_count: int = 0

    @property
    def troubled(self) -> list[ArmyOutcome]:
        return [row for row in self.rows if row.bad]


def summarize(user: User, campaign: Campaign, changes: Sequence[Change]) -> WeekSummary:
    """Summary of a proposal's changes. The user must be allowed to read all of them."""
    told = list(zip(changes, changes_in_words(user, campaign, changes), strict=True))
    rows = _group([one for one in told if one[0].subject_kind == "army"], get_weeks_ui(campaign))
    rows.sort(key=lambda row: (not row.bad, make_natural_key(row.name)))
    others = [words for change, words in told if change.subject_kind != "army"]
    quiet = Army.objects.filter(campaign=campaign, status__in=Army.STANDING, route__isnull=True)
    quiet = quiet.exclude(pk__in=[row.army for row in rows])
    named = sorted(quiet.values_list("name", flat=True)[: MOST_NAMED + 1], key=make_natural_key)
    if len(named) > MOST_NAMED:
        return WeekSummary(tuple(rows), tuple(others), (), quiet.count())
    return WeekSummary(tuple(rows), tuple(others), tuple(named), len(named))


def is_bad(change: Change, life: WeeksUI) -> bool:
    """Whether a change of an army is trouble."""
    if change.field == "status":
        return change.after != Army.Status.READY.value
    if change.field == "commander":
        return change.after is None
    before, after = change.before, change.after
    if not (_is_number(before) and _is_number(after)):
        return False
    return bool(after > before if change.field in life.burdens else after < before)


def _is_number(value: Any) -> bool:
    return isinstance(value, int) and not isinstance(value, bool)


@dataclass(frozen=True, slots=True)
class WhatPassed:
    """Summary of the last passage of time, from its chronicle entry."""

    arrived: tuple[str, ...]
    back: tuple[str, ...]
    healed: tuple[Change, ...]
    treasuries: tuple[tuple[str, int, int], ...]
    trouble: tuple[ArmyOutcome, ...]


def tell_passed(user: User, campaign: Campaign, changes: Sequence[Change]) -> WhatPassed:
    life = get_weeks_ui(campaign)
    armies = [change for change in changes if change.subject_kind == "army"]
    bad = [change for change in armies if is_bad(change, life)]
    trouble = list(zip(bad, changes_in_words(user, campaign, bad), strict=True))
    purses: dict[str, tuple[str, int, int]] = {}
    for change in changes:
        if (change.subject_kind, change.field) == ("kingdom", "treasury"):
            first = purses.get(change.subject_id, (str(change.subject), change.before, 0))
            purses[change.subject_id] = (first[0], first[1], change.after)
    return WhatPassed(
        arrived=tuple(str(change.subject) for change in armies if change.field == "marching"),
        back=tuple(str(one.subject) for one in changes if (one.subject_kind, one.field) == ("commander", "away")),
        healed=tuple(one for one in armies if one.field == life.strength and not is_bad(one, life)),
        treasuries=tuple(purses.values()),
        trouble=tuple(_group(trouble, life)),
    )


def _group(told: Sequence[tuple[Change, ChangeInWords]], life: WeeksUI) -> list[ArmyOutcome]:
    """Group changes of armies, each with its words, by army."""
    lines: dict[str, list[tuple[ChangeInWords, bool]]] = defaultdict(list)
    names: dict[str, str] = {}
    for change, words in told:
        lines[change.subject_id].append((words, is_bad(change, life)))
        names[change.subject_id] = str(change.subject)
    return [ArmyOutcome(key, names[key], tuple(found)) for key, found in lines.items()]


# Page object of passing time.

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
    act = Act(_("Let time pass"), url, "week") if gm else Act(_("Show what’s due"), url, "week")
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
