"""Model of stored answers, so that a repeated request is not executed twice."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone


class IdempotencyRecord(models.Model):
    """The answer to a user's POST with an Idempotency-Key. `status` is null while the request runs."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(name="idempotency_key_once", fields=("user", "key")),)
        indexes = (models.Index(fields=("user", "at"), name="idempotency_age"),)

    def __str__(self) -> str:
        return self.key
