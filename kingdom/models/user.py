"""Models of users with their settings, and of API tokens."""

from __future__ import annotations

from uuid import UUID

from django.conf import settings
from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from kingdom.models.base import Uuid7Model, uuid7


class DiceThrownBy(models.TextChoices):
    """Default for rolling a user's dice: the server, or the user, who types the results."""

    SERVER = "server"
    TYPED = "typed"


class Units(models.TextChoices):
    """Unit in which a user reads lengths. The rules count in metres."""

    METRES = "metres"
    FEET = "feet"


class User(Uuid7Model, AbstractUser):  # type: ignore[django-manager-missing]
    """A user, with their settings.

    - `language`: of the pages; empty: the browser's. `time_zone`: empty: the device's. `units`: empty: the language's.
    - `sound`, `notices`: how a battle's page calls them when it is their turn or a phase is resolved. `call_offered`:
      they have answered whether it should.
    - `keys`: whether single keys give commands on a battle's page.
    - `mails`: the events they get mails about (`kingdom.webhooks.event_types`).
    - `guest`: they joined by a name alone and have no password, so the session in which they joined is their only
      access (`kingdom.members.guest_services`).
    - `tour_taken`: they took or skipped the tour (`kingdom.onboarding.tour`).

    Three attributes are set for a request only. `bound_to`: the only campaign they may access
    (`kingdom.accounts.authentication`). `seen_by`: the GM who impersonates them (`kingdom.access.impersonation`).
    `sits_as`: the role of a made-up reader, who uses that GM's seat.
    """

    bound_to: UUID | None = None
    seen_by: User | None = None
    sits_as: str = ""

    language = models.CharField(max_length=10, blank=True, default="")
    dice = models.CharField(max_length=10, choices=DiceThrownBy, default=DiceThrownBy.SERVER)
    sound = models.BooleanField(default=False)
    notices = models.BooleanField(default=False)
    keys = models.BooleanField(default=True)
    units = models.CharField(max_length=10, choices=Units, blank=True, default="", db_default="")
    time_zone = models.CharField(max_length=64, blank=True, default="", db_default="")
    mails = ArrayField(models.CharField(max_length=40), default=list, blank=True, db_default=[])
    call_offered = models.BooleanField(default=False, db_default=False)
    guest = models.BooleanField(default=False, db_default=False)
    tour_taken = models.BooleanField(default=False, db_default=False)

    @property
    def account(self) -> User:
        """The user whose request this is: themselves, or the GM who impersonates them."""
        return self.seen_by or self

    @property
    def types_dice(self) -> bool:
        return self.dice == DiceThrownBy.TYPED


# Model of API tokens.


class Scope(models.TextChoices):
    """Scope of a token. Each includes those before it."""

    READ = "read", _("read")
    PLAY = "play", _("play")
    MANAGE = "manage", _("manage")

    def covers(self, needed: Scope) -> bool:
        order = list(Scope)
        return order.index(self) >= order.index(needed)


class ApiToken(AbstractAuthToken):
    """A named API key; only its hash is stored. `public_id` identifies it on pages instead of the digest.

    `scope`: what it may do. `campaign`: the only one it may access; None for all of its owner's. `last_used_at` is
    exact to a minute.
    """

    name = models.CharField(max_length=120)
    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)
    scope = models.CharField(max_length=10, choices=Scope, default=Scope.MANAGE, db_default=Scope.MANAGE)
    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, null=True, blank=True, related_name="+")
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-created",)
        constraints = (models.CheckConstraint(name="token_scope", condition=models.Q(scope__in=Scope.values)),)

    def __str__(self) -> str:
        return self.name or f"{self.token_key[:6]}…"

    @property
    def expired(self) -> bool:
        return self.expiry is not None and self.expiry <= timezone.now()


# Model of security events of an account, shown to its owner.


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
