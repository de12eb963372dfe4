"""Search results of campaigns, kingdoms and settlements."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from django.db.models import QuerySet
from django.urls import reverse

from kingdom.access.queries import list_seats
from kingdom.campaign.queries import settlements_of
from kingdom.models import Campaign, Kingdom, User
from kingdom.notes.queries import list_visible_notes
from kingdom.search.search_registry import Finder
from rules.core.text import _


def _campaigns(user: User) -> QuerySet[Any]:
    return Campaign.objects.filter(pk__in=list_seats(user))


def _kingdoms(user: User) -> QuerySet[Any]:
    """All kingdoms of the user's campaigns: every member knows their names."""
    return Kingdom.objects.filter(campaign__in=list_seats(user))


def _campaign_url(key: UUID, _owner: UUID) -> str:
    return reverse("kingdom:campaign", args=[key])


def _kingdom_url(key: UUID, _owner: UUID) -> str:
    return reverse("kingdom:kingdom", args=[key])


def _settlement_url(key: UUID, kingdom: UUID) -> str:
    return reverse("kingdom:kingdom", args=[kingdom]) + f"#settlement-{key}"


def _note_url(key: UUID, _owner: UUID) -> str:
    return reverse("kingdom:note", args=[key])


FINDERS = (
    Finder("kingdom", _("Kingdoms"), "castle", _kingdoms, _kingdom_url, order=3),
    Finder("settlement", _("Settlements"), "settlement", settlements_of, _settlement_url, about="kingdom__name",
           owner="kingdom_id", order=4),
    Finder("note", _("Notes"), "edit", list_visible_notes, _note_url, name="title", about="about_name",
           texts=("text",), order=6),
    Finder("campaign", _("Campaigns"), "crown", _campaigns, _campaign_url, campaign="pk", owner="pk", order=8),
)  # fmt: skip
