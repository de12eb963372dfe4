"""Services that note when a token or a link was last used."""

from __future__ import annotations

from datetime import timedelta

from django.utils import timezone

from kingdom.models import ApiToken, ShareLink

NOTED = timedelta(minutes=1)


def update_last_used(*, of: ApiToken | ShareLink) -> None:
    """Written once a minute at most."""
    now = timezone.now()
    if of.last_used_at is None or of.last_used_at <= now - NOTED:
        type(of).objects.filter(pk=of.pk).update(last_used_at=now)
