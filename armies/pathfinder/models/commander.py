"""Model of mass combat's commanders (PF-2)."""

from __future__ import annotations

from typing import TYPE_CHECKING, Self

from django.db import models

from armies.models import Commander, CommanderQuerySet
from rules.pathfinder.weeks.week_state import ACTIVE_DAYS, DAYS_A_WEEK

if TYPE_CHECKING:
    from armies.pathfinder.models.army import PathfinderArmy


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
