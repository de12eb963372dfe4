"""Models of users, with their settings and API tokens."""

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
    """Who throws a person's dice unless they say otherwise at the roll: the server, or the person, who types them."""

    SERVER = "server"
    TYPED = "typed"


class Units(models.TextChoices):
    """In which a person reads lengths. The law counts in metres."""

    METRES = "metres"
    FEET = "feet"


class User(Uuid7Model, AbstractUser):  # type: ignore[django-manager-missing]
    """A person who signs in, with what they have settled for themselves.

    `language`: the one chosen for the pages; empty: what the browser asks for. `sound`, `notices`: whether a battle's
    page calls them when it is their turn or a phase is resolved. `keys`: whether single keys command a battle's page.
    `mails`: the events they have mails about (`kingdom.webhooks.letters`). `call_offered`: a battle has asked them
    whether it shall call them, and they have answered. `units`: in which they read lengths; empty: those of the page's
    language. `time_zone`: in which they are told the hour; empty: in that of their device. `guest`: they joined by a
    name alone and have no password, so the session in which they joined is their only way in
    (`kingdom.members.guest_services`). `tour_taken`: they took or skipped the tour (`kingdom.onboarding.tour`).

    No columns, but of this request: `bound_to`, the only campaign there is for them, whose token is of no other
    (`kingdom.accounts.authentication`); `seen_by`, the GM who reads as they would (`kingdom.access.impersonation`);
    `sits_as`, the role in which nobody in particular sits there, on the seat of that GM.
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
        """Whose request this is: their own, or that of the GM who reads as they would."""
        return self.seen_by or self

    @property
    def types_dice(self) -> bool:
        return self.dice == DiceThrownBy.TYPED


# Model of API tokens.


class Scope(models.TextChoices):
    """How far a token goes: each does what those before it do."""

    READ = "read", _("read")
    PLAY = "play", _("play")
    MANAGE = "manage", _("manage")

    def covers(self, needed: Scope) -> bool:
        order = list(Scope)
        return order.index(self) >= order.index(needed)


class ApiToken(AbstractAuthToken):
    """A named key; only its hash is kept. `public_id` names it on pages, where the digest has no business.

    `scope`: how far it goes. `campaign`: the only one there is for it; None: all of its owner's. `last_used_at` is
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
