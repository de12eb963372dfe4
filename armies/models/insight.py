"""Model of intelligence: spies and allies that let a kingdom know of others' armies."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q

from armies.models.army import Army
from kingdom.models.base import CampaignOwned, DayField
from kingdom.models.campaign import Knowledge
from kingdom.models.kingdom import HEX_MAX


class Insight(CampaignOwned):
    """`kingdom` knows one `army`, or all armies of a `realm`, at this level; `mutual`: and the realm those of the
    kingdom (allies). Level 0: no more. The row stays, so that taking it away can be undone.
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


# Model of sightings: where armies were last seen by kingdoms that see them no more.


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
