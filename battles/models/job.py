"""Work that takes longer than a page waits for."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from kingdom.models.base import Uuid7Model


class Job(Uuid7Model):
    """Pieces of work that a server process does for one person, and what came of them so far.

    `kind` says what asks (`battles.jobs`), `question` what was asked, for whoever draws the answers. `results`: of each
    piece its answer as plain data, null while there is none. `beat_at`: when its process last had it in hand; one that
    is silent has died with it. `trouble`: why it failed, JSON words. `campaign`: whoever sits there no more reads it no
    more; null for what concerns none.
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
    results = models.JSONField(default=list)
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
