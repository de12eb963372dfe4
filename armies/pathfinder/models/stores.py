"""Models of a kingdom's stores, which disbanded armies left (PF-5.2), and of a campaign's own unit types (PF-1.11)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from kingdom.models.base import CampaignOwned
from kingdom.models.natural import Natural


class KingdomStock(CampaignOwned):
    """Resources kept for later: `size` is the army size the set was made for, so it fits that size or smaller."""

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="stores")
    resource = models.CharField(max_length=40)
    size = models.CharField(max_length=20)
    quantity = models.PositiveIntegerField(default=1)
    mount = models.JSONField(null=True, blank=True)

    class Meta:
        db_table = "armies_kingdomstock"
        ordering = ("resource", "size", "id")
        constraints = (models.CheckConstraint(name="kingdom_stock_quantity", condition=Q(quantity__gte=1)),)

    def __str__(self) -> str:
        return f"{self.resource} ({self.size}) × {self.quantity}"


class FoundryActor(CampaignOwned):
    """The actor an army or a kingdom was brought in from, whole: what means nothing here goes out again with it."""

    army = models.OneToOneField("armies.Army", models.CASCADE, null=True, blank=True, related_name="foundry")
    kingdom = models.OneToOneField("kingdom.Kingdom", models.CASCADE, null=True, blank=True, related_name="foundry")
    actor = models.JSONField()

    class Meta:
        db_table = "pathfinder_foundryactor"
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(name="foundry_actor_of_one", condition=Q(army=None) ^ Q(kingdom=None)),
        )  # fmt: skip

    def __str__(self) -> str:
        return str(self.actor.get("name", ""))


class UnitType(CampaignOwned):
    """A kind of soldier to raise armies from. With the `slug` of a library kind it takes that kind's place."""

    slug = models.CharField(max_length=80)
    name = models.CharField(max_length=120)
    family = models.CharField(max_length=40)
    unit = models.JSONField()

    class Meta:
        db_table = "armies_unittype"
        ordering = (Natural("name"), "id")
        constraints = (models.UniqueConstraint(name="unit_type_once", fields=("campaign", "slug")),)

    def __str__(self) -> str:
        return self.name
