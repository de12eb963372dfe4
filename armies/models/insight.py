"""Models of intelligence: insights of spies and allies, and sightings."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from armies.models.army import Army
from kingdom.models.base import CampaignOwned, DayField
from kingdom.models.campaign import Knowledge
from kingdom.models.kingdom import HEX_MAX


class Insight(CampaignOwned):
    """`kingdom` is informed about one `army`, or about all armies of a `realm`, at this level. `mutual`: and the realm
    about those of the kingdom (allies).

    Level 0 ends it; the row stays, so that this can be undone.
    """

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="insights")
    army = models.ForeignKey(Army, models.CASCADE, null=True, blank=True, related_name="insights")
    realm = models.ForeignKey("kingdom.Kingdom", models.CASCADE, null=True, blank=True, related_name="+")
    level = models.PositiveSmallIntegerField(choices=Knowledge, default=Knowledge.NOTHING)
    mutual = models.BooleanField(default=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(
                name="insight_of_one",
                condition=Q(army=None, realm__isnull=False) | Q(army__isnull=False, realm=None, mutual=False),
            ),
            models.CheckConstraint(name="insight_of_others", condition=Q(realm=None) | ~Q(realm=F("kingdom"))),
            models.CheckConstraint(name="insight_level", condition=Q(level__in=Knowledge.values)),
            models.UniqueConstraint(name="insight_army_once", fields=("kingdom", "army")),
            models.UniqueConstraint(name="insight_realm_once", fields=("kingdom", "realm", "mutual")),
        )

    def __str__(self) -> str:
        return f"{self.kingdom} → {self.army or self.realm}"


# Sightings: where kingdoms last saw armies that they no longer see.


class Sighting(CampaignOwned):
    """Where and when a kingdom last saw another one's army. It shows as much as may be known of that army
    (`armies.forces.access`); a sighting itself is a reason to know of it.
    """

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="+")
    army = models.ForeignKey(Army, models.CASCADE, related_name="sightings")
    hex = models.CharField(max_length=HEX_MAX)
    day = DayField()

    class Meta:
        constraints = (models.UniqueConstraint(name="sighting_once", fields=("kingdom", "army")),)

    def __str__(self) -> str:
        return f"{self.hex} ({self.day})"
