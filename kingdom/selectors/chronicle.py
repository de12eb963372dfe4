"""What happened, as far as the reader may know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from uuid import UUID

from django.db.models import QuerySet

from kingdom import world
from kingdom.models import Campaign, ChronicleEntry, Role, User
from kingdom.selectors.access import role_of


def chronicle_of(campaign: Campaign) -> QuerySet[ChronicleEntry]:
    """The campaign's entries, newest first."""
    return ChronicleEntry.objects.filter(campaign=campaign).select_related("by", "undone_by").order_by("-seq")


def last_standing_entry(campaign: Campaign) -> ChronicleEntry | None:
    """The latest world change that was not undone."""
    standing = ChronicleEntry.objects.filter(campaign=campaign, undone_at=None).exclude(changes=[])
    return standing.order_by("-seq").first()


def visible_changes(
    user: User, campaign: Campaign, entries: Iterable[ChronicleEntry]
) -> dict[UUID, list[world.Change]]:
    """The lines of these entries that the user may read, by entry."""
    lines = {entry.pk: world.changes_of(entry) for entry in entries}
    if role_of(user, campaign) in (Role.GM, Role.VIEWER):
        return lines
    wanted: dict[str, set[str]] = defaultdict(set)
    for change in (change for changes in lines.values() for change in changes):
        wanted[change.subject_kind].add(change.subject_id)
    seen = {kind: world.visible_ids(kind, user, campaign, ids) for kind, ids in wanted.items()}
    return {
        pk: [change for change in changes if change.subject_id in seen[change.subject_kind]]
        for pk, changes in lines.items()
    }
