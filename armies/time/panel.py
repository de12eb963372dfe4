"""The running week on the campaign's page, and the way to the page where time passes."""

from __future__ import annotations

from typing import Any

from armies.time.life import life_for
from kingdom import panels
from kingdom.models import Campaign, Role, User
from kingdom.selectors import role_of


def due(user: User, campaign: Campaign) -> tuple[str, dict[Any, Any]] | None:
    """What the law says of the week, or when it ends."""
    role = role_of(user, campaign)
    if role is None:
        return None
    life = life_for(campaign)
    context = {"campaign": campaign, "gm": role == Role.GM, "template": life.panel_template}
    return "armies/time/panel.html", {**context, **life.panel(user, campaign)}


def register() -> None:
    panels.register("due", due)
