"""Models of armies and commanders under every ruleset, of their participation in battles, of intelligence, and of the
log of passed days.
"""

from __future__ import annotations

from functools import cache
from typing import Any, ClassVar, Self
from uuid import UUID

from django.apps import apps
from django.db import models
from django.db.models import F, Q, QuerySet
from django.utils.translation import gettext_lazy as _

from armies.models.routes import Route, read_route
from core.text_search import filter_by_words
from kingdom.models.base import CampaignOwned, DayField, Natural
from kingdom.models.campaign import Knowledge
from kingdom.models.kingdom import HEX_MAX
from rules.core.text import Said

# Base model of rows that a ruleset may extend with a model of its own.


class Continued(CampaignOwned):
    """Base of models with multi-table subclasses in rulesets. A new row has its key in both tables before it is
    saved.
    """

    class Meta:
        abstract = True

    def __init__(self, *args: Any, **given: Any) -> None:
        if "pk" in given:
            given["id"] = given.pop("pk")
        super().__init__(*args, **given)
        key = self._meta.pk.attname
        if key != "id" and getattr(self, key) is None:
            setattr(self, key, self.id)

    def _set_pk_val(self, value: Any) -> None:
        super()._set_pk_val(value)  # type: ignore[misc]
        self.id = value

    pk = property(CampaignOwned._get_pk_val, _set_pk_val)

    def __eq__(self, other: object) -> bool:
        """Whether both are the same row, loaded as the base model or as a subclass."""
        if isinstance(other, Continued) and (isinstance(other, type(self)) or isinstance(self, type(other))):
            return bool(self.id == other.id)
        return NotImplemented

    def __hash__(self) -> int:
        return hash(self.id)


# Model of commanders of every ruleset.


class CommanderQuerySet[Row: "Commander"](models.QuerySet[Row]):
    def complete(self) -> Self:
        """Load everything that a commander's figures read, in a constant number of queries."""
        return self.select_related("campaign", "kingdom__campaign", "army")

    def search(self, query: str) -> Self:
        """Filter by a search: every word of the query is in the commander's or their army's name."""
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
        """Whether the commander is free, or a captive who is released after this day."""
        returns = self.status == self.Status.CAPTURED and (self.away_until or 0) > day
        return self.status == self.Status.FREE or returns

    @property
    def free_today(self) -> bool:
        """Whether they are free and not away. Reads the campaign's day."""
        away = self.away_until is not None and self.away_until > self.campaign.day
        return self.status == self.Status.FREE and not away


# Model of armies of every ruleset.

WHEREABOUTS = ("place", "hex", "marching_until", "route")


class ArmyQuerySet[Row: "Army"](models.QuerySet[Row]):
    LOCKED: tuple[str, ...] = ("self",)

    def complete(self) -> Self:
        """With everything that sheets read. The number of queries does not depend on the number of armies."""
        return self.without_campaign().select_related("campaign", "kingdom__campaign", "commander__campaign")

    def without_campaign(self) -> Self:
        """As `complete`, but without the campaign, which the caller has read and sets (`share_campaign`)."""
        return self.select_related("kingdom", "commander")

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
    read its sheet (`armies.forces.access`). `origin`: what a battle created it from. `adjustments`: what the GM
    adjusts, as {id, figure, amount, reason, until}, until that day or (None) for good.
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
    adjustments = models.JSONField(default=list, db_default=[], blank=True)

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


# Models of intelligence: insights of spies and allies, and sightings.


