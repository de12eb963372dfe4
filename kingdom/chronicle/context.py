"""Context that collects the chronicle entries made while something is done: for trials, approvals and notices."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from kingdom.models import ChronicleEntry
from rules.core.text import Said


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
