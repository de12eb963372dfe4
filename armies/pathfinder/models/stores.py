"""Models of a kingdom's stores, filled by disbanded armies (PF-5.2), of Foundry actors, and of unit types (PF-1.11)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from kingdom.models.base import CampaignOwned
from kingdom.models.natural import Natural


class KingdomStock(CampaignOwned):
    """Resources in store. `size`: army size for which the set was made; it fits that size and smaller ones."""

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
    """The whole actor from which an army or kingdom was imported. Parts that mean nothing here are exported again."""

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
    """A campaign's own unit type. With the `slug` of a library type it replaces that type."""

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
