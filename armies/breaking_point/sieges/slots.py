"""Panels of places and sieges for the pages of campaigns and kingdoms."""

from __future__ import annotations

from armies.breaking_point.models import RUNNING
from armies.breaking_point.sieges.queries import list_sieges, places_of_kingdom
from armies.ruleset_ui import Panel
from kingdom.access.queries import is_gm
from kingdom.models import Campaign, Kingdom, User
from kingdom.rendering import ListLook


def nav(user: User, campaign: Campaign) -> Panel:
    """The sieges, among the campaign's pages."""
    return "armies/breaking_point/sieges/nav.html", {"campaign": campaign}


def running(user: User, campaign: Campaign) -> Panel:
    """Sieges that go on, on the campaign's page."""
    rows = list(list_sieges(user).filter(campaign=campaign, status__in=RUNNING))
    return ("armies/breaking_point/sieges/running.html", {"sieges": rows, "campaign": campaign}) if rows else None


def places(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Fortified places, on the kingdom's page."""
    found, gm = places_of_kingdom(user, kingdom), is_gm(user, kingdom.campaign)
    context = {"places": found, "kingdom": kingdom, "gm": gm}
    return ("armies/breaking_point/sieges/places.html", context) if found or gm else None


PANELS = (("nav", nav, 0), ("campaign", running, 1), ("kingdom", places, 5))
