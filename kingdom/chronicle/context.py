"""Context variables of the chronicle: they collect the entries of a request, or merge several actions into one
entry.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING, Any, NamedTuple
from uuid import UUID

from django.contrib.messages import SUCCESS
from django.contrib.messages.storage.base import Message
from django.contrib.messages.storage.fallback import FallbackStorage
from django.http import HttpRequest
from django.urls import reverse

from kingdom.access.queries import is_gm
from kingdom.chronicle.field_change import make_plain
from kingdom.models import ChronicleEntry
from rules.core.text import Said

if TYPE_CHECKING:
    from kingdom.chronicle.changes import Change


class Capture(NamedTuple):
    """The entries made so far, and a function that may change the text of each."""

    entries: list[ChronicleEntry]
    wording: Callable[[Said], Said]


_current: ContextVar[Capture | None] = ContextVar("capture", default=None)


@contextmanager
def captured_entries(wording: Callable[[Said], Said] = lambda text: text) -> Iterator[list[ChronicleEntry]]:
    """Context that collects every entry made inside it. `wording` may extend the text of each entry."""
    entries: list[ChronicleEntry] = []
    token = _current.set(Capture(entries, wording))
    try:
        yield entries
    finally:
        _current.reset(token)


def format_entries(text: Said) -> Said:
    found = _current.get()
    return found.wording(text) if found else text


def collect_entries(entry: ChronicleEntry) -> ChronicleEntry:
    if found := _current.get():
        found.entries.append(entry)
    if (lately := _lately.get()) is not None:
        lately.append(entry)
    return entry


_lately: ContextVar[list[ChronicleEntry] | None] = ContextVar("lately", default=None)


def begin_request() -> None:
    """Start to collect the entries of this request, for `list_recent_entries`."""
    _lately.set([])


def list_recent_entries() -> list[ChronicleEntry]:
    """Return the entries made since the last call, or since the request began."""
    entries = _lately.get() or []
    _lately.set([])
    return entries


# Undo button of success messages. The first success message after an entry was made carries the entry's undo address,
# if its reader may undo it. After several entries it carries none, since each covers only a part of the message.


MARK = "undo:"
OWN_UNDO = "own-undo"
"""The tag of a message whose page has its own undo button for it."""


class Notices(FallbackStorage):
    """Django's message storage, which also attaches an undo address to success messages."""

    def __init__(self, request: HttpRequest, *args: Any, **kwargs: Any):
        super().__init__(request, *args, **kwargs)
        begin_request()

    def add(self, level: int, message: Any, extra_tags: str | None = "") -> None:
        mark = _mark(self.request) if level == SUCCESS and extra_tags != OWN_UNDO else ""
        super().add(level, message, " ".join(filter(None, (extra_tags, mark))))


def _mark(request: HttpRequest) -> str:
    match list_recent_entries():
        case [entry] if entry.changes and is_gm(request.user, entry.campaign):  # type: ignore[arg-type]
            return f"{MARK}{entry.campaign_id}/{entry.pk}"
    return ""


def undo_of(message: Message) -> str:
    """Return the address that undoes what this message reports, or ""."""
    named = next((tag for tag in (message.extra_tags or "").split() if tag.startswith(MARK)), "")
    campaign, _slash, entry = named.removeprefix(MARK).partition("/")
    return reverse("kingdom:undo", args=[campaign, entry]) if entry else ""


# Batch of changes: several actions entered as one (`kingdom.chronicle.transaction`).


class ChangeBatch:
    """The changes of several actions that become one entry and are undone as one."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str, str], Change] = {}
        self.kingdoms: set[UUID] = set()

    @property
    def changes(self) -> list[Change]:
        return [change for change in self._lines.values() if make_plain(change.before) != make_plain(change.after)]

    def take(self, changes: Iterable[Change], kingdoms: Iterable[UUID]) -> None:
        """Add changes. Two changes of one field merge into one: from the first value to the last."""
        for change in changes:
            first = self._lines.get(change.place)
            self._lines[change.place] = replace(first, after=change.after, whole=change.whole) if first else change
        self.kingdoms |= {UUID(str(kingdom)) for kingdom in kingdoms}


_gathering: ContextVar[ChangeBatch | None] = ContextVar("gathering", default=None)


@contextmanager
def collect_changes() -> Iterator[ChangeBatch]:
    """Context in which no entry is saved: the caller writes one entry of all collected changes."""
    found = ChangeBatch()
    token = _gathering.set(found)
    try:
        yield found
    finally:
        _gathering.reset(token)


def collecting() -> ChangeBatch | None:
    """Return the batch that collects changes now; None outside of `collect_changes`."""
    return _gathering.get()
