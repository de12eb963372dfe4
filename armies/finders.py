"""What of armies and commanders is found, and by whom: those whose sheets one may read, and nobody else's."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from armies.access import commanders_visible_to, visible_to
from kingdom import finding
from kingdom.finding import Finder
from kingdom.models import User
from rules.text import _


def _armies(user: User, campaigns: Sequence[UUID]) -> QuerySet[Any]:
    return visible_to(user).filter(campaign__in=campaigns)


def _commanders(user: User, campaigns: Sequence[UUID]) -> QuerySet[Any]:
    return commanders_visible_to(user).filter(campaign__in=campaigns)


def _army_url(key: UUID, _owner: UUID) -> str:
    return reverse("armies:army", args=[key])


def _commander_url(key: UUID, _owner: UUID) -> str:
    return reverse("armies:commander", args=[key])


def register() -> None:
    finding.register(Finder("army", _("Armies"), "army", _armies, _army_url, about="kingdom__name", order=1))
    finding.register(
        Finder("commander", _("Commanders"), "commander", _commanders, _commander_url, about="kingdom__name", order=2)
    )
