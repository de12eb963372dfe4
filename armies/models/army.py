"""Model of armies of every ruleset."""

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
        """With everything that sheets read. The number of queries does not depend on the number of armies."""
        return self.select_related("campaign", "kingdom__campaign", "commander__campaign")

    def without_whereabouts(self) -> Self:
        """Without the columns of place and march. For responses that do not show them, so that they stay equal while
        armies march.
        """
        return self.defer(*WHEREABOUTS)

    def locked(self) -> Self:
        """Locks the rows until the end of the transaction, in the order of their ids, against deadlocks."""
        return self.select_for_update(of=self.LOCKED).order_by("pk")


def rows_of[A: "Army"](kind: type[A]) -> ArmyQuerySet[A]:
    """All rows of this model: `Army` for armies of every ruleset, a subclass for those of one ruleset."""
    return kind.objects.all()  # type: ignore[return-value]


class Army(Continued):
    """An army of a kingdom, under any ruleset.

    `sheet`: the ruleset's document, which only the ruleset and its UI read and write. `health`, `health_max` (in the
    ruleset's unit) and `upkeep` (BP per week from the kingdom's treasury) derive from it, for lists and weeks. What a
    ruleset changes by itself week by week is kept in its own subclass of this model.

    `place`: where the army is or marches to, in free words. `marching_until`: the day its march ends. `hex`: its hex on
    the campaign's map ("C7"), "" for none. `route`: its latest march (`armies.models.routes`), kept after arrival until
    it moves again. `hidden`: only the GM, viewers and those who run its kingdom know of it. `revealed`: everybody may
    read its sheet (`armies.forces.access`). `origin`: what a battle created it from.
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
        """Whether it is still an army: ready or routed."""
        return self.status in self.STANDING

    @property
    def where(self) -> str:
        """Its place in words, else its hex."""
        return self.place or self.hex

    @property
    def marching(self) -> bool:
        """Whether it marches today. Reads the campaign's day."""
        return self.marching_until is not None and self.marching_until > self.campaign.day

    @property
    def way(self) -> Route | None:
        """Its latest march; None if it was moved otherwise since."""
        return read_route(self.route)

    def break_off(self) -> None:
        """Ends its march today, unsaved; `BROKEN_OFF` are the changed columns. Reads the campaign's day.

        Health taken for the remaining days of a hard march is given back. An army that has marched today still counts
        as marching today, so it does not rest.
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
