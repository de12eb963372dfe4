"""Model of API tokens."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from knox.models import AbstractAuthToken

from kingdom.models.base import uuid7


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
