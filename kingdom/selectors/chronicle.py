"""What happened, as far as the reader may know."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from uuid import UUID

from django.db.models import Q, QuerySet
from django.http import Http404

from kingdom import world
from kingdom.inputs import clean_slug, whole_in
from kingdom.models import Campaign, ChronicleEntry, User
from kingdom.selectors.access import as_uuid, readable_kingdom_ids, reads_all
from rules.errors import InvalidInput, demand
from rules.text import _

KINDS = ("kingdom", "army", "commander")
DAYS = ("from", "to")
FILTERS = ("kind", *KINDS, *DAYS)
LAST_DAY = 2_000_000_000


@dataclass(frozen=True, slots=True)
class Sought:
    """What to look for: a kind of entry, entries about things (by kind of thing), days from and to."""

    kind: str = ""
    about: Mapping[str, UUID] = field(default_factory=dict)
    since: int | None = None
    until: int | None = None

    def __bool__(self) -> bool:
        return bool(self.kind or self.about) or self.since is not None or self.until is not None


EVERYTHING = Sought()


def sought(given: Mapping[str, str]) -> Sought:
    """The filters of a query string; empty ones do not count. Raises `InvalidInput` with the pointer."""
    known = {name: given.get(name, "").strip() for name in FILTERS}
    days = {name: _day(name, known[name]) for name in DAYS}
    return Sought(
        kind=clean_slug(known["kind"], field="/kind", among=ChronicleEntry.Kind.values) if known["kind"] else "",
        about={name: _id(name, known[name]) for name in KINDS if known[name]},
        since=days["from"],
        until=days["to"],
    )


def _id(name: str, text: str) -> UUID:
    try:
        return UUID(text)
    except ValueError:
        raise InvalidInput(_("This is not an id."), f"/{name}") from None


def _day(name: str, text: str) -> int | None:
    if not text:
        return None
    day = whole_in(text, LAST_DAY)
    demand(day is not None, _("Write a day as a whole number."), field=f"/{name}")
    return day


def chronicle_of(campaign: Campaign) -> QuerySet[ChronicleEntry]:
    """The campaign's entries, newest first."""
    return ChronicleEntry.objects.filter(campaign=campaign).select_related("by", "undone_by").order_by("-seq")


def entry_of(campaign: Campaign, entry_id: UUID | str) -> ChronicleEntry:
    """One of the campaign's entries, for its GM. Raises Http404."""
    entry = chronicle_of(campaign).filter(pk=as_uuid(entry_id)).first()
    if entry is None:
        raise Http404
    return entry


def chronicle_for(user: User, campaign: Campaign, look: Sought = EVERYTHING) -> QuerySet[ChronicleEntry]:
    """The entries the user may read, newest first: a player not what was done in other people's kingdoms."""
    entries = chronicle_of(campaign)
    if not reads_all(user, campaign):
        entries = entries.filter(Q(private=False) | Q(kingdoms__overlap=list(readable_kingdom_ids(user, campaign))))
    if look.kind:
        entries = entries.filter(kind=look.kind)
    if look.since is not None:
        entries = entries.filter(day__gte=look.since)
    if look.until is not None:
        entries = entries.filter(day__lte=look.until)
    for kind, key in look.about.items():
        entries = entries.filter(_about(kind, key)) if _may_ask(user, campaign, kind, key) else entries.none()
    return entries


def _about(kind: str, key: UUID) -> Q:
    """Entries that changed it; a kingdom's also those about anything it owns, a commander's his commands."""
    found = Q(changes__contains=[{"subject_kind": kind, "subject_id": str(key)}])
    if kind == "kingdom":
        found |= Q(kingdoms__contains=[key])
    if kind == "commander":
        found |= Q(changes__contains=[{"field": "commander", "after": str(key)}])
        found |= Q(changes__contains=[{"field": "commander", "before": str(key)}])
    return found


def _may_ask(user: User, campaign: Campaign, kind: str, key: UUID) -> bool:
    return reads_all(user, campaign) or bool(world.visible_ids(kind, user, campaign, {str(key)}))


def last_standing_entry(campaign: Campaign) -> ChronicleEntry | None:
    """The latest world change that was not undone. Its lines are read when they are asked for: they may be many."""
    standing = ChronicleEntry.objects.filter(campaign=campaign, undone_at=None).exclude(changes=[])
    return standing.defer("changes").order_by("-seq").first()


def visible_changes(
    user: User, campaign: Campaign, entries: Iterable[ChronicleEntry]
) -> dict[UUID, list[world.Change]]:
    """The lines of these entries that the user may read, by entry."""
    lines = {entry.pk: world.changes_of(entry) for entry in entries}
    if reads_all(user, campaign):
        return lines
    wanted: dict[str, set[str]] = defaultdict(set)
    for change in (change for changes in lines.values() for change in changes):
        wanted[change.subject_kind].add(change.subject_id)
    seen = {kind: world.visible_ids(kind, user, campaign, ids) for kind, ids in wanted.items()}
    return {
        pk: [change for change in changes if change.subject_id in seen[change.subject_kind]]
        for pk, changes in lines.items()
    }
