"""Panels of armies, the arsenal, places and sieges for the pages of campaigns and kingdoms."""

from __future__ import annotations

from armies.arsenal.own_things import PANEL as ARSENAL
from armies.breaking_point.models import RUNNING
from armies.breaking_point.sieges.queries import list_sieges, places_of_kingdom
from armies.breaking_point.weeks.outlook import outlook_of
from armies.ruleset_ui import Panel
from kingdom.access.queries import is_gm
from kingdom.models import Campaign, Kingdom, User
from kingdom.rendering import ListLook
from kingdom.slots import SlotPanel, link_campaign


def running(user: User, campaign: Campaign) -> Panel:
    """Panel of the campaign's running sieges."""
    rows = list(list_sieges(user).filter(campaign=campaign, status__in=RUNNING))
    return ("armies/breaking_point/sieges/running.html", {"sieges": rows, "campaign": campaign}) if rows else None


def places(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Panel of the kingdom's fortified places."""
    found, gm = places_of_kingdom(user, kingdom), is_gm(user, kingdom.campaign)
    context = {"places": found, "kingdom": kingdom, "gm": gm}
    return ("armies/breaking_point/sieges/places.html", context) if found or gm else None


def outlook(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Panel of the weeks ahead, on a page of the kingdom."""
    return "armies/breaking_point/weeks/outlook.html", {"outlook": outlook_of(kingdom)}


PANELS = (
    SlotPanel("nav", link_campaign("armies/breaking_point/sieges/nav.html")),
    SlotPanel("campaign", running, 1),
    SlotPanel("kingdom", places, 5),
    ARSENAL,
    SlotPanel("outlook", outlook),
)
