"""Models of jobs: work that takes longer than a page waits for, and its results."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from battles.models.record import BattleRecord
from kingdom.models.base import CampaignOwned, Uuid7Model


class Job(Uuid7Model):
    """Pieces of work that a server process does for one person, and what came of them so far.

    `kind` says what asks (`battles.forecast.jobs`), `question` what was asked, for whoever draws the answers
    (`JobResult`). `done`: how many pieces `of` all are answered. `beat_at`: when its process last had it in hand; one
    that is silent has died with it. `trouble`: why it failed, JSON words. `campaign`: whoever sits there no more reads
    it no more; null for what concerns none.
    """

    class Status(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, null=True, related_name="+")
    kind = models.CharField(max_length=20)
    question = models.JSONField(default=dict)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField()
    state = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    trouble = models.JSONField(null=True)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    beat_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("created_at",), name="job_created"),)
        constraints = (
            models.CheckConstraint(
                name="job_state_known", condition=Q(state__in=("running", "done", "stopped", "failed"))
            ),
        )

    def __str__(self) -> str:
        return f"{self.kind} {self.done}/{self.of}"

    @property
    def running(self) -> bool:
        return self.state == self.Status.RUNNING


class JobResult(models.Model):
    """The answer to one piece of a job, by its place among them, as plain data; written once."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="results")
    place = models.PositiveIntegerField()
    answer = models.JSONField(null=True)

    class Meta:
        ordering = ("place",)
        constraints = (models.UniqueConstraint(fields=("job", "place"), name="one_answer_to_a_piece"),)

    def __str__(self) -> str:
        return f"{self.job_id} {self.place}"


# Model of weighings: what the dice of a command did to the chances to win.


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
