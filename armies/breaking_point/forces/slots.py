"""Panels of armies, arsenal, places and sieges for the pages of campaigns and kingdoms."""

from __future__ import annotations

from armies.breaking_point.sieges.slots import PANELS as OF_SIEGES
from armies.breaking_point.weeks.outlook import outlook_of
from armies.ruleset_ui import Panel
from kingdom.models import Campaign, Kingdom, User
from kingdom.rendering import ListLook


def nav(user: User, campaign: Campaign) -> Panel:
    """The arsenal, among the campaign's pages."""
    return "armies/breaking_point/arsenal/nav.html", {"campaign": campaign}


def outlook(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """What lies ahead, on a page of the kingdom's."""
    return "armies/breaking_point/weeks/outlook.html", {"outlook": outlook_of(kingdom)}


PANELS = (*OF_SIEGES, ("nav", nav, 1), ("outlook", outlook, 0))
