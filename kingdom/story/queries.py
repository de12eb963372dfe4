"""Queries for the story of the war, by day or as one Markdown document."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import groupby
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import CharField, Q, QuerySet, Value
from django.utils.translation import gettext as _

from core import markdown
from core.text import load_said, render
from core.text_search import build_phrase
from kingdom.chronicle.queries import ALIKE, EVERYTHING, FILTERS, NameLookup, Sought, list_entries, read_filters
from kingdom.models import Campaign, ChronicleEntry, Note, User
from kingdom.notes.queries import NoteCard, build_cards, find_known, list_notes
from kingdom.notes.targets import list_note_targets, make_ref
from kingdom.templatetags.pieces import who

LINES = 30  # lines on a page
ENTRY, NOTE = "entry", "note"
STORY_FILTERS = (*FILTERS, "undone", "order")
ORDER = ("day", "at", "id")
YES, LATEST_FIRST = "1", "latest"


@dataclass(frozen=True, slots=True)
class StoryLook:
    """Filters of the story. `latest`: the latest lines first, instead of from the beginning."""

    found: Sought = EVERYTHING
    entries: bool = True
    notes: bool = True
    undone: bool = False
    latest: bool = False

    def __bool__(self) -> bool:
        return bool(self.found) or not (self.entries and self.notes)


WHOLE = StoryLook()


def story_sought(given: Mapping[str, str], named: NameLookup | None = None) -> StoryLook:
    """Return the filters of a query string, as in the chronicle; `kind=note` for notes alone. Raises `InvalidInput`."""
    kind = given.get("kind", "").strip()
    only_notes = kind == NOTE
    found = read_filters({**given, "kind": "" if only_notes else kind}, named)
    return StoryLook(
        found=found,
        entries=not only_notes,
        notes=not found.kind,
        undone=given.get("undone") == YES,
        latest=given.get("order") == LATEST_FIRST,
    )


class StoryRow(NamedTuple):
    """A line of the story, still without text. The first three fields are its position."""

    day: int
    at: datetime
    id: UUID
    what: str


def list_rows(user: User, campaign: Campaign, look: StoryLook = WHOLE, beyond: Q | None = None) -> QuerySet[Any, Any]:
    """Return the lines the reader may know as `StoryRow`s, by day. `beyond`: a condition on their position."""
    kept = [
        *([_entries(user, campaign, look)] if look.entries else []),
        *([_notes(user, campaign, look)] if look.notes else []),
    ]
    found = _together([(rows.filter(beyond) if beyond else rows, what) for rows, what in kept])
    return found.order_by(*(f"-{field}" for field in ORDER) if look.latest else ORDER)


def _together(kept: Iterable[tuple[QuerySet[Any], str]]) -> QuerySet[Any, Any]:
    first, *rest = [_as_rows(rows, what) for rows, what in kept]
    return first.union(*rest, all=True) if rest else first


def _as_rows(rows: QuerySet[Any], what: str) -> QuerySet[Any, Any]:
    return rows.order_by().values_list("day", "at", "id", Value(what, output_field=CharField()), named=False)


def _entries(user: User, campaign: Campaign, look: StoryLook) -> tuple[QuerySet[Any], str]:
    entries = list_entries(user, campaign, look.found)
    return (entries if look.undone else entries.filter(undone_at=None)), ENTRY


def _notes(user: User, campaign: Campaign, look: StoryLook) -> tuple[QuerySet[Any], str]:
    notes, found = list_notes(user, campaign), look.found
    if found.since is not None:
        notes = notes.filter(day__gte=found.since)
    if found.until is not None:
        notes = notes.filter(day__lte=found.until)
    for kind, keys in found.about.items():
        notes = notes.filter(_concerns(kind, list_note_targets()[kind].of(user, campaign).filter(pk__in=keys)))
    return notes, NOTE


def _concerns(kind: str, things: QuerySet[Any]) -> Q:
    """Return the condition on notes about one of these or mentioning it; for a kingdom also about what it owns, or
    meant for it.
    """
    keys = list(things.values_list("pk", flat=True))
    found = Q(pk__in=()) | Q(about_kind=kind, about_id__in=keys)
    for key in keys:
        found |= Q(mentions__contains=[{"ref": make_ref(kind, key)}])
    return found | Q(about_kingdom__in=keys) | Q(for_kingdom__in=keys) if kind == "kingdom" else found


def called_so(user: User, campaign: Campaign, kind: str, text: str) -> Sequence[UUID]:
    """Return the ids of visible objects with exactly this name, or else with the text in their name."""
    topic = list_note_targets()[kind]
    if "\0" in text or not (name := build_phrase(text)):
        return []
    rows = topic.of(user, campaign).order_by("pk")
    so, part = ({f"{topic.name}__plain{lookup}": name} for lookup in ("", "__contains"))
    exact = list(rows.filter(**so).values_list("pk", flat=True)[:ALIKE])
    return exact or list(rows.filter(**part).values_list("pk", flat=True)[:ALIKE])


def name_sought(user: User, campaign: Campaign, kind: str, text: str) -> str:
    """Return the text of a filter field: for an id the name of the object, if the reader may see it."""
    try:
        known = find_known(user, campaign, [make_ref(kind, UUID(text.strip()))])
    except ValueError:
        return text
    return next((thing.name for thing in known.values()), "")


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line for one reader: an `entry` of the chronicle in words (`text`), or a note (`card`)."""

    row: StoryRow
    entry: ChronicleEntry | None = None
    text: Any = None
    card: NoteCard | None = None


