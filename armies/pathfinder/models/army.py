"""Models of mass combat's armies and commanders, of tactics and resources (PF-1, PF-2, PF-5)."""

from __future__ import annotations

from typing import Any, Self

from django.db import models
from django.db.models import Q

from armies.models import Army, ArmyQuerySet, Commander, CommanderQuerySet
from kingdom.models.base import CampaignOwned
from rules.army_figures import column_of
from rules.pathfinder.spec import MASS_COMBAT_FIGURES
from rules.pathfinder.weeks.week_state import ACTIVE_DAYS, DAYS_A_WEEK

# Model of mass combat's commanders (PF-2).


class PathfinderCommanderQuerySet(CommanderQuerySet["PathfinderCommander"]):
    def complete(self) -> Self:
        return super().complete().select_related("army__pathfinderarmy")


class PathfinderCommander(Commander):
    """Leadership, morale bonus and boons allowed are derived (`build_commander_spec`).

    `active_days`: how many days of a week they are with their army. Their ransom (BP) is the Consumption of what they
    led.
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
        """Free, back from wherever they were, and with their army often enough (PF-2.5). Reads the campaign's day."""
        return self.free_today and self.active_days >= ACTIVE_DAYS

    @property
    def led(self) -> PathfinderArmy | None:
        """The army they lead, if any."""
        army = getattr(self, "army", None)
        return army.pathfinderarmy if army is not None else None


class PathfinderArmyQuerySet(ArmyQuerySet["PathfinderArmy"]):
    LOCKED = ("self", "army_ptr")

    def complete(self) -> Self:
        joined = super().complete().select_related("commander__pathfindercommander")
        return joined.prefetch_related("resources", "tactics")

    def listed(self) -> Self:
        """All that a sheet reads, and not where they are."""
        rows = self.without_whereabouts().select_related("commander__pathfindercommander")
        return rows.prefetch_related("resources", "tactics")


def newly_raised(army: Any) -> None:
    """It carries and knows nothing yet: nobody need ask the database for that."""
    army._prefetched_objects_cache = {"resources": [], "tactics": []}


class PathfinderArmy(Army):
    """One unit type under one banner (PF-1.11). Its document: `unit` and `mount` in the shape of the API, `count`, and
    the `version` of that shape.

    What weeks move and read is in columns. `acr` (its floor) and `regrowth` (hp a day that come back by themselves,
    PF-7.5) are caches of the sheet, refreshed by the services whenever what they depend on changes, like hit points
    at most and Consumption (BP per week). `surcharge` (BP) comes on top in the next week: potions drunk (R-22).
    `owed` are BP of weeks unpaid. `ill`: the disease still grows; `disease` is its penalty. `foraging`: weeks of food
    left in its hex, once it lives off the land (PF-2.9). An army on the march does not rest. `led_days`: days a
    commander was with it before day `led_to`, in the week of that day, counted when the command last changed (R-80).
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

    objects = PathfinderArmyQuerySet.as_manager()  # type: ignore[misc]

    class Meta:
        db_table = "pathfinder_army"
        verbose_name_plural = "armies"
        constraints = (
            models.CheckConstraint(name="army_morale", condition=Q(morale__gte=-4, morale__lte=4)),
            models.CheckConstraint(name="army_owed", condition=Q(owed=0) | Q(owed__gt=0, arrears=True)),
        )

    @property
    def leader(self) -> PathfinderCommander | None:
        """The commander with their figures. One object with the army's campaign: its rules are read once."""
        chief = self.commander
        if chief is None or isinstance(chief, PathfinderCommander):
            return chief
        own: PathfinderCommander = chief.pathfindercommander
        for known in (self, chief):
            if "campaign" in known._state.fields_cache:
                own.campaign = known.campaign
                break
        return own

    # The law's words for what every army has.
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
    """The columns in which these figures of an army are kept, for `save(update_fields=…)`."""
    return sorted({STORED.get(name, name) for name in names})


class ArmyResource(CampaignOwned):
    """What an army carries. Only siege engines come in more than one (PF-5)."""

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
    """A tactic an army knows; granted ones do not count against its room (PF-1.10)."""

    army = models.ForeignKey(Army, models.CASCADE, related_name="tactics")
    tactic = models.CharField(max_length=40)
    granted = models.BooleanField(default=False)

    class Meta:
        db_table = "armies_armytactic"
        ordering = ("tactic",)
        constraints = (models.UniqueConstraint(name="army_tactic_once", fields=("army", "tactic")),)

    def __str__(self) -> str:
        return self.tactic
