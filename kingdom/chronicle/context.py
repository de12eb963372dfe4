"""Context of the chronicle: it collects entries made while something is done, or makes one entry of several deeds."""

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

from core.url_cache import get_url
from kingdom.access.queries import is_gm
from kingdom.chronicle.tracked_models import make_plain
from kingdom.models import ChronicleEntry
from rules.core.text import Said

if TYPE_CHECKING:
    from kingdom.chronicle.changes import Change


class Capture(NamedTuple):
    """The entries made so far, and how their text is worded."""

    entries: list[ChronicleEntry]
    wording: Callable[[Said], Said]


_current: ContextVar[Capture | None] = ContextVar("capture", default=None)


@contextmanager
def captured_entries(wording: Callable[[Said], Said] = lambda text: text) -> Iterator[list[ChronicleEntry]]:
    """Collect every entry made meanwhile; `wording` may add to what each says."""
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
    """From now on what is entered is kept for who tells of it (`list_recent_entries`)."""
    _lately.set([])


def list_recent_entries() -> list[ChronicleEntry]:
    """The entries made since this was asked last, or since the request began."""
    entries = _lately.get() or []
    _lately.set([])
    return entries


# Undo button of success messages: a message knows the entry it tells of. The first notice of success after
# something was entered in the chronicle bears the address of that entry, if its reader may take it back. Where
# several were made it bears none: one of them would be but a part of what the notice tells.


MARK = "undo:"
OWN_UNDO = "own-undo"
"""The tag of a notice on a page that offers to undo what it tells itself."""


class Notices(FallbackStorage):
    """Django's own, made for each request."""

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
    """Where what this notice tells is taken back, "" where nowhere."""
    named = next((tag for tag in (message.extra_tags or "").split() if tag.startswith(MARK)), "")
    campaign, _slash, entry = named.removeprefix(MARK).partition("/")
    return get_url("kingdom:undo", campaign, entry) if entry else ""


# Batch of changes: several deeds entered as one (`kingdom.chronicle.transaction`).


class ChangeBatch:
    """What several deeds did that are told, and taken back, as one: the lines of all of them."""

    def __init__(self) -> None:
        self._lines: dict[tuple[str, str, str], Change] = {}
        self.kingdoms: set[UUID] = set()

    @property
    def changes(self) -> list[Change]:
        return [change for change in self._lines.values() if make_plain(change.before) != make_plain(change.after)]

    def take(self, changes: Iterable[Change], kingdoms: Iterable[UUID]) -> None:
        """What changed twice is one line, from what it was first to what it is."""
        for change in changes:
            first = self._lines.get(change.place)
            self._lines[change.place] = replace(first, after=change.after, whole=change.whole) if first else change
        self.kingdoms |= {UUID(str(kingdom)) for kingdom in kingdoms}


_gathering: ContextVar[ChangeBatch | None] = ContextVar("gathering", default=None)


@contextmanager
def collect_changes() -> Iterator[ChangeBatch]:
    """What is entered in here is no entry of its own: whoever gathers it tells it."""
    found = ChangeBatch()
    token = _gathering.set(found)
    try:
        yield found
    finally:
        _gathering.reset(token)


def collecting() -> ChangeBatch | None:
    """Whoever gathers now."""
    return _gathering.get()
