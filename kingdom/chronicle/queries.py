"""Queries for the chronicle, limited to what the reader may know."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any, NamedTuple, overload
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import connection
from django.db.models import BooleanField, F, Func, IntegerField, JSONField, Q, QuerySet, TextField, Value

from core.clean_input import LAST_DAY, clean_slug, parse_whole
from core.queries import find_one
from core.request_memo import remember_reads
from core.text_search import Plain, build_phrase
from kingdom.access.queries import (
    get_one,
    list_assigned,
    list_readable_kingdom_ids,
    reads_all,
    remember_seats,
)
from kingdom.access.redaction import names_known, names_known_anywhere
from kingdom.chronicle import changes
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.last_changes import find_withheld
from kingdom.models import Campaign, ChronicleEntry, User
from rules.core.errors import InvalidInput, demand
from rules.core.text import _

# Queries for the lines of chronicle entries, a few at a time: the week of a large war has tens of thousands.
# PostgreSQL returns the lines that are shown; of the others it reads at most their subjects.

SUBJECT = "(line->>'subject_kind') || ':' || (line->>'subject_id')"
NAMED = Plain.template % {"expressions": "(line->>'subject')"}
UNFOLDED = (
    f"{ChronicleEntry._meta.db_table} entry CROSS JOIN LATERAL"
    " jsonb_array_elements(entry.changes) WITH ORDINALITY AS unfolded(line, nth)"
)


class FirstLines(NamedTuple):
    """The first lines of an entry, and the number of its lines."""

    lines: list[changes.Change]
    total: int


NO_LINES = FirstLines([], 0)


class Subjects(Func):
    """SQL function: the distinct subjects of an entry's lines as `kind:id`, to annotate entries with."""

    template = f"ARRAY(SELECT DISTINCT {SUBJECT} FROM jsonb_array_elements(%(expressions)s) AS each(line))"
    output_field = ArrayField(TextField())
    arity = 1


def load_first_lines(
    user: User, campaign: Campaign, subjects: Mapping[UUID, Iterable[str]], most: int
) -> dict[UUID, FirstLines]:
    """Return for each entry the first `most` lines that the user may read, and their number. `subjects`: each entry's
    `Subjects`.
    """
    ids = list(subjects)
    own, params = _readable(user, campaign, {one for found in subjects.values() for one in found})
    numbered = (
        f"SELECT entry.id, line, nth, row_number() OVER (PARTITION BY entry.id ORDER BY nth) AS place"
        f" FROM {UNFOLDED} WHERE entry.id = ANY(%s){own}"
    )
    found = _rows(
        f"SELECT id, count(*), jsonb_agg(line ORDER BY nth) FILTER (WHERE place <= %s) FROM ({numbered}) lines"
        " GROUP BY id",
        [most, ids, *params],
    )
    return {key: FirstLines(changes.read_lines(_loaded(lines)), count) for key, count, lines in found}


class EntryLines(Sequence[changes.Change]):
    """The lines of one entry that the user may read, as a sequence for a paginator. `query` limits them to subjects
    whose name contains it.
    """

    def __init__(self, user: User, campaign: Campaign, entry: UUID, query: str = ""):
        own, params = _readable(user, campaign, None if reads_all(user, campaign) else _subjects_of(entry))
        self._where = f"FROM {UNFOLDED} WHERE entry.id = %s{own}"
        self._params: list[Any] = [entry, *params]
        if query:
            self._where += f" AND strpos({NAMED}, %s) > 0"
            self._params.append(build_phrase(query))

    def __len__(self) -> int:
        return int(_rows(f"SELECT count(*) {self._where}", self._params)[0][0])

    def __iter__(self) -> Iterator[changes.Change]:
        return iter(self[:])

    @overload
    def __getitem__(self, part: int) -> changes.Change: ...

    @overload
    def __getitem__(self, part: slice) -> list[changes.Change]: ...

    def __getitem__(self, part: int | slice) -> changes.Change | list[changes.Change]:
        if isinstance(part, int):
            place = range(len(self))[part]
            return self[place : place + 1][0]
        first, last = part.start or 0, part.stop
        found = _rows(
            f"SELECT line {self._where} ORDER BY nth OFFSET %s LIMIT %s",
            [*self._params, first, None if last is None else max(last - first, 0)],
        )
        return changes.read_lines(_loaded(line) for (line,) in found)


