from __future__ import annotations

from uuid import UUID

from django.contrib.auth.models import AbstractUser
from django.db import models

from kingdom.models.base import Uuid7Model


class DiceThrownBy(models.TextChoices):
    """Who throws a person's dice unless he says otherwise at the roll: the server, or he himself, who types them."""

    SERVER = "server"
    TYPED = "typed"


class Units(models.TextChoices):
    """In which a person reads lengths. The law counts in metres."""

    METRES = "metres"
    FEET = "feet"


class User(Uuid7Model, AbstractUser):  # type: ignore[django-manager-missing]
    """A person who signs in, with what he has settled for himself.

    `language`: the one chosen for the pages; empty: what the browser asks for. `sound`, `notices`: whether a battle's
    page calls him when it is his turn or a phase is resolved. `keys`: whether single keys command a battle's page.
    `units`: in which he reads lengths.

    No columns, but of this request: `bound_to`, the only campaign there is for him, whose token is of no other
    (`kingdom.api.auth`); `seen_by`, the GM who reads as he would (`kingdom.guise`); `sits_as`, the role in which nobody
    in particular sits there, on the seat of that GM.
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

    @property
    def account(self) -> User:
        """Whose request this is: his own, or that of the GM who reads as he would."""
        return self.seen_by or self

    @property
    def types_dice(self) -> bool:
        return self.dice == DiceThrownBy.TYPED
