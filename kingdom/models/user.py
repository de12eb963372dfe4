"""Model of users, with their settings."""

from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import AbstractUser
from django.db import models

from kingdom.models.base import Uuid7Model


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
    `units`: in which they read lengths. `time_zone`: in which they are told the hour; empty: in that of their device.

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
    units = models.CharField(max_length=10, choices=Units, default=Units.METRES)
    time_zone = models.CharField(max_length=64, blank=True, default="", db_default="")

    @property
    def account(self) -> User:
        """Whose request this is: their own, or that of the GM who reads as they would."""
        return self.seen_by or self

    @property
    def types_dice(self) -> bool:
        return self.dice == DiceThrownBy.TYPED
