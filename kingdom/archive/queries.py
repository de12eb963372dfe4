"""Queries for the export of a campaign."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.access.queries import require_gm
from kingdom.archive.export_rows import document_of
from kingdom.models import Campaign, User


def document_for(user: User, campaign: Campaign, *, named: bool) -> Iterator[bytes]:
    """The document in pieces, for a GM. `named`: with the people at the table, by name. Raises `PermissionDenied`."""
    require_gm(user, campaign)
    return document_of(campaign, named=named)
