"""Models of mass combat: armies, commanders, tactics, resources, stores, unit types, Foundry actors, and passed weeks
(PF-1, PF-2, PF-5, PF-7).
"""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.models import Q

from armies.models import Army, ArmyQuerySet, Commander, CommanderQuerySet
from kingdom.models.base import CampaignOwned, DayField, Natural
from rules.army_law import column_of
from rules.pathfinder.kingdom_checks import KingdomCheck, kingdom_check
from rules.pathfinder.spec import MASS_COMBAT_FIGURES
from rules.pathfinder.weeks.week_state import ACTIVE_DAYS, DAYS_A_WEEK

# Models of mass combat's armies and commanders, of tactics and resources (PF-1, PF-2, PF-5).

# Commanders (PF-2).


class PathfinderCommanderQuerySet(CommanderQuerySet["PathfinderCommander"]):
    def complete(self) -> Self:
        return super().complete().select_related("army__pathfinderarmy")


class PathfinderCommander(Commander):
    """A commander of mass combat. Leadership, morale bonus and number of boons are derived (`build_commander_spec`).

    `active_days`: days of a week with their army. `ransom`: BP, by default the Consumption of the army they led.
    """

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
    notorious = models.BooleanField(default=False)
    active_days = models.PositiveSmallIntegerField(default=DAYS_A_WEEK)

    objects = PathfinderCommanderQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        db_table = "pathfinder_commander"
        constraints = (
            models.CheckConstraint(name="commander_level", condition=models.Q(level__gte=1)),
            models.CheckConstraint(name="commander_active_days", condition=models.Q(active_days__lte=DAYS_A_WEEK)),
        )

    @property
    def present(self) -> bool:
        """Whether they are free, not away, and with their army on enough days (PF-2.5). Reads the campaign's day."""
        return self.free_today and self.active_days >= ACTIVE_DAYS

    @property
    def led(self) -> PathfinderArmy | None:
        """The army they lead; None for none."""
        army = getattr(self, "army", None)
        return army.pathfinderarmy if army is not None else None


class PathfinderArmyQuerySet(ArmyQuerySet["PathfinderArmy"]):
    LOCKED = ("self", "army_ptr")

    def without_campaign(self) -> Self:
        joined = super().without_campaign().select_related("commander__pathfindercommander")
        return joined.prefetch_related("resources", "tactics")

    def listed(self) -> Self:
        """Load everything that a sheet reads, except place and march."""
        rows = self.without_whereabouts().select_related("commander__pathfindercommander")
        return rows.prefetch_related("resources", "tactics")


def newly_raised(army: Any) -> None:
    """Marks a new army as having no resources and tactics, which saves the queries for them."""
    army._prefetched_objects_cache = {"resources": [], "tactics": []}


