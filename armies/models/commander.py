"""Who leads armies (PF-2)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from kingdom.models.base import CampaignOwned
from rules.pathfinder.time.state import ACTIVE_DAYS, DAYS_A_WEEK


class Commander(CampaignOwned):
    """A commander of a kingdom. Leadership, morale bonus and boons allowed are derived (`commander_spec`).

    `away_until` is the day he is back: from a journey, or as a captive from captivity. `active_days`: how many
    days of a week he is with his army. `ransom` (BP) is what a captive costs: what he led when he was taken.
    """

    class Status(models.TextChoices):
        FREE = "free", _("free")
        CAPTURED = "captured", _("captured")
        KILLED = "killed", _("killed")

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="commanders")
    name = models.CharField(max_length=120)
    character_class = models.CharField(max_length=120, blank=True)
    level = models.PositiveSmallIntegerField(default=1)
    charisma_modifier = models.SmallIntegerField(default=0)
    soldier_ranks = models.PositiveSmallIntegerField(default=0)
    leadership_feat = models.BooleanField(default=False)
    player_character = models.BooleanField(default=False)
    office = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001 - null in the API
    office_boon = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001 - null in the API
    office_tactic = models.CharField(max_length=40, null=True, blank=True)  # noqa: DJ001 - null in the API
    boons = models.JSONField(default=list, blank=True)
    status = models.CharField(max_length=10, choices=Status, default=Status.FREE)
    notorious = models.BooleanField(default=False)
    captures = models.PositiveSmallIntegerField(default=0)
    away_until = models.PositiveIntegerField(null=True, blank=True)
    active_days = models.PositiveSmallIntegerField(default=DAYS_A_WEEK)
    ransom = models.PositiveIntegerField(null=True, blank=True)

    class Meta:
        ordering = ("name", "id")
        indexes = (models.Index(fields=("campaign", "kingdom"), name="commander_kingdom"),)
        constraints = (
            models.CheckConstraint(name="commander_level", condition=Q(level__gte=1)),
            models.CheckConstraint(name="commander_active_days", condition=Q(active_days__lte=DAYS_A_WEEK)),
            models.CheckConstraint(name="commander_status", condition=Q(status__in=("free", "captured", "killed"))),
        )

    def __str__(self) -> str:
        return self.name

    def coming(self, day: int) -> bool:
        """Whether he is free on this day, or a captive who comes home later."""
        returns = self.status == self.Status.CAPTURED and (self.away_until or 0) > day
        return self.status == self.Status.FREE or returns

    @property
    def present(self) -> bool:
        """Free, back from wherever he was, and with his army often enough (PF-2.5). Reads the campaign's day."""
        away = self.away_until is not None and self.away_until > self.campaign.day
        return self.status == self.Status.FREE and not away and self.active_days >= ACTIVE_DAYS
