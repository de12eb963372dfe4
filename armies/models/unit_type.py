"""A campaign's own unit types, beside the library every campaign has."""

from __future__ import annotations

from django.db import models

from kingdom.models.base import CampaignOwned


class UnitType(CampaignOwned):
    """A kind of soldier to raise armies from. With the `slug` of a library kind it takes that kind's place."""

    slug = models.CharField(max_length=80)
    name = models.CharField(max_length=120)
    family = models.CharField(max_length=40)
    unit = models.JSONField()

    class Meta:
        ordering = ("name", "id")
        constraints = (models.UniqueConstraint(name="unit_type_once", fields=("campaign", "slug")),)

    def __str__(self) -> str:
        return self.name
