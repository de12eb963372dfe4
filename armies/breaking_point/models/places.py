"""Models of fortified places and the armies in them."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from kingdom.models.base import CampaignOwned
from kingdom.models.natural import Natural


class FortifiedPlace(CampaignOwned):
    """A place that can be held and besieged (BP-8). `kingdom`: who holds it · `kind`: slug of the fortification ·
    `garrison`: heads that hold it properly, half of those it has room for · `outer`: what has to fall before (B-61).
    """

    in_addresses = "place"

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="fortified_places")
    settlement = models.ForeignKey("kingdom.Settlement", models.SET_NULL, null=True, blank=True, related_name="+")
    name = models.CharField(max_length=120)
    kind = models.CharField(max_length=40)
    garrison = models.PositiveIntegerField()
    outer = models.ForeignKey("self", models.SET_NULL, null=True, blank=True, related_name="inner")

    class Meta:
        ordering = (Natural("name"), "id")
        indexes = (models.Index(fields=("campaign", "kingdom"), name="place_kingdom"),)
        constraints = (models.CheckConstraint(name="place_garrison", condition=Q(garrison__gte=1)),)

    def __str__(self) -> str:
        return self.name


class Stationed(CampaignOwned):
    """An army in a place. It has no more than one."""

    army = models.OneToOneField("armies.Army", models.CASCADE, related_name="stationed")
    place = models.ForeignKey(FortifiedPlace, models.CASCADE, related_name="stationed")

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.army_id} @ {self.place_id}"
