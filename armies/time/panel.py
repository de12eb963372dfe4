"""The running week on the campaign's page, and the way to the page where time passes."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse

from armies.time.life import life_for
from kingdom import now
from kingdom.models import Campaign, Role, User
from kingdom.now import Act, NowCard
from kingdom.selectors import role_of
from kingdom.selectors.lists import board_of
from rules.text import _, by_number, say

ENDS = by_number("Week {week} ends in {days} day", "Week {week} ends in {days} days", by="days")


def week(user: User, campaign: Campaign) -> Iterator[NowCard]:
    """When the week ends, and what the law says is due then; where there is a kingdom that pays."""
    role = role_of(user, campaign)
    if role is None or not board_of(campaign):
        return
    life, url = life_for(campaign), reverse("armies:time", args=[campaign.pk])
    act = Act(_("Let time pass"), url, "week") if role == Role.GM else Act(_("See what is paid"), url, "week")
    days = campaign.days_to_upkeep
    yield NowCard(
        id="due",
        title=say(ENDS, week=campaign.week, days=days),
        badge=say(_("day {day}"), day=campaign.day + days),
        template="armies/time/card.html",
        told={"campaign": campaign, "template": life.panel_template, **life.panel(user, campaign)},
        act=act,
        icon="calendar",
    )


def register() -> None:
    now.register(week, 30)
