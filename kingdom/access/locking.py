"""Locks of campaigns that ask for permission again: a seat that was lost while waiting counts no more."""

from __future__ import annotations

from django.db import models
from django.http import Http404

from kingdom.access.queries import require_gm
from kingdom.chronicle import changes
from kingdom.models import Campaign, User


def lock_campaign_as_gm(by: User, campaign: Campaign) -> Campaign:
    """The campaign's row, locked by one of its GMs.

    Raises Http404 for strangers, `PermissionDenied` for members who are no GM, or no longer one.
    """
    require_gm(by, campaign)  # others hold nobody up
    held = changes.lock(campaign)
    require_gm(by, held)
    return held


def require_not_deleted(*rows: models.Model | None) -> None:
    """For who makes something that leans on these, once the campaign is held: raises Http404 where somebody else has
    struck one of them meanwhile.
    """
    for row in rows:
        if row is not None and not type(row)._default_manager.filter(pk=row.pk).exists():
            raise Http404
