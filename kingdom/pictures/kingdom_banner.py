"""Picture owner for kingdoms: their picture is the banner. Every member knows each kingdom and its arms."""

from __future__ import annotations

from collections.abc import Collection
from uuid import UUID

from django.urls import reverse

from kingdom.access.queries import kingdom_in, require_member, runs_kingdom
from kingdom.models import Campaign, Kingdom, User
from kingdom.pictures.owners import PictureOwner
from rules.core.text import _

KIND = "kingdom"


def _find(user: User, campaign: Campaign, key: str) -> Kingdom:
    require_member(user, campaign)
    return kingdom_in(campaign, key)


def _visible(user: User, campaign: Campaign, keys: Collection[str]) -> set[str]:
    found = Kingdom.objects.filter(campaign=campaign, pk__in=keys).values_list("pk", flat=True)
    return {str(pk) for pk in found}


def _owner_of(campaign: Campaign, key: str) -> UUID | None:
    return Kingdom.objects.filter(campaign=campaign, pk=key).values_list("pk", flat=True).first()


OWNER = PictureOwner(
    word=_("Banner"),
    changed=_("{name} has a new banner."),
    removed=_("{name}’s banner was removed."),
    find=_find,
    edits=runs_kingdom,
    visible=_visible,
    kingdom=lambda kingdom: kingdom,
    owner_of=_owner_of,
    page=lambda campaign, key: reverse("kingdom:kingdom", args=[key]),
    entry="kingdom",
)
