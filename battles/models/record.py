"""Model of records: what was commanded, the dice that fell, and what came of it."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from battles.models.battle import Battle
from kingdom.models.base import CampaignOwned

TOGETHER = "together"
"""Beside a command: it was given in one go with those that bear the same number."""

ENGINE = "engine"
"""Beside an order that the engine gave: its leaning, the seed of its draw, and why (`{leaning, seed, why}`)."""

FORWARD = "forward"
"""Beside a command: the battle went on by itself since this version, until something happened."""

PASSED = "passed"
"""Beside a command: the battle went on by itself since this version, through phases with nothing to decide."""


class BattleRecord(CampaignOwned):
    """One command and its events. Never changed, but for `undone`: the trace stays.

    `dice` are the rolls in the order they fell; `version` is the battle's right after this command;
    `first_event` numbers its first event within the battle, undone ones included. `frozen`, in every twentieth
    record or so and in the last of a closed battle, is the state right after it: a shorter way to fold, which can
    always be made again. `figures` are those of every army right after it, where they changed.
    """

    battle = models.ForeignKey(Battle, models.CASCADE, related_name="records")
    seq = models.PositiveIntegerField()
    version = models.PositiveIntegerField()
    first_event = models.PositiveIntegerField()
    command = models.JSONField()
    dice = models.JSONField(default=list, blank=True)
    events = models.JSONField()
    frozen = models.JSONField(null=True, blank=True)
    figures = models.JSONField(null=True, blank=True)
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False)
    undone = models.BooleanField(default=False)
    undone_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    undone_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("battle", "seq")
        constraints = (models.UniqueConstraint(name="battle_record_seq", fields=("battle", "seq")),)

    @property
    def together(self) -> int | None:
        """The number of those commands that were given in one go, this one among them."""
        return self.command.get(TOGETHER)

    def __str__(self) -> str:
        return f"{self.battle_id} #{self.seq}"
