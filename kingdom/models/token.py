"""Keys of outside tools."""

from __future__ import annotations

from django.db import models
from django.utils import timezone
from knox.models import AbstractAuthToken

from kingdom.models.base import uuid7


class ApiToken(AbstractAuthToken):
    """A named key; only its hash is kept. `public_id` names it on pages, where the digest has no business."""

    name = models.CharField(max_length=120, blank=True, default="")
    public_id = models.UUIDField(default=uuid7, unique=True, editable=False)

    class Meta:
        ordering = ("-created",)

    def __str__(self) -> str:
        return self.name or f"{self.token_key[:6]}…"

    @property
    def expired(self) -> bool:
        return self.expiry is not None and self.expiry <= timezone.now()
