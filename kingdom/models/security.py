"""Model of security events of an account, shown to its owner."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from kingdom.models.base import uuid7


class SecurityEvent(models.Model):
    """A sign-in, sign-out or change of an account's security settings, kept for `KEPT_DAYS` days.

    `address`: shortened, and `device`: in words (`core.client_info`), if known. `about`: name of the token or device
    concerned. `times`: how often in a row, within an hour of `at`.
    """

    KEPT_DAYS = 90

    class Happening(models.TextChoices):
        SIGNED_IN = "signed-in", _("Signed in")
        SIGN_IN_FAILED = "sign-in-failed", _("Wrong password or code")
        SIGNED_OUT = "signed-out", _("Signed out")
        SESSION_ENDED = "session-ended", _("Signed out on another device")
        OTHERS_ENDED = "others-ended", _("Signed out on all other devices")
        PASSWORD_CHANGED = "password-changed", _("Password changed: all other sessions and all tokens ended")
        PASSWORD_RESET = "password-reset", _("Password reset by email: all sessions and tokens ended")
        FACTOR_ON = "factor-on", _("Two-factor authentication turned on")
        FACTOR_OFF = "factor-off", _("Two-factor authentication turned off")
        PASSKEY_ADDED = "passkey-added", _("Passkey added")
        PASSKEY_REMOVED = "passkey-removed", _("Passkey removed")
        CODES_MADE = "codes-made", _("Recovery codes generated")
        MAIL_CHANGED = "mail-changed", _("Email address changed")
        TOKEN_MADE = "token-made", _("API token created")
        TOKEN_REVOKED = "token-revoked", _("API token revoked")

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    at = models.DateTimeField(default=timezone.now, editable=False, db_index=True)
    kind = models.CharField(max_length=20, choices=Happening)
    address = models.CharField(max_length=40, blank=True, default="")
    device = models.CharField(max_length=60, blank=True, default="")
    about = models.CharField(max_length=120, blank=True, default="")
    times = models.PositiveIntegerField(default=1)

    class Meta:
        ordering = ("-at", "-id")
        indexes = (models.Index(fields=("user", "-at"), name="security_of_user"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.at}"


# Model of sign-ins: where an account is signed in.


class SignIn(models.Model):
    """A signed-in session of a user. It is deleted with the session.

    `seen`: the last use, to ten minutes. `address`, `device`: as in `SecurityEvent`, of the last recorded use.
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


# Model of counters for rate limits.


class RateLimitCounter(models.Model):
    """Attempts under a key until `until`, then counted anew. The key is a keyed hash: names and addresses are not
    stored.
    """

    key = models.CharField(max_length=64, primary_key=True)
    count = models.PositiveIntegerField()
    until = models.DateTimeField(db_index=True)

    class Meta:
        db_table = "kingdom_tally"

    def __str__(self) -> str:
        return f"{self.count} until {self.until}"
