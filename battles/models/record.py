"""Model of records: a command, its dice and its events."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from battles.models.battle import Battle
from kingdom.models.base import CampaignOwned

TOGETHER = "together"
"""Key beside a command: a number shared by all commands given together."""

ENGINE = "engine"
"""Key beside an engine's order: its leaning, its seed and its reason (`{leaning, seed, why}`)."""

FORWARD = "forward"
"""Key beside a command: the version from which the battle went on by itself until something happened."""

PASSED = "passed"
"""Key beside a command: the version from which the battle went on by itself through phases with nothing to decide."""


class BattleRecord(CampaignOwned):
    """One command and its events. It never changes, except for `undone`.

    `dice`: the rolls in order. `version`: the battle's right after this command. `first_event`: number of its first
    event within the battle, undone ones included. `frozen`: the state right after it, in about every twentieth record
    and the last one of a closed battle; a shortcut for folding that can be recomputed. `figures`: those of every army
    right after it, where they changed.
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
        """Number shared by the commands that were given together with this one; None for a single command."""
        return self.command.get(TOGETHER)

    def __str__(self) -> str:
        return f"{self.battle_id} #{self.seq}"
