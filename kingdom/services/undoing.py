"""Taking back a change of the world."""

from __future__ import annotations

from django.db import transaction

from kingdom import selectors, world
from kingdom.models import Campaign, ChronicleEntry, User
from kingdom.warrants import gm_only
from rules.errors import require
from rules.text import _


@gm_only
@transaction.atomic
def undo_last(*, by: User, campaign: Campaign) -> ChronicleEntry:
    """Undo the latest world change that still stands (GM). Raises `IllegalCommand` saying what depends on it."""
    selectors.require_gm(by, campaign)
    entry = selectors.last_standing_entry(campaign)
    require(entry, _("There is nothing to undo."))
    return world.undo(campaign=campaign, entry=entry, by=by)  # type: ignore[arg-type]


@gm_only
def undo_entry(*, by: User, entry: ChronicleEntry) -> ChronicleEntry:
    """Undo this world change (GM). Raises `IllegalCommand` saying what depends on it."""
    selectors.require_gm(by, entry.campaign)
    return world.undo(campaign=entry.campaign, entry=entry, by=by)
