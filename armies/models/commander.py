"""Model of commanders of every ruleset."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.utils.translation import gettext_lazy as _

from armies.models.base import Continued
from core.text_search import filter_by_words
from kingdom.models.base import DayField
from kingdom.models.natural import Natural


class CommanderQuerySet[Row: "Commander"](models.QuerySet[Row]):
    def complete(self) -> Self:
        """With everything that a commander's figures read. The number of queries is constant."""
        return self.select_related("campaign", "kingdom__campaign", "army")

    def search(self, query: str) -> Self:
        """Those with every word of the query in their own name or their army's."""
        return filter_by_words(self, query, "name", "army__name")


class Commander(Continued):
    """A commander of a kingdom. Their abilities belong to the ruleset: in `sheet`, or in its own subclass of this
    model.

    `away_until`: day of their return, from a journey or from captivity. `ransom`: BP from the kingdom's treasury for a
    captive. `captures`: how often they were captured.
    """

    class Status(models.TextChoices):
        FREE = "free", _("free")
        CAPTURED = "captured", _("captured")
        KILLED = "killed", _("killed")

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="commanders")
    name = models.CharField(max_length=120)
    status = models.CharField(max_length=10, choices=Status, default=Status.FREE)
    captures = models.PositiveSmallIntegerField(default=0)
    away_until = DayField(null=True, blank=True)
    ransom = models.PositiveIntegerField(null=True, blank=True)
    sheet = models.JSONField(default=dict)

    objects = CommanderQuerySet.as_manager()

    class Meta:
        ordering = (Natural("name"), "id")
        indexes = (models.Index(fields=("campaign", "kingdom"), name="commander_kingdom"),)
        constraints = (
            models.CheckConstraint(
                name="commander_status", condition=models.Q(status__in=("free", "captured", "killed"))
            ),
        )

    def __str__(self) -> str:
        return self.name

    def coming(self, day: int) -> bool:
        """Whether they are free, or a captive who is released after this day."""
        returns = self.status == self.Status.CAPTURED and (self.away_until or 0) > day
        return self.status == self.Status.FREE or returns

    @property
    def free_today(self) -> bool:
        """Whether they are free and not away. Reads the campaign's day."""
        away = self.away_until is not None and self.away_until > self.campaign.day
        return self.status == self.Status.FREE and not away
