"""Model of sign-ins: where an account is signed in."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone

from kingdom.models.base import uuid7


class SignIn(models.Model):
    """A session that belongs to somebody, told to them: it goes with the session.

    `seen`: when it was last used, to ten minutes. `address` and `device` are as in `SecurityEvent`, of the last use
    that was written down.
    """

    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)
    session = models.OneToOneField("sessions.Session", models.DB_CASCADE, related_name="sign_in")
    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.DB_CASCADE, related_name="+")
    since = models.DateTimeField(default=timezone.now, editable=False)
    seen = models.DateTimeField(default=timezone.now)
    address = models.CharField(max_length=40, blank=True, default="")
    device = models.CharField(max_length=60, blank=True, default="")

    class Meta:
        ordering = ("-seen", "-id")

    def __str__(self) -> str:
        return f"{self.device} {self.seen}"
