"""Queries for the export of a campaign and for its import."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import timedelta
from uuid import UUID

from django.http import Http404
from django.utils import timezone

from core import text
from kingdom.access.queries import get_one, require_gm
from kingdom.archive.export_rows import write_document
from kingdom.models import Campaign, CampaignImport, User
from rules.core.text import _


def document_for(user: User, campaign: Campaign, *, named: bool) -> Iterator[bytes]:
    """The document in pieces, for a GM. `named`: with the people at the table, by name. Raises `PermissionDenied`."""
    require_gm(user, campaign)
    return write_document(campaign, named=named)


# Queries for running imports, each for its owner.


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
