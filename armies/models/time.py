"""Model of time steps: which days of a campaign have passed."""

from __future__ import annotations

from django.db import models

from kingdom.models.base import CampaignOwned, DayField


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