def _subjects_of(entry: UUID) -> list[str]:
    found = find_one(ChronicleEntry.objects.filter(pk=entry).order_by().values_list(Subjects("changes"), flat=True))
    return found or []


def _readable(user: User, campaign: Campaign, subjects: Iterable[str] | None) -> tuple[str, list[Any]]:
    """Return the SQL condition on lines that this user may read, and its parameters; empty for a user who reads all."""
    if subjects is None or reads_all(user, campaign):
        return "", []
    wanted: dict[str, set[str]] = defaultdict(set)
    for subject in subjects:
        kind, _colon, key = subject.partition(":")
        wanted[kind].add(key)
    own, params, seen = "", [], []
    for kind, ids in wanted.items():
        visible = changes.visible_ids(kind, user, campaign, ids)
        seen += [f"{kind}:{key}" for key in visible]
        withheld = find_withheld(kind, user, campaign, visible)
        if withheld.ids and withheld.fields:
            own += f" AND NOT ({SUBJECT} = ANY(%s) AND line->>'field' = ANY(%s))"
            params += [[f"{kind}:{key}" for key in withheld.ids], list(withheld.fields)]
    return f" AND {SUBJECT} = ANY(%s){own}", [seen, *params]


def _rows(sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def _loaded(value: Any) -> Any:
    """Return parsed JSON: Django's connections leave it as text."""
    return json.loads(value) if isinstance(value, str) else value or []


KINDS = ("kingdom", "army", "commander")
DAYS = ("from", "to")
FILTERS = ("kind", *KINDS, *DAYS)
ON_A_PAGE = 15
LATEST = 5  # entries on the campaign's page
FIRST = 4  # lines of an entry in the list
OFFERED, ALIKE = 12, 20  # suggestions for a typed name; things of one name that are looked for at once
NameLookup = Callable[[str, str], Sequence[UUID]]
"""`lookup(kind, name)` returns the ids of things of this kind with this name."""


@dataclass(frozen=True, slots=True)
class Sought:
    """Filters of the chronicle: a kind of entry, ids of things by kind of thing, and the first and last day."""

    kind: str = ""
    about: Mapping[str, Sequence[UUID]] = field(default_factory=dict)
    since: int | None = None
    until: int | None = None

    def __bool__(self) -> bool:
        return bool(self.kind or self.about) or self.since is not None or self.until is not None


EVERYTHING = Sought()


def read_filters(given: Mapping[str, str], named: NameLookup | None = None) -> Sought:
    """Return the filters of a query string without the empty ones. Things are given by id, or by name if `named` looks
    names up. Raises `InvalidInput` with the pointer.
    """
    known = {name: given.get(name, "").strip() for name in FILTERS}
    days = {name: day_sought(name, known[name]) for name in DAYS}
    return Sought(
        kind=clean_slug(known["kind"], field="/kind", among=ChronicleEntry.Kind.values) if known["kind"] else "",
        about={name: _ids(name, known[name], named) for name in KINDS if known[name]},
        since=days["from"],
        until=days["to"],
    )


def _ids(kind: str, text: str, named: NameLookup | None) -> Sequence[UUID]:
    try:
        return [UUID(text)]
    except ValueError:
        if named is None:
            raise InvalidInput(_("This isn’t a valid id."), f"/{kind}") from None
    found = named(kind, text)
    demand(found, _("“{name}” not found in this campaign."), field=f"/{kind}", name=text)
    return found


def names_like(user: User, campaign: Campaign, kind: str, text: str) -> list[tuple[UUID, str]]:
    """Return up to 12 things of this kind that the reader may look for and whose name contains the text, by name."""
    known = chronicle_changes.list_things(user, campaign, kind) if "\0" not in text else None
    return [] if known is None else list(known.filter(name__plain__contains=build_phrase(text))[:OFFERED])


def called(user: User, campaign: Campaign, kind: str, text: str) -> list[UUID]:
    """Return the things with exactly this name, or else those whose name contains it."""
    known = chronicle_changes.list_things(user, campaign, kind) if "\0" not in text else None
    if known is None or not (name := build_phrase(text)):
        return []
    found = known.filter(name__plain=name)[:ALIKE] or known.filter(name__plain__contains=name)[:ALIKE]
    return [pk for pk, _name in found]


def name_of(user: User, campaign: Campaign, kind: str, key: UUID) -> str:
    """Return the name of a thing; "" if the reader may not look for it."""
    known = chronicle_changes.list_things(user, campaign, kind)
    found = find_one(known.filter(pk=key)) if known is not None else None
    return found[1] if found else ""


def day_sought(name: str, text: str) -> int | None:
    """Return the day in a filter; None if it is empty. Raises `InvalidInput` at `/name`."""
    if not text:
        return None
    day = parse_whole(text, LAST_DAY)
    demand(day is not None, _("Enter the day as a whole number."), field=f"/{name}")
    return day


def chronicle_of(campaign: Campaign) -> QuerySet[ChronicleEntry]:
    """Return the campaign's entries, newest first."""
    return ChronicleEntry.objects.filter(campaign=campaign).select_related("by", "undone_by").order_by("-seq")


def entry_of(campaign: Campaign, entry_id: UUID | str) -> ChronicleEntry:
    """Return one of the campaign's entries, for its GM. Raises Http404."""
    return get_one(chronicle_of(campaign), entry_id)


def list_entries(user: User, campaign: Campaign, look: Sought = EVERYTHING) -> QuerySet[ChronicleEntry]:
    """Return the entries the user may read, newest first. A player does not read private entries of other kingdoms."""
    entries = chronicle_of(campaign)
    if not reads_all(user, campaign):
        entries = entries.filter(
            Q(private=False) | Q(kingdoms__overlap=list(list_readable_kingdom_ids(user, campaign))),
            names_known(user, campaign.pk),
        )
    if look.kind:
        entries = entries.filter(kind=look.kind)
    if look.since is not None:
        entries = entries.filter(day__gte=look.since)
    if look.until is not None:
        entries = entries.filter(day__lte=look.until)
    for kind, keys in look.about.items():
        asked = _askable(user, campaign, kind, keys)
        entries = entries.filter(_about_one(kind, asked))
        if not reads_all(user, campaign):
            entries = _without_withheld(user, campaign, kind, asked, entries)
    return entries


class HasOtherLine(Func):
    """SQL function: whether an entry's lines tell of one of these things (`ids` of this `kind`) another of its fields
    than these `fields`.
    """

    function = "jsonb_path_exists"
    output_field = BooleanField()
    PATH = "$[*] ? (@.subject_kind == $kind && @.subject_id == $ids[*] && !(@.field == $fields[*]))"

    def __init__(self, changes: Any, given: Mapping[str, Any]):
        super().__init__(changes, Value(self.PATH), Value(json.dumps(given)))


def _without_withheld(
    user: User, campaign: Campaign, kind: str, asked: Collection[UUID], entries: QuerySet[ChronicleEntry]
) -> QuerySet[ChronicleEntry]:
    """Leave out entries of which the reader is told nothing about these things."""
    ids = {str(key) for key in asked}
    withheld = find_withheld(kind, user, campaign, ids)
    if not (withheld.ids and withheld.fields):
        return entries
    others = [UUID(key) for key in ids - withheld.ids]
    given = {"kind": kind, "ids": sorted(withheld.ids), "fields": sorted(withheld.fields)}
    return entries.filter(_about_one(kind, others) | Q(HasOtherLine(F("changes"), given)))


def entries_since(entries: QuerySet[ChronicleEntry], moment: datetime) -> QuerySet[ChronicleEntry]:
    """Return the entries that were written, or undone, at this moment or later."""
    return entries.filter(Q(at__gte=moment) | Q(undone_at__gte=moment))


def chronicle_for_all(users: Collection[User], campaign: Campaign) -> QuerySet[ChronicleEntry]:
    """Return the entries that each of these players may read; none without players. One query, and one for each player
    with a kingdom.
    """
    with remember_reads():
        remember_seats(users)
        read = [
            (Q(private=False) | Q(kingdoms__overlap=list_assigned(user))) & names_known_anywhere(user) for user in users
        ]
    return chronicle_of(campaign).filter(*read) if read else ChronicleEntry.objects.none()


def latest_for(user: User, campaign: Campaign) -> QuerySet[ChronicleEntry]:
    """Return the latest entries the user may read, without their lines."""
    return list_entries(user, campaign).defer("changes")[:LATEST]


def _about_one(kind: str, keys: Iterable[UUID]) -> Q:
    found = Q(pk__in=())
    for key in keys:
        found |= _about(kind, key)
    return found


def _about(kind: str, key: UUID) -> Q:
    """Return the condition on entries that changed it. A kingdom's include those about what it owns, a commander's
    those about their commands.
    """
    found = Q(changes__contains=[{"subject_kind": kind, "subject_id": str(key)}])
    if kind == "kingdom":
        found |= Q(kingdoms__contains=[key])
    if kind == "commander":
        found |= Q(changes__contains=[{"field": "commander", "after": str(key)}])
        found |= Q(changes__contains=[{"field": "commander", "before": str(key)}])
    return found


def _askable(user: User, campaign: Campaign, kind: str, keys: Iterable[UUID]) -> list[UUID]:
    """Return those ids that the reader may ask about."""
    if reads_all(user, campaign):
        return list(keys)
    seen = chronicle_changes.visible_ids(kind, user, campaign, {str(key) for key in keys})
    return [key for key in keys if str(key) in seen]


def entry_for(user: User, campaign: Campaign, entry_id: UUID | str) -> ChronicleEntry:
    """Return an entry the user may read, without its lines (`kingdom.chronicle.queries`). Raises Http404."""
    return get_one(list_entries(user, campaign).defer("changes"), entry_id)


def in_short(user: User, campaign: Campaign, entries: QuerySet[ChronicleEntry]) -> QuerySet[ChronicleEntry]:
    """Return the entries for a list, without their lines. They are annotated with the `first` lines and the number of
    `lines` for a user who reads everything, else with their `subjects`.
    """
    entries = entries.defer("changes")
    if not reads_all(user, campaign):
        return entries.annotate(subjects=Subjects("changes"))
    return entries.annotate(
        first=Func("changes", template=f"jsonb_path_query_array(%(expressions)s, '$[0 to {FIRST - 1}]')",
                   output_field=JSONField()),
        lines=Func("changes", function="jsonb_array_length", output_field=IntegerField()),
    )  # fmt: skip


def find_last_standing_entry(campaign: Campaign) -> ChronicleEntry | None:
    """Return the latest entry with changes that is not undone, or None. Its lines are deferred: they may be many."""
    return _standing(campaign).exclude(changes=[]).first()


def find_later_entries(entry: ChronicleEntry) -> QuerySet[ChronicleEntry]:
    """Return the world changes and battles' ends after this entry that were not undone, the latest first."""
    rows = _standing(entry.campaign).filter(seq__gt=entry.seq)
    return rows.exclude(changes=[], battle_id=None)


def _standing(campaign: Campaign) -> QuerySet[ChronicleEntry]:
    return ChronicleEntry.objects.filter(campaign=campaign, undone_at=None).defer("changes").order_by("-seq")


def list_visible_changes(
    user: User, campaign: Campaign, entries: Iterable[ChronicleEntry]
) -> dict[UUID, list[chronicle_changes.Change]]:
    """Return the lines of these entries that the user may read, by entry."""
    lines = {entry.pk: chronicle_changes.list_changes(entry) for entry in entries}
    if reads_all(user, campaign):
        return lines
    wanted: dict[str, set[str]] = defaultdict(set)
    for change in (change for listed in lines.values() for change in listed):
        wanted[change.subject_kind].add(change.subject_id)
    seen = {kind: chronicle_changes.visible_ids(kind, user, campaign, ids) for kind, ids in wanted.items()}
    withheld = {kind: find_withheld(kind, user, campaign, ids) for kind, ids in seen.items()}

    def is_told(change: chronicle_changes.Change) -> bool:
        ids, fields = withheld[change.subject_kind]
        told = not (change.subject_id in ids and change.field in fields)
        return told and change.subject_id in seen[change.subject_kind]

    return {pk: [change for change in changes if is_told(change)] for pk, changes in lines.items()}