class Insight(CampaignOwned):
    """`kingdom` is informed about one `army`, or about all armies of a `realm`, at this level. `mutual`: and the realm
    about those of the kingdom (allies).

    Level 0 ends it; the row stays, so that this can be undone.
    """

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="insights")
    army = models.ForeignKey(Army, models.CASCADE, null=True, blank=True, related_name="insights")
    realm = models.ForeignKey("kingdom.Kingdom", models.CASCADE, null=True, blank=True, related_name="+")
    level = models.PositiveSmallIntegerField(choices=Knowledge, default=Knowledge.NOTHING)
    mutual = models.BooleanField(default=False)

    class Meta:
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(
                name="insight_of_one",
                condition=Q(army=None, realm__isnull=False) | Q(army__isnull=False, realm=None, mutual=False),
            ),
            models.CheckConstraint(name="insight_of_others", condition=Q(realm=None) | ~Q(realm=F("kingdom"))),
            models.CheckConstraint(name="insight_level", condition=Q(level__in=Knowledge.values)),
            models.UniqueConstraint(name="insight_army_once", fields=("kingdom", "army")),
            models.UniqueConstraint(name="insight_realm_once", fields=("kingdom", "realm", "mutual")),
        )

    def __str__(self) -> str:
        return f"{self.kingdom} → {self.army or self.realm}"


# Sightings: where kingdoms last saw armies that they no longer see.


class Sighting(CampaignOwned):
    """Place and day at which a kingdom last saw an army of another one. The level of knowledge decides how much of it
    is shown (`armies.forces.access`); a sighting alone makes the army known to exist.
    """

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="+")
    army = models.ForeignKey(Army, models.CASCADE, related_name="sightings")
    hex = models.CharField(max_length=HEX_MAX)
    day = DayField()

    class Meta:
        constraints = (models.UniqueConstraint(name="sighting_once", fields=("kingdom", "army")),)

    def __str__(self) -> str:
        return f"{self.hex} ({self.day})"


# Base model of seats: an army in a battle, or in another event of its ruleset.


class ArmySeat(CampaignOwned):
    """An army in a battle or another event. Armies of one event have met, and everybody in the campaign sees them.

    `EVENT`: foreign key to the event. `EVENT_NAME`: lookup of its name. `HELD`: text before that name in lists of
    armies. `GOES_ON`: condition while the army is listed with the event. `BINDS`: condition while nobody may change the
    army.
    """

    EVENT: ClassVar[str]
    EVENT_NAME: ClassVar[str]
    HELD: ClassVar[Said]
    GOES_ON: ClassVar[Q]
    BINDS: ClassVar[Q]

    class Meta:
        abstract = True

    @classmethod
    def list_bound(cls, campaign: UUID) -> QuerySet[Any, UUID]:
        """Ids of the campaign's armies that may not be changed now."""
        rows: QuerySet[Any] = cls._default_manager.filter(cls.BINDS, **{f"{cls.EVENT}__campaign": campaign})
        return rows.values_list("army", flat=True)

    @classmethod
    def list_met_by(cls, kingdoms: Any) -> QuerySet[Any]:
        """Seats in events in which an army of one of these kingdoms (a query of ids) has, or had, a seat."""
        rows: QuerySet[Any] = cls._default_manager.all()
        return rows.filter(**{f"{cls.EVENT}__in": rows.filter(army__kingdom__in=kingdoms).values(cls.EVENT)})


@cache
def list_seat_models() -> tuple[type[ArmySeat], ...]:
    """All seat models, battles first: they know an army's present state best."""
    return tuple(model for model in apps.get_models() if issubclass(model, ArmySeat))


# Model of time steps: which days of a campaign have passed.


class TimeStep(CampaignOwned):
    """Days that passed at once, up to `day`. Each day can pass only once, so a week is paid once, until it is undone.

    A step whose `day` is a multiple of seven ends a week. `entry`: the chronicle entry of the passage.
    """

    since = DayField()
    day = DayField()
    entry = models.ForeignKey("kingdom.ChronicleEntry", models.CASCADE, null=True, related_name="+")

    class Meta:
        ordering = ("day",)
        constraints = (
            models.UniqueConstraint(name="time_step_once", fields=("campaign", "day")),
            models.CheckConstraint(name="time_step_forward", condition=models.Q(day__gt=models.F("since"))),
        )

    def __str__(self) -> str:
        return f"{self.since} → {self.day}"
