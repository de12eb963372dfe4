"""Panel of the arsenal, among the campaign's pages."""

from __future__ import annotations

from typing import Any

from kingdom.models import Campaign, User


def nav(user: User, campaign: Campaign) -> tuple[str, dict[Any, Any]]:
    """The arsenal, among the campaign's pages."""
    return "armies/arsenal/nav.html", {"campaign": campaign}


PANEL = ("nav", nav, 1)
