"""Models of fortified places, their garrisons, and sieges (BP-8)."""

from __future__ import annotations

from django.db import models
from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from armies.models.army import ArmySeat
from kingdom.models.base import CampaignOwned, DayField, Natural
from rules.core import text

# Fortified places and the armies in them.


class FortifiedPlace(CampaignOwned):
    """A place that can be garrisoned and besieged (BP-8).

    `kingdom`: who holds it. `kind`: slug of the fortification. `garrison`: heads of a full garrison, half of those it
    has room for. `outer`: the place that must fall before it (B-61).
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
    """An army in a place. An army has at most one."""

    army = models.OneToOneField("armies.Army", models.CASCADE, related_name="stationed")
    place = models.ForeignKey(FortifiedPlace, models.CASCADE, related_name="stationed")

    class Meta:
        ordering = ("id",)

    def __str__(self) -> str:
        return f"{self.army_id} @ {self.place_id}"


# Sieges and the armies in them.

RUNNING = ("open", "broken", "sortie", "assault")


class SiegeRow(CampaignOwned):
    """A siege of a place since day `began`. Its weeks end every seven days from then (B-57).

    `state`: everything that changes (`rules.breaking_point.siege.siege_state`), with the ids of both sides' armies,
    chief first, and the log lines of the last change. `status` is a copy of the state's; `version` grows with every
    change.
    """

    class Status(models.TextChoices):
        OPEN = "open", _("besieged")
        BROKEN = "broken", _("at its breaking point")
        SORTIE = "sortie", _("sortie")
        ASSAULT = "assault", _("assault")
        LIFTED = "lifted", _("lifted")
        HONOURS = "honours", _("surrendered with the honors of war")
        UNCONDITIONAL = "unconditional", _("surrendered unconditionally")
        TAKEN = "taken", _("taken by assault")

    in_addresses = "siege"

    place = models.ForeignKey(FortifiedPlace, models.CASCADE, related_name="sieges")
    began = DayField()
    version = models.PositiveIntegerField(default=0)
    status = models.CharField(max_length=20, choices=Status, default=Status.OPEN)
    state = models.JSONField(default=dict)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("campaign", "status"), name="siege_status"),)
        constraints = (models.UniqueConstraint(name="siege_once", fields=("place",), condition=Q(status__in=RUNNING)),)

    def __str__(self) -> str:
        return self.place.name

    @property
    def running(self) -> bool:
        return self.status in RUNNING

    @property
    def lifted(self) -> bool:
        """Whether it was lifted. Then the weeks it lasted are shown, since its own count is reset (B-60)."""
        return self.status == self.Status.LIFTED


class SiegeArmy(ArmySeat):
    """An army in a running siege, a copy of what the siege's state says. It cannot be deleted meanwhile.

    A battle of the siege releases it for that battle.
    """

    EVENT, EVENT_NAME, HELD = "siege", "siege__place__name", text._("In a siege:")
    GOES_ON = Q(siege__status__in=RUNNING)
    BINDS = Q(siege__status__in=("open", "broken"))

    siege = models.ForeignKey(SiegeRow, models.CASCADE, related_name="armies")
    army = models.ForeignKey("armies.Army", models.RESTRICT, related_name="sieges")
    side = models.CharField(max_length=10)
    position = models.PositiveSmallIntegerField()

    class Meta:
        ordering = ("side", "position")
        constraints = (models.UniqueConstraint(name="siege_army_once", fields=("siege", "army")),)

    def __str__(self) -> str:
        return f"{self.army_id} · {self.side}"


__all__ = ["FortifiedPlace", "SiegeArmy", "SiegeRow", "Stationed"]
