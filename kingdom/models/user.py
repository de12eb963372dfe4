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
    `units`: in which he reads lengths. `bound_to`: the only campaign there is for him in this request, whose token is
    of no other (`kingdom.api.auth`); no column.
    """

    bound_to: UUID | None = None

    language = models.CharField(max_length=10, blank=True, default="")
    dice = models.CharField(max_length=10, choices=DiceThrownBy, default=DiceThrownBy.SERVER)
    sound = models.BooleanField(default=False)
    notices = models.BooleanField(default=False)
    keys = models.BooleanField(default=True)
    units = models.CharField(max_length=10, choices=Units, default=Units.METRES)

    @property
    def types_dice(self) -> bool:
        return self.dice == DiceThrownBy.TYPED
