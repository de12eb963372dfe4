"""Models of users with their settings, and of API tokens."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import AbstractUser
from django.contrib.postgres.fields import ArrayField
from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from kingdom.models.base import Uuid7Model, uuid7


class DiceThrownBy(models.TextChoices):
    """Who rolls a user's dice by default: the server, or the user, who types the results."""

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
    - `mails`: the events they get mails about (`kingdom.webhooks.letters`).
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
