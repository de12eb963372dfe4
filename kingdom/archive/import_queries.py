"""Queries for running imports, each for its owner."""

from __future__ import annotations

from datetime import timedelta
from uuid import UUID

from django.http import Http404
from django.utils import timezone

from core import text
from kingdom.access.queries import get_one
from kingdom.models import CampaignImport, User
from rules.core.text import _

SILENT = timedelta(seconds=30)
GONE = _("The server that read it was stopped before it was done. Nothing was brought in: send it again.")


def get_import_for(user: User, import_id: UUID | str) -> CampaignImport:
    """Their import, as far as it got; a token of one of their campaigns knows none. One whose process is gone is told
    as stopped. Raises Http404.
    """
    if user.bound_to is not None:
        raise Http404
    found = get_one(CampaignImport.objects.filter(owner=user.pk), import_id)
    if found.running and found.beat_at < timezone.now() - SILENT:
        found.state, found.faults = CampaignImport.Status.STOPPED, [["", text.dump_said(GONE)]]
    return found


def list_imports_under_way(user: User) -> list[CampaignImport]:
    """Those they may come back to."""
    lately = timezone.now() - SILENT
    running = CampaignImport.Status.RUNNING
    return list(CampaignImport.objects.filter(owner=user.pk, state=running, beat_at__gte=lately))
