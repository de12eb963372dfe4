"""Models of a battle and of the armies in it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from armies.models.seat import ArmySeat
from kingdom.models.base import CampaignOwned, DayField, uuid7
from rules.core import text


class Battle(CampaignOwned):
    """A battle: its opening, and its version, which grows with every change.

    What happened is in its records. `ruleset`, `ruleset_version` and `house_rules` are those of the day it was opened,
    `figures` those of its armies then. `state` is a summary for lists, `revision` names the state in caches: both can
    be rebuilt. `opponents`: by side, how the engine commands it (`battles.opponents.queries`); people command the other
    sides.
    """

    class Status(models.TextChoices):
        SETUP = "setup", _("being set up")
        RUNNING = "running", _("running")
        AFTERMATH = "aftermath", _("fought, aftermath open")
        CLOSED = "closed", _("over")

    OPEN = (Status.SETUP, Status.RUNNING, Status.AFTERMATH)

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="battles")
    name = models.CharField(max_length=120)
    ruleset = models.CharField(max_length=40)
    ruleset_version = models.CharField(max_length=20)
    house_rules = models.JSONField(default=dict, blank=True)
    opening = models.JSONField()
    figures = models.JSONField(default=dict, blank=True)
    state = models.JSONField()
    opponents = models.JSONField(default=dict, blank=True)
    version = models.PositiveIntegerField(default=1)
    revision = models.UUIDField(default=uuid7, editable=False)
    status = models.CharField(max_length=10, choices=Status, default=Status.SETUP)
    day = DayField()
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    armies = models.ManyToManyField("armies.Army", through="BattleArmy", related_name="battles")

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("campaign", "status"), name="battle_status"),)
        constraints = (
            models.CheckConstraint(
                name="battle_status_known", condition=Q(status__in=("setup", "running", "aftermath", "closed"))
            ),
        )

    def __str__(self) -> str:
        return self.name

    def get_absolute_url(self) -> str:
        return reverse("battles:battle", args=[self.pk])

    @property
    def open(self) -> bool:
        """Whether its armies are still bound to it."""
        return self.status != self.Status.CLOSED


class BattleArmy(ArmySeat):
    """An army in a battle, also after it has left, and its commander. It keeps the army from being deleted."""

    EVENT, EVENT_NAME, HELD = "battle", "battle__name", text._("In battle:")
    GOES_ON = BINDS = Q(battle__status__in=Battle.OPEN)

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="seats")
    army = models.ForeignKey("armies.Army", models.RESTRICT, related_name="seats")
    side = models.PositiveSmallIntegerField()
    commander = models.ForeignKey("armies.Commander", models.SET_NULL, null=True, related_name="seats")

    class Meta:
        ordering = ("battle", "side", "id")
        verbose_name_plural = "armies in battles"
        constraints = (models.UniqueConstraint(name="battle_army_once", fields=("battle", "army")),)

    def __str__(self) -> str:
        return f"{self.army_id} @ {self.battle_id}"
