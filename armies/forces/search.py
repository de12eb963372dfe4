"""Search of armies and commanders whose sheets the user may read, and of armies that the map shows them."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from armies.forces.access import list_visible_armies, list_visible_commanders
from armies.map.visibility import load_seen_map
from armies.models import Army, rows_of
from kingdom.access.army_knowledge import build_knowledge_condition
from kingdom.map.queries import find_map
from kingdom.models import Campaign, Knowledge, User
from kingdom.search.search_registry import Finder
from rules.core.text import _


def _glimpsed(user: User) -> QuerySet[Any]:
    """Standing armies that a map may show the user, though they may not read their sheets."""
    rows = rows_of(Army).filter(status__in=Army.STANDING)
    return rows.filter(build_knowledge_condition(user, Knowledge.GLANCE) & ~build_knowledge_condition(user))


def _on_the_map(user: User, campaign: Campaign) -> set[UUID]:
    """Ids of armies that the user sees, or has seen, on the map."""
    drawn = find_map(campaign)
    return {army.id for army in load_seen_map(user, campaign, drawn).armies} if drawn else set()


def _map_url(key: UUID, campaign: UUID) -> str:
    return f"{reverse('armies:map', args=[campaign])}?army={key}"


def _army_url(key: UUID, _owner: UUID) -> str:
    return reverse("armies:army", args=[key])


def _commander_url(key: UUID, _owner: UUID) -> str:
    return reverse("armies:commander", args=[key])


FINDERS = (
    Finder("army", _("Armies"), "army", list_visible_armies, _army_url, about="kingdom__name", order=1),
    Finder("glimpse", _("Armies on the map"), "army", _glimpsed, _map_url, about="kingdom__name", order=1,
           among=_on_the_map),
    Finder("commander", _("Commanders"), "commander", list_visible_commanders, _commander_url, about="kingdom__name",
           order=2),
)  # fmt: skip
