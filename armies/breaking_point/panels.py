"""What is shown of this law's armies, its arsenal, places and sieges on the pages of campaigns and kingdoms."""

from __future__ import annotations

from armies.breaking_point.sieges.panels import PANELS as OF_SIEGES
from armies.faces import Panel
from kingdom.models import Campaign, User


def nav(user: User, campaign: Campaign) -> Panel:
    """The arsenal, among the campaign's pages."""
    return "armies/breaking_point/arsenal/nav.html", {"campaign": campaign}


PANELS = (*OF_SIEGES, ("nav", nav, 1))
