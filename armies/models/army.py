"""Model of armies as every ruleset has them."""

from __future__ import annotations

from typing import Self

from django.db import models
from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from armies.models.base import Continued
from armies.models.commander import Commander
from armies.models.routes import Route, read_route
from kingdom.models.base import DayField
from kingdom.models.kingdom import HEX_MAX
from kingdom.models.natural import Natural

WHEREABOUTS = ("place", "hex", "marching_until", "route")


class ArmyQuerySet[Row: "Army"](models.QuerySet[Row]):
    LOCKED: tuple[str, ...] = ("self",)

    def complete(self) -> Self:
        """With all that a sheet reads: the same number of queries for one army and for fifty."""
        return self.select_related("campaign", "kingdom__campaign", "commander__campaign")

    def without_whereabouts(self) -> Self:
        """For what tells nothing of where they are: it is as it was when one of them has marched on."""
        return self.defer(*WHEREABOUTS)

    def locked(self) -> Self:
        """Held until the transaction ends, in the order of their ids, so that no two wait for each other in a ring."""
        return self.select_for_update(of=self.LOCKED).order_by("pk")


def rows_of[A: "Army"](kind: type[A]) -> ArmyQuerySet[A]:
    """All armies of this model: every law's, or one law's own."""
    return kind.objects.all()  # type: ignore[return-value]


class Army(Continued):
    """An army under one banner, whatever law it fights by.

    `sheet` is the law's own document of it: only the law and its UI read and write what stands in it. `health`,
    `health_max` (in the law's own measure) and `upkeep` (a week, of the kingdom's treasury) follow from it; lists and
    weeks read them here. What a law moves by itself, week by week, it keeps in a model of its own below this one.

    `place` is where the army stands or goes to, in free words; until day `marching_until` it is on the march. `hex` is
    where it stands on the campaign's map ("C7"), "" for nowhere.
    `route` is the way it has set out on (`armies.models.routes`), kept when it is there until it goes elsewhere.
    `hidden`: nobody at the table knows of it but the GM, viewers and those who run its kingdom; else `revealed` shows
    its sheet to everybody (`armies.forces.access`). `origin` is what a battle created it from.
    """

    class Status(models.TextChoices):
        READY = "ready", _("ready")
        ROUTED = "routed", _("routed")
        DEFEATED = "defeated", _("defeated")
        DISBANDED = "disbanded", _("disbanded")
        CAPTURED = "captured", _("captured")

    STANDING = (Status.READY, Status.ROUTED)
    BROKEN_OFF = ("route", "marching_until", "health")

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="armies")
    name = models.CharField(max_length=120)
    commander = models.OneToOneField(Commander, models.SET_NULL, null=True, blank=True, related_name="army")
    status = models.CharField(max_length=10, choices=Status, default=Status.READY)
    health = models.PositiveIntegerField()
    health_max = models.PositiveIntegerField()
    upkeep = models.PositiveIntegerField(default=0)
    place = models.CharField(max_length=120, blank=True, default="")
    hex = models.CharField(max_length=HEX_MAX, blank=True, default="")
    marching_until = DayField(null=True, blank=True)
    route = models.JSONField(null=True, blank=True, editable=False)
    revealed = models.BooleanField(default=False)
    hidden = models.BooleanField(default=False, db_default=False)
    sheet = models.JSONField(default=dict)
    origin = models.JSONField(null=True, blank=True, editable=False)

    objects = ArmyQuerySet.as_manager()

    class Meta:
        ordering = (Natural("name"), "id")
        verbose_name_plural = "armies"
        indexes = (
            models.Index(fields=("campaign", "kingdom"), name="army_kingdom"),
            models.Index(fields=("campaign", "status"), name="army_status"),
            models.Index(fields=("campaign", "id"), name="army_listed"),
        )
        constraints = (
            models.CheckConstraint(name="army_health", condition=Q(health__lte=F("health_max"))),
            models.CheckConstraint(name="army_health_max", condition=Q(health_max__gte=1)),
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
    def where(self) -> str:
        """Where it is told to be: in the words somebody found for it, else by its hex."""
        return self.place or self.hex

    @property
    def marching(self) -> bool:
        """Whether it marches today. Reads the campaign's day."""
        return self.marching_until is not None and self.marching_until > self.campaign.day

    @property
    def way(self) -> Route | None:
        """The way it has set out on last, if nobody has put it elsewhere since."""
        return read_route(self.route)

    def break_off(self) -> None:
        """Go no further on its way (`BROKEN_OFF` is what changes): what a hard march took for days it now does not
        march comes back, and who has marched today does not rest today. Reads the campaign's day.
        """
        way, day = self.way, self.campaign.day
        if way is None:
            return
        self.health = min(self.health_max, self.health + way.wear * max(0, way.until - day))
        if self.marching:
            self.marching_until = day + 1 if way.since < day else None
        self.route = None

    @property
    def routed(self) -> bool:
        return self.status == self.Status.ROUTED
