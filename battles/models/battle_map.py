"""Model of a battle map in a campaign's library."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.db import models
from django.utils import timezone

from core.strict_json import make_readable
from kingdom.models.base import CampaignOwned


class BattleMap(CampaignOwned):
    """A map in the campaign's library. Battles hold copies, so changes here leave them unchanged.

    `written`: the document of the map's file without its name.
    """

    in_addresses = "map"

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="battle_maps")
    name = models.CharField(max_length=120)
    columns = models.PositiveSmallIntegerField()
    rows = models.PositiveSmallIntegerField()
    written = models.JSONField()
    kept_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    kept_at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        ordering = ("-id",)

    def __str__(self) -> str:
        return self.name

    @property
    def document(self) -> dict[str, Any]:
        """The document of the map's file, its keys in no particular order."""
        return {**make_readable(self.written), "name": self.name}
