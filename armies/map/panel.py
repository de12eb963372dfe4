"""Links to the map, in the campaign's navigation and on its page."""

from __future__ import annotations

from typing import Any

from kingdom import slots as kingdom_slots
from kingdom.models import Campaign, User


def nav(user: User, campaign: Campaign) -> tuple[str, dict[Any, Any]]:
    return "armies/map/nav.html", {"campaign": campaign}


def action(user: User, campaign: Campaign) -> tuple[str, dict[Any, Any]]:
    return "armies/map/link.html", {"campaign": campaign}


def register() -> None:
    kingdom_slots.register("nav", nav, -1)
    kingdom_slots.register("campaign-actions", action, 5)
