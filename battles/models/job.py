"""Models of jobs: work that takes longer than a request, and its results."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from battles.models.battle import BattleRecord
from kingdom.models.base import CampaignOwned, Uuid7Model


class Job(Uuid7Model):
    """Tasks that a server process works on for one user, and their results (`JobResult`).

    `kind`: what started it (`battles.forecast.queries`). `question`: the data to draw the results. `done`: number of
    tasks finished, of `of`. `beat_at`: time of the process's last sign of life; without one for long, the job is
    lost. `trouble`: why it failed, as a stored message. `campaign`: only its members may read the job; null for a
    job of no campaign.
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
    """Result of one task of a job, by its place among them, as JSON. It is written once."""

    job = models.ForeignKey(Job, models.CASCADE, related_name="results")
    place = models.PositiveIntegerField()
    answer = models.JSONField(null=True)

    class Meta:
        ordering = ("place",)
        constraints = (models.UniqueConstraint(fields=("job", "place"), name="one_answer_to_a_piece"),)

    def __str__(self) -> str:
        return f"{self.job_id} {self.place}"


# Weighings: how the dice of a command changed the chances to win.


class Weighing(CampaignOwned):
    """Chances before and after a record's dice, as a reader with a certain knowledge was told them first.

    A record never changes, so neither does its weighing, even if later forecasts are better. `known`: key of what its
    readers know of the battle. `found`: `rules.odds.viewer_forecast.Weighed`, null where no forecast was possible.
    """

    record = models.ForeignKey(BattleRecord, models.CASCADE, related_name="weighings")
    known = models.CharField(max_length=64)
    found = models.JSONField(null=True)

    class Meta:
        constraints = (models.UniqueConstraint(name="weighing_once", fields=("record", "known")),)

    def __str__(self) -> str:
        return f"{self.record_id} {self.known}"
