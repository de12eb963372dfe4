"""What of a campaign and its kingdoms time and battles may change."""

from __future__ import annotations

from typing import Any

from kingdom import world
from kingdom.models import Campaign, Kingdom, User
from kingdom.selectors import readable_kingdom_ids
from kingdom.services import treasury
from kingdom.world import Occasion, Rows


def register() -> None:
    """Make campaigns and kingdoms known to `kingdom.world`."""
    world.register("campaign", _campaigns, visible=_everybody)
    world.register(
        "kingdom",
        _kingdoms,
        fields={"treasury": world.Field(read=lambda kingdom: kingdom.treasury, write=_pay)},
        visible=_readers,
    )


def _campaigns(campaign: Campaign, ids: set[str]) -> Rows:
    found = Campaign.objects.select_for_update().filter(pk=campaign.pk)
    return {str(row.pk): row for row in found if str(row.pk) in ids}


def _kingdoms(campaign: Campaign, ids: set[str]) -> Rows:
    found = Kingdom.objects.select_for_update().filter(campaign=campaign, pk__in=ids).order_by("pk")
    return {str(row.pk): row for row in found}


def _pay(kingdom: Any, value: Any, occasion: Occasion) -> None:
    """A treasury moves through its ledger only."""
    if amount := value - kingdom.treasury:
        treasury.append(
            kingdom=kingdom,
            amount=amount,
            reason=occasion.text,
            source=occasion.source,
            by=occasion.by,
            day=occasion.day,
        )


def _everybody(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return ids


def _readers(user: User, campaign: Campaign, ids: set[str]) -> set[str]:
    return {str(pk) for pk in readable_kingdom_ids(user, campaign)} & ids
