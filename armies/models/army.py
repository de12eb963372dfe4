"""Armies, the tactics they know and the resources they carry (PF-1, PF-5)."""

from __future__ import annotations

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from armies.models.commander import Commander
from kingdom.models.base import CampaignOwned


class Army(CampaignOwned):
    """One unit type under one banner (PF-1.11). `unit` and `mount` keep the shape of docs/api.

    `hp_max`, `consumption` (BP per week), `acr` (its floor) and `regrowth` (hp a day that come back by
    themselves, PF-7.5) are caches of the sheet, refreshed by the services whenever what they depend on changes.
    `surcharge` (BP) comes on top in the next week: potions drunk (R-22). `owed` are BP of weeks unpaid.
    `ill`: the disease still grows; `disease` is its penalty. `foraging`: weeks of food left in its hex, once it
    lives off the land (PF-2.9). `place` is where it stands or goes to, in free words; until day `marching_until`
    it is on the march and does not rest. `led_days`: days a commander was with it before day `led_to`, in the week of
    that day, counted when the command last changed (R-80). `origin` is what a battle created it from (create spawn).
    """

    class Status(models.TextChoices):
        READY = "ready", _("ready")
        ROUTED = "routed", _("routed")
        DEFEATED = "defeated", _("defeated")
        DISBANDED = "disbanded", _("disbanded")
        CAPTURED = "captured", _("captured")

    STANDING = (Status.READY, Status.ROUTED)

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="armies")
    name = models.CharField(max_length=120)
    unit = models.JSONField()
    count = models.PositiveIntegerField()
    mount = models.JSONField(null=True, blank=True)
    commander = models.OneToOneField(Commander, models.SET_NULL, null=True, blank=True, related_name="army")
    hp = models.PositiveIntegerField()
    hp_max = models.PositiveIntegerField()
    morale = models.SmallIntegerField(default=0)
    status = models.CharField(max_length=10, choices=Status, default=Status.READY)
    arrears = models.BooleanField(default=False)
    owed = models.BigIntegerField(default=0)
    ill = models.BooleanField(default=False)
    disease = models.PositiveSmallIntegerField(default=0)
    drain = models.PositiveSmallIntegerField(default=0)
    consumption = models.PositiveIntegerField(default=1)
    acr = models.PositiveSmallIntegerField(default=0)
    regrowth = models.PositiveIntegerField(default=0)
    foraging = models.PositiveSmallIntegerField(null=True, blank=True)
    revealed = models.BooleanField(default=False)
    rested_on = models.IntegerField(null=True, blank=True)
    surcharge = models.PositiveIntegerField(default=0)
    place = models.CharField(max_length=120, blank=True, default="")
    marching_until = models.PositiveIntegerField(null=True, blank=True)
    led_days = models.PositiveSmallIntegerField(default=0)
    led_to = models.PositiveIntegerField(default=0)
    origin = models.JSONField(null=True, blank=True, editable=False)

    class Meta:
        ordering = ("name", "id")
        verbose_name_plural = "armies"
        indexes = (
            models.Index(fields=("campaign", "kingdom"), name="army_kingdom"),
            models.Index(fields=("campaign", "status"), name="army_status"),
            models.Index(fields=("campaign", "id"), name="army_listed"),
        )
        constraints = (
            models.CheckConstraint(name="army_hp", condition=Q(hp__lte=F("hp_max"))),
            models.CheckConstraint(name="army_hp_max", condition=Q(hp_max__gte=1)),
            models.CheckConstraint(name="army_morale", condition=Q(morale__gte=-4, morale__lte=4)),
            models.CheckConstraint(name="army_owed", condition=Q(owed=0) | Q(owed__gt=0, arrears=True)),
            models.CheckConstraint(name="army_count", condition=Q(count__gte=1)),
            models.CheckConstraint(
                name="army_status_known",
                condition=Q(status__in=("ready", "routed", "defeated", "disbanded", "captured")),
            ),
        )

    def __str__(self) -> str:
        return self.name

    @property
    def standing(self) -> bool:
        """Whether it still is an army: ready or routed."""
        return self.status in self.STANDING

    @property
    def marching(self) -> bool:
        """Whether it marches today. Reads the campaign's day."""
        return self.marching_until is not None and self.marching_until > self.campaign.day

    @property
    def routed(self) -> bool:
        return self.status == self.Status.ROUTED


class ArmyResource(CampaignOwned):
    """What an army carries. Only siege engines come in more than one (PF-5)."""

    army = models.ForeignKey(Army, models.CASCADE, related_name="resources")
    resource = models.CharField(max_length=40)
    quantity = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ("resource",)
        constraints = (
            models.UniqueConstraint(name="army_resource_once", fields=("army", "resource")),
            models.CheckConstraint(name="army_resource_quantity", condition=Q(quantity__gte=1)),
        )

    def __str__(self) -> str:
        return f"{self.resource} × {self.quantity}"


class ArmyTactic(CampaignOwned):
    """A tactic an army knows; granted ones do not count against its room (PF-1.10)."""

    army = models.ForeignKey(Army, models.CASCADE, related_name="tactics")
    tactic = models.CharField(max_length=40)
    granted = models.BooleanField(default=False)

    class Meta:
        ordering = ("tactic",)
        constraints = (models.UniqueConstraint(name="army_tactic_once", fields=("army", "tactic")),)

    def __str__(self) -> str:
        return self.tactic