def build_lines(user: User, campaign: Campaign, rows: Iterable[Sequence[Any]], *, level: int = 3) -> list[StoryLine]:
    """Return these lines with their contents. A few queries in all."""
    kept = [StoryRow(*row) for row in rows]
    ids = {what: [row.id for row in kept if row.what == what] for what in (ENTRY, NOTE)}
    entries = ChronicleEntry.objects.filter(pk__in=ids[ENTRY]).select_related("by", "undone_by").defer("changes")
    notes = list(Note.objects.filter(pk__in=ids[NOTE]).select_related("by", "edited_by")) if ids[NOTE] else []
    lines: dict[UUID, dict[str, Any]] = {}
    for entry in entries if ids[ENTRY] else ():
        lines[entry.pk] = {"entry": entry, "text": load_said(entry.text)}
    for card in build_cards(user, campaign, notes, level=level):
        lines[card.note.pk] = {"card": card}
    return [StoryLine(row, **lines[row.id]) for row in kept if row.id in lines]


def group_by_day(lines: Iterable[StoryLine]) -> Iterator[tuple[int, list[StoryLine]]]:
    for day, together in groupby(lines, key=lambda line: line.row.day):
        yield day, list(together)


# Markdown export of the story, limited to what its reader may know.


MARKS = re.compile(r"([\\`*_\[\]<>])")


def markdown_of(campaign: Campaign, lines: Iterable[StoryLine]) -> Iterator[str]:
    """Yield the document in pieces."""
    yield f"# {escape_markdown(campaign.name)}\n\n{_('Day by day')}\n"
    day = None
    for line in lines:
        if line.row.day != day:
            day = line.row.day
            yield f"\n## {_('Day {day}').format(day=day)}\n"
        yield f"\n{_note(line.card) if line.card else _entry(line)}\n"


def _entry(line: StoryLine) -> str:
    text = escape_markdown(render(line.text))
    if line.entry and line.entry.undone:
        return f"- ~~{text}~~ ({_('undone')})"
    return f"- {text}"


def _note(card: NoteCard) -> str:
    """Return a note as a quotation below its author, so that its headings stay its own."""
    note = card.note
    by = escape_markdown(who(note.by))
    about = f"{render(card.word)} {escape_markdown(card.about.name)}"
    text = markdown.render_plain(note.text, card.names).replace("<", "&lt;")
    quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
    return f"**{by}**, {about}, {render(card.readers)}:\n\n{quoted}"


def escape_markdown(text: str) -> str:
    """Return the text on one line, with Markdown escaped."""
    return MARKS.sub(r"\\\1", " ".join(text.split()))
