"""Model of the seats of a deleted campaign that may still be restored."""

from __future__ import annotations

from django.conf import settings
from django.db import models

from kingdom.models.base import CampaignOwned
from kingdom.models.campaign import Role


class DeletedMembership(CampaignOwned):
    """Who sat where. A deleted campaign has no seats at all, so for everybody, everywhere, it is not there; restoring
    it seats them again.
    """

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    role = models.CharField(max_length=10, choices=Role)
    invitation = models.ForeignKey("kingdom.Invitation", models.SET_NULL, null=True, related_name="+")

    class Meta:
        db_table = "kingdom_vacatedseat"
        ordering = ("id",)
        constraints = (models.UniqueConstraint(name="vacated_once", fields=("campaign", "user")),)

    def __str__(self) -> str:
        return f"{self.user} ({self.role})"
