"""Panel of the weeks ahead of a kingdom whose armies have a declared document."""

from __future__ import annotations

from armies.documents.weeks import UPKEEP_RULE, upkeep_of
from armies.ruleset_ui import Panel
from armies.weeks.queries import weeks_ahead_of
from kingdom.contributions import SlotPanel
from kingdom.models import Kingdom, User
from kingdom.rendering import ListLook


def outlook(user: User, kingdom: Kingdom, look: ListLook) -> Panel:
    """Panel of the weeks ahead, on a page of the kingdom."""
    ahead = weeks_ahead_of(kingdom, upkeep_of(kingdom.campaign))
    return "armies/weeks/outlook.html", {"outlook": ahead, "upkeep_rule": UPKEEP_RULE}


OUTLOOK = SlotPanel("outlook", outlook)
