"""Panel of the running week on the campaign's page."""

from __future__ import annotations

from collections.abc import Iterator

from django.urls import reverse

from armies.weeks.ruleset_weeks import get_weeks_ui
from kingdom.access.queries import get_role
from kingdom.campaign import card_slots
from kingdom.campaign.card_slots import Act, NowCard
from kingdom.campaign.queries import load_board
from kingdom.models import Campaign, Role, User
from rules.core.text import _, by_number, say

ENDS = by_number("Week {week} ends in {days} day", "Week {week} ends in {days} days", by="days")


def week(user: User, campaign: Campaign) -> Iterator[NowCard]:
    """When the week ends, and what the law says is due then; where there is a kingdom that pays."""
    role = get_role(user, campaign)
    if role is None or not load_board(campaign):
        return
    life, url = get_weeks_ui(campaign), reverse("armies:time", args=[campaign.pk])
    act = Act(_("Let time pass"), url, "week") if role == Role.GM else Act(_("See what is paid"), url, "week")
    days = campaign.days_to_upkeep
    yield NowCard(
        id="due",
        title=say(ENDS, week=campaign.week, days=days),
        badge=say(_("day {day}"), day=campaign.day + days),
        template="armies/weeks/card.html",
        told={"campaign": campaign, "template": life.panel_template, **life.panel(user, campaign)},
        act=act,
        icon="calendar",
    )


def register() -> None:
    card_slots.register(week, 30)
