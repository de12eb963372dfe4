"""Panels of armies, the arsenal, places and sieges for the pages of campaigns and kingdoms."""

from __future__ import annotations

from armies.arsenal.slots import PANEL as ARSENAL
from armies.breaking_point.sieges.slots import PANELS as OF_SIEGES
from armies.breaking_point.weeks.outlook import outlook_of
from armies.ruleset_ui import Panel
from kingdom.models import Kingdom, User
from kingdom.rendering import ListLook


def outlook(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """What lies ahead, on a page of the kingdom's."""
    return "armies/breaking_point/weeks/outlook.html", {"outlook": outlook_of(kingdom)}


PANELS = (*OF_SIEGES, ARSENAL, ("outlook", outlook, 0))
