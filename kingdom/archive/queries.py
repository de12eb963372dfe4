"""Queries for the export of a campaign."""

from __future__ import annotations

from collections.abc import Iterator

from kingdom.access.queries import require_gm
from kingdom.archive.export_rows import write_document
from kingdom.models import Campaign, User


def document_for(user: User, campaign: Campaign, *, named: bool) -> Iterator[bytes]:
    """The document in pieces, for a GM. `named`: with the people at the table, by name. Raises `PermissionDenied`."""
    require_gm(user, campaign)
    return write_document(campaign, named=named)
