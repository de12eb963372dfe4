"""Model of approval requests: actions that players ask of the GM."""

from __future__ import annotations

from django.conf import settings
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.db.models import Q
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from kingdom.models.base import CampaignOwned, DayField

KINDS = ("attributes", "treasury", "raise", "disband", "buy", "found", "appoint", "march")
"""The kinds of action that have a permission (`kingdom.access.permissions`)."""


class ApprovalRequest(CampaignOwned):
    """An action a player has requested and the GM has to approve. The API calls it a request.

    - `command`, `arguments`: the service and its arguments (`kingdom.approvals.submission`).
    - `text` (JSON words), `changes`: the chronicle entry, as tried out when requested, or as made once approved.
    - `kingdoms`: those concerned. `names`: ids of armies in its text that not everybody may know
      (`kingdom.access.redaction`).
    - `answered_by`: who granted, refused or withdrew it; None if it ended with the requester's seat.
    """

    in_addresses = "petition"

    class State(models.TextChoices):
        WAITING = "waiting", _("waiting")
        GRANTED = "granted", _("granted")
        REFUSED = "refused", _("refused")
        WITHDRAWN = "withdrawn", _("withdrawn")

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="petitions")
    by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    day = DayField()
    at = models.DateTimeField(default=timezone.now, editable=False)
    kind = models.CharField(max_length=20)
    command = models.CharField(max_length=60)
    arguments = models.JSONField()
    text = models.JSONField()
    changes = models.JSONField(default=list, blank=True)
    kingdoms = ArrayField(models.UUIDField(), default=list, blank=True)
    names = ArrayField(models.UUIDField(), default=list, blank=True, db_default=[])
    status = models.CharField(max_length=10, choices=State, default=State.WAITING)
    reason = models.CharField(max_length=200, blank=True)
    answered_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, blank=True, related_name="+")
    answered_at = models.DateTimeField(null=True, blank=True)
    entry = models.ForeignKey("kingdom.ChronicleEntry", models.SET_NULL, null=True, blank=True, related_name="+")

    class Meta:
        db_table = "kingdom_petition"
        ordering = ("-id",)
        constraints = (
            models.CheckConstraint(
                name="petition_status", condition=Q(status__in=("waiting", "granted", "refused", "withdrawn"))
            ),
            models.CheckConstraint(name="petition_kind", condition=Q(kind__in=KINDS)),
            models.CheckConstraint(
                name="petition_answered",
                condition=Q(status="waiting", answered_at=None) | (~Q(status="waiting") & Q(answered_at__isnull=False)),
            ),
        )
        indexes = (
            models.Index(fields=("campaign", "status"), name="petition_waiting"),
            models.Index(fields=("by", "campaign"), name="petition_asker"),
        )

    def __str__(self) -> str:
        return f"{self.kind} ({self.status})"

    @property
    def waiting(self) -> bool:
        return self.status == self.State.WAITING
