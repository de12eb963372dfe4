"""The way to the map, among the campaign's pages and on its board."""

from __future__ import annotations

from typing import Any

from kingdom import panels
from kingdom.models import Campaign, User


def nav(user: User, campaign: Campaign) -> tuple[str, dict[Any, Any]]:
    return "armies/map/nav.html", {"campaign": campaign}


def action(user: User, campaign: Campaign) -> tuple[str, dict[Any, Any]]:
    return "armies/map/link.html", {"campaign": campaign}


def register() -> None:
    panels.register("nav", nav, -1)
    panels.register("campaign-actions", action, 5)
