"""Services that undo changes of the world."""

from __future__ import annotations

from django.db import transaction

from kingdom.access.decorators import gm_only
from kingdom.access.queries import require_gm
from kingdom.chronicle import changes
from kingdom.chronicle.queries import find_last_standing_entry, find_later_entries
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.errors import require
from rules.core.text import _

UNDO_MOST = 50


@gm_only
@transaction.atomic
def undo_last(*, by: User, campaign: Campaign) -> ChronicleEntry:
    """Undo the latest change that is not undone yet (GM). Raises `IllegalCommand` naming the later changes that depend
    on it.
    """
    require_gm(by, campaign)
    entry = find_last_standing_entry(campaign)
    require(entry, _("There is nothing to undo."))
    return changes.undo(campaign=campaign, entry=entry, by=by)  # type: ignore[arg-type]


@gm_only
@transaction.atomic
def undo_after(*, by: User, entry: ChronicleEntry) -> int:
    """Undo every world change after this entry that still stands, the latest first (GM). All of them, or none.

    Return how many. Raises `IllegalCommand` if there are none or more than `UNDO_MOST`, or naming the changes that
    depend on one of them.
    """
    require_gm(by, entry.campaign)
    later = find_later_entries(entry)[: UNDO_MOST + 1]
    require(later, _("Nothing happened after this."))
    require(len(later) <= UNDO_MOST, _("At most {most} changes can be undone at once. Choose a later entry."),
            most=UNDO_MOST)  # fmt: skip
    for one in later:
        changes.undo(campaign=entry.campaign, entry=one, by=by)
    return len(later)


@gm_only
def undo_entry(*, by: User, entry: ChronicleEntry) -> ChronicleEntry:
    """Undo this entry (GM). Raises `IllegalCommand` naming the later changes that depend on it."""
    require_gm(by, entry.campaign)
    return changes.undo(campaign=entry.campaign, entry=entry, by=by)
