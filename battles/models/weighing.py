"""Model of weighings: what the dice of a command did to the chances to win."""

from __future__ import annotations

from django.db import models

from battles.models.record import BattleRecord
from kingdom.models.base import CampaignOwned


class Weighing(CampaignOwned):
    """The chances on both sides of a record's dice, as whoever knows as much of the armies was told them once.

    A record never changes, so this never does: whatever forecasts say one day, a battle that was fought stays told as
    it was. `known` names what its readers know of the battle; `found` is `rules.odds.hindsight.Weighed`, null where
    nothing could be foretold.
    """

    record = models.ForeignKey(BattleRecord, models.CASCADE, related_name="weighings")
    known = models.CharField(max_length=64)
    found = models.JSONField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(name="weighing_once", fields=("record", "known")),)

    def __str__(self) -> str:
        return f"{self.record_id} {self.known}"
