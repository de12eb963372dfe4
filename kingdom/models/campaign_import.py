"""Model of a running import of a campaign."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from kingdom.models.base import Uuid7Model


class CampaignImport(Uuid7Model):
    """How far it is, for whoever began it, and what came of it: the `campaign`, or the faults of the document.

    `done` of `of` rows in this `step`; `of` is 0 while nobody knows how many there are. `beat_at`: when its process
    last had it in hand; one that is silent has died with it, and nothing of it was written. `faults`: pointers and
    words; `warnings`: words.
    """

    class Status(models.TextChoices):
        RUNNING = "running", _("running")
        DONE = "done", _("done")
        STOPPED = "stopped", _("stopped")
        FAILED = "failed", _("failed")

    class ImportStep(models.TextChoices):
        READING = "reading", _("The document is read")
        WRITING = "writing", _("The campaign is written")
        CHECKING = "checking", _("Everything is looked over once more")

    owner = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    campaign = models.ForeignKey("kingdom.Campaign", models.SET_NULL, null=True, related_name="+")
    state = models.CharField(max_length=10, choices=Status, default=Status.RUNNING)
    step = models.CharField(max_length=10, choices=ImportStep, default=ImportStep.READING)
    done = models.PositiveIntegerField(default=0)
    of = models.PositiveIntegerField(default=0)
    faults = models.JSONField(default=list)
    warnings = models.JSONField(default=list)
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    beat_at = models.DateTimeField(default=timezone.now)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("owner", "created_at"), name="import_of_owner"),)
        constraints = (
            models.CheckConstraint(
                name="import_state_known", condition=Q(state__in=("running", "done", "stopped", "failed"))
            ),
        )

    def __str__(self) -> str:
        return f"{self.step} {self.done}/{self.of}"

    @property
    def running(self) -> bool:
        return self.state == self.Status.RUNNING
