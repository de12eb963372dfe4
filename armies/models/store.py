"""What disbanded armies left in a kingdom's stores (PF-5.2)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q

from kingdom.models.base import CampaignOwned


class KingdomStock(CampaignOwned):
    """Resources kept for later: `size` is the army size the set was made for, so it fits that size or smaller."""

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="stores")
    resource = models.CharField(max_length=40)
    size = models.CharField(max_length=20)
    quantity = models.PositiveIntegerField(default=1)
    mount = models.JSONField(null=True, blank=True)

    class Meta:
        ordering = ("resource", "size", "id")
        constraints = (models.CheckConstraint(name="kingdom_stock_quantity", condition=Q(quantity__gte=1)),)

    def __str__(self) -> str:
        return f"{self.resource} ({self.size}) × {self.quantity}"
