"""Model of share links: each shows one object of a campaign to anybody who has the link."""

from __future__ import annotations

import hashlib
import secrets

from django.conf import settings
from django.db import models
from django.db.models import Q
from django.utils import timezone

from kingdom.models.base import CampaignOwned

BYTES = 32  # of a token: 256 random bits


class ShareLink(CampaignOwned):
    """A public, read-only address of one object. Only the hash of its token is stored.

    `kind`: what it shows (`kingdom.sharing.share_kinds`) of `thing`. `language`: its maker's, for readers whose browser
    asks for none. `expires`: None for never. `last_used_at` is exact to a minute.
    """

    kind = models.CharField(max_length=20)
    thing = models.UUIDField()
    digest = models.CharField(max_length=64, unique=True, editable=False)
    language = models.CharField(max_length=10, blank=True, default="")
    created_by = models.ForeignKey(settings.AUTH_USER_MODEL, models.SET_NULL, null=True, related_name="+")
    created_at = models.DateTimeField(default=timezone.now, editable=False)
    expires = models.DateTimeField(null=True, blank=True)
    revoked_at = models.DateTimeField(null=True, blank=True)
    last_used_at = models.DateTimeField(null=True, blank=True)

    class Meta:
        ordering = ("-id",)
        indexes = (models.Index(fields=("campaign", "-id"), name="share_of_campaign"),)

    def __str__(self) -> str:
        return f"{self.kind} {self.thing}"

    @staticmethod
    def new_token() -> str:
        return secrets.token_urlsafe(BYTES)

    @staticmethod
    def digest_of(token: str) -> str:
        """Return the hash of a token. A token has too many bits to be guessed, so one round of SHA-256 is enough."""
        return hashlib.sha256(token.encode(errors="replace")).hexdigest()

    @staticmethod
    def opens() -> Q:
        """Return the condition on links that still work."""
        return Q(revoked_at=None) & (Q(expires=None) | Q(expires__gt=timezone.now()))

    @property
    def expired(self) -> bool:
        return self.expires is not None and self.expires <= timezone.now()
