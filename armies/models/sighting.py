"""Model of sightings: where armies were last seen by kingdoms that see them no more."""

from __future__ import annotations

from django.db import models

from armies.models.army import Army
from kingdom.models.base import CampaignOwned, DayField
from kingdom.models.kingdom import HEX_MAX


class Sighting(CampaignOwned):
    """Where and when a kingdom last saw another one's army. It is told as far as that army may be known
    (`armies.forces.access`): that it was seen is a reason to know it.
    """

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="+")
    army = models.ForeignKey(Army, models.CASCADE, related_name="sightings")
    hex = models.CharField(max_length=HEX_MAX)
    day = DayField()

    class Meta:
        constraints = (models.UniqueConstraint(name="sighting_once", fields=("kingdom", "army")),)

    def __str__(self) -> str:
        return f"{self.hex} ({self.day})"