class PathfinderArmy(Army):
    """An army of units of one type (PF-1.11). Its document: `unit` and `mount` in the shape of the API, `count`, and
    the `version` of that shape.

    Figures that weeks read and change are columns. `acr` (rounded down), `regrowth` (hp a day, PF-7.5), maximum hp and
    Consumption (BP per week) are caches of the sheet, which the services refresh when it changes.

    `surcharge`: BP added to the next week for potions (R-22). `owed`: BP of unpaid weeks. `disease`: its penalty;
    `ill`: whether it still grows. `foraging`: weeks of food left in its hex, while it lives off the land (PF-2.9).
    `led_days`: days a commander was with it before day `led_to`, in the week of that day, counted when the command last
    changed (R-80). `reserved_on`: the day it was put in reserve; `called_up`: the day it is ready again, if it was
    called up (R-94).
    """

    morale = models.SmallIntegerField(default=0)
    arrears = models.BooleanField(default=False)
    owed = models.BigIntegerField(default=0)
    ill = models.BooleanField(default=False)
    disease = models.PositiveSmallIntegerField(default=0)
    drain = models.PositiveSmallIntegerField(default=0)
    acr = models.PositiveSmallIntegerField(default=0)
    regrowth = models.PositiveIntegerField(default=0)
    foraging = models.PositiveSmallIntegerField(null=True, blank=True)
    rested_on = models.IntegerField(null=True, blank=True)
    surcharge = models.PositiveIntegerField(default=0)
    led_days = models.PositiveSmallIntegerField(default=0)
    led_to = models.PositiveIntegerField(default=0)
    reserved_on = DayField(null=True, blank=True)
    called_up = DayField(null=True, blank=True)

    objects = PathfinderArmyQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        db_table = "pathfinder_army"
        verbose_name_plural = "armies"
        constraints = (
            models.CheckConstraint(name="army_morale", condition=Q(morale__gte=-4, morale__lte=4)),
            models.CheckConstraint(name="army_owed", condition=Q(owed=0) | Q(owed__gt=0, arrears=True)),
        )

    STAYS_IN_RESERVE = Q(reserved_on__isnull=False, called_up=None)

    @property
    def stays_in_reserve(self) -> bool:
        """Whether it is in reserve and not called up (R-94); `STAYS_IN_RESERVE` says the same in queries."""
        return self.reserved_on is not None and self.called_up is None

    @property
    def in_reserve(self) -> bool:
        """Whether it is in reserve today, or on its way out (R-94). Reads the campaign's day."""
        return self.reserved_on is not None and (self.called_up is None or self.called_up > self.campaign.day)

    @property
    def leader(self) -> PathfinderCommander | None:
        """The commander as a `PathfinderCommander` that shares the army's campaign object, so that rules are read
        once.
        """
        chief = self.commander
        if chief is None or isinstance(chief, PathfinderCommander):
            return chief
        own: PathfinderCommander = chief.pathfindercommander
        for known in (self, chief):
            if "campaign" in known._state.fields_cache:
                own.campaign = known.campaign
                break
        return own

    # Names of mass combat for fields of every army.
    @property
    def hp(self) -> int:
        return self.health

    @hp.setter
    def hp(self, hp: int) -> None:
        self.health = hp

    @property
    def hp_max(self) -> int:
        return self.health_max

    @hp_max.setter
    def hp_max(self, most: int) -> None:
        self.health_max = most

    @property
    def consumption(self) -> int:
        return self.upkeep

    @consumption.setter
    def consumption(self, bp: int) -> None:
        self.upkeep = bp

    # Its document.
    @property
    def unit(self) -> dict[str, Any]:
        found: dict[str, Any] = self.sheet["unit"]
        return found

    @unit.setter
    def unit(self, unit: dict[str, Any]) -> None:
        self.sheet["unit"] = unit

    @property
    def count(self) -> int:
        found: int = self.sheet["count"]
        return found

    @count.setter
    def count(self, count: int) -> None:
        self.sheet["count"] = count

    @property
    def mount(self) -> dict[str, Any] | None:
        found: dict[str, Any] | None = self.sheet.get("mount")
        return found

    @mount.setter
    def mount(self, mount: dict[str, Any] | None) -> None:
        self.sheet["mount"] = mount


STORED = {one.name: column_of(one) for one in MASS_COMBAT_FIGURES.fields if column_of(one) != one.name}


def columns(names: Any) -> list[str]:
    """Columns in which these figures are stored, for `save(update_fields=…)`."""
    return sorted({STORED.get(name, name) for name in names})


class ArmyResource(CampaignOwned):
    """A resource of an army. Only siege engines have a quantity above 1 (PF-5)."""

    army = models.ForeignKey(Army, models.CASCADE, related_name="resources")
    resource = models.CharField(max_length=40)
    quantity = models.PositiveIntegerField(default=1)

    class Meta:
        db_table = "armies_armyresource"
        ordering = ("resource",)
        constraints = (
            models.UniqueConstraint(name="army_resource_once", fields=("army", "resource")),
            models.CheckConstraint(name="army_resource_quantity", condition=Q(quantity__gte=1)),
        )

    def __str__(self) -> str:
        return f"{self.resource} × {self.quantity}"


class ArmyTactic(CampaignOwned):
    """A tactic that an army knows. Granted ones take none of its room (PF-1.10)."""

    army = models.ForeignKey(Army, models.CASCADE, related_name="tactics")
    tactic = models.CharField(max_length=40)
    granted = models.BooleanField(default=False)

    class Meta:
        db_table = "armies_armytactic"
        ordering = ("tactic",)
        constraints = (models.UniqueConstraint(name="army_tactic_once", fields=("army", "tactic")),)

    def __str__(self) -> str:
        return self.tactic


# Models of a kingdom's stores, filled by disbanded armies (PF-5.2), of Foundry actors, and of unit types (PF-1.11).


class KingdomStock(CampaignOwned):
    """Resources in store. `size`: army size for which the set was made; it fits that size and smaller ones."""

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="stores")
    resource = models.CharField(max_length=40)
    size = models.CharField(max_length=20)
    quantity = models.PositiveIntegerField(default=1)
    mount = models.JSONField(null=True, blank=True)

    class Meta:
        db_table = "armies_kingdomstock"
        ordering = ("resource", "size", "id")
        constraints = (models.CheckConstraint(name="kingdom_stock_quantity", condition=Q(quantity__gte=1)),)

    def __str__(self) -> str:
        return f"{self.resource} ({self.size}) × {self.quantity}"


