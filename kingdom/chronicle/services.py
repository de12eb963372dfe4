"""Services that undo changes of the world."""

from __future__ import annotations

from django.db import transaction

from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle import changes
from kingdom.chronicle.queries import find_last_standing_entry
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.errors import require
from rules.core.text import _


@gm_only
@transaction.atomic
def undo_last(*, by: User, campaign: Campaign) -> ChronicleEntry:
    """Undo the latest change that is not undone yet (GM). Raises `IllegalCommand` saying what depends on it."""
    require_gm(by, campaign)
    entry = find_last_standing_entry(campaign)
    require(entry, _("There is nothing to undo."))
    return changes.undo(campaign=campaign, entry=entry, by=by)  # type: ignore[arg-type]


@gm_only
def undo_entry(*, by: User, entry: ChronicleEntry) -> ChronicleEntry:
    """Undo this entry (GM). Raises `IllegalCommand` saying what depends on it."""
    require_gm(by, entry.campaign)
    return changes.undo(campaign=entry.campaign, entry=entry, by=by)
