"""Models of passed weeks for every army, and of choices for weeks (PF-7)."""

from __future__ import annotations

from django.db import models

from kingdom.models.base import CampaignOwned, DayField
from rules.pathfinder.kingdom_checks import KingdomCheck, kingdom_check


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
    """Choices for a week, by the names of the API: lists of ids. They hold until the week ends (R-81)."""

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