class FoundryActor(CampaignOwned):
    """The whole actor from which an army or kingdom was imported. Parts that mean nothing here are exported again."""

    army = models.OneToOneField("armies.Army", models.CASCADE, null=True, blank=True, related_name="foundry")
    kingdom = models.OneToOneField("kingdom.Kingdom", models.CASCADE, null=True, blank=True, related_name="foundry")
    actor = models.JSONField()

    class Meta:
        db_table = "pathfinder_foundryactor"
        ordering = ("id",)
        constraints = (
            models.CheckConstraint(name="foundry_actor_of_one", condition=Q(army=None) ^ Q(kingdom=None)),
        )  # fmt: skip

    def __str__(self) -> str:
        return str(self.actor.get("name", ""))


class UnitType(CampaignOwned):
    """A campaign's own unit type. With the `slug` of a library type it replaces that type."""

    slug = models.CharField(max_length=80)
    name = models.CharField(max_length=120)
    family = models.CharField(max_length=40)
    unit = models.JSONField()

    class Meta:
        db_table = "armies_unittype"
        ordering = (Natural("name"), "id")
        constraints = (models.UniqueConstraint(name="unit_type_once", fields=("campaign", "slug")),)

    def __str__(self) -> str:
        return self.name


# Models of passed weeks for every army, and of choices for weeks (PF-7).


class ArmyWeek(models.Model):
    """One army in one time step: its cost, and its figures before and after, for the undo.

    There is a row for every army paid, unpaid or changed. Rows come by the million and are written and read a step at a
    time: so there are no foreign keys and no index by army, `TimeStep` makes steps unique, and a step's rows lie
    together on disk. Figures that did not change are equal on both sides. `commander` was freed if the army disbanded.
    `due`, `paid`, `owed_*` and `surcharge` are BP; a week always clears `surcharge`, and `drain` always ends.
    """

    pk = models.CompositePrimaryKey("campaign", "day", "army_id")
    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, db_constraint=False, db_index=False,
                                 related_name="+")  # fmt: skip
    day = DayField()
    army_id = models.UUIDField()
    kingdom_id = models.UUIDField()
    due = models.PositiveIntegerField(null=True)
    paid = models.BigIntegerField(default=0)
    doubled = models.BooleanField(default=False)
    hp_before = models.PositiveIntegerField()
    hp_after = models.PositiveIntegerField()
    morale_before = models.SmallIntegerField()
    morale_after = models.SmallIntegerField()
    status_before = models.CharField(max_length=10)
    status_after = models.CharField(max_length=10)
    arrears_before = models.BooleanField()
    arrears_after = models.BooleanField()
    owed_before = models.BigIntegerField()
    owed_after = models.BigIntegerField()
    disease_before = models.PositiveSmallIntegerField()
    disease_after = models.PositiveSmallIntegerField()
    ill_before = models.BooleanField()
    ill_after = models.BooleanField()
    drain = models.PositiveSmallIntegerField(default=0)
    surcharge = models.PositiveIntegerField(default=0)
    commander = models.UUIDField(null=True)

    class Meta:
        db_table = "armies_armyweek"
        ordering = ("day", "army_id")
        indexes = (models.Index(fields=("campaign", "day"), name="army_week_step"),)

    def __str__(self) -> str:
        return f"{self.army_id} · {self.day}"


class WeekChoices(CampaignOwned):
    """The GM's choices for the campaign's running week (R-81), such as armies that live off the land. `choices`: lists
    of army or kingdom ids, by the names that the API uses (`rules.pathfinder.weeks.week_state.Choices`). `week`: the
    day on which the week ends.
    """

    week = DayField()
    choices = models.JSONField(default=dict)

    class Meta:
        db_table = "armies_weekchoices"
        ordering = ("week",)
        verbose_name_plural = "week choices"
        constraints = (models.UniqueConstraint(name="week_choices_once", fields=("campaign", "week")),)

    def __str__(self) -> str:
        return f"week {self.week}"


class RestCheck(CampaignOwned):
    """A kingdom's Loyalty check for rest on `day`, at most one a day (R-79). Its die is kept.

    `loyalty`, `unrest` and `dc`: at the time of the check.
    """

    kingdom = models.ForeignKey("kingdom.Kingdom", models.CASCADE, related_name="+")
    day = DayField()
    roll = models.PositiveSmallIntegerField()
    loyalty = models.IntegerField()
    unrest = models.IntegerField()
    dc = models.IntegerField()

    class Meta:
        db_table = "armies_restcheck"
        ordering = ("day",)
        constraints = (models.UniqueConstraint(name="rest_check_once", fields=("kingdom", "day")),)

    def __str__(self) -> str:
        return f"{self.kingdom_id} · {self.day}"

    @property
    def check_made(self) -> KingdomCheck:
        """The check with its result."""
        return kingdom_check(attribute="loyalty", value=self.loyalty, unrest=self.unrest, dc=self.dc, roll=self.roll)
