"""Hearing what the chronicle is told while something is done: for trials, and for deeds granted to others."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import NamedTuple

from kingdom.models import ChronicleEntry
from rules.text import Said


class Hearing(NamedTuple):
    """The entries made so far, and how their text is worded."""

    entries: list[ChronicleEntry]
    wording: Callable[[Said], Said]


_current: ContextVar[Hearing | None] = ContextVar("hearing", default=None)


@contextmanager
def hearing(wording: Callable[[Said], Said] = lambda text: text) -> Iterator[list[ChronicleEntry]]:
    """Collect every entry made meanwhile; `wording` may add to what each says."""
    entries: list[ChronicleEntry] = []
    token = _current.set(Hearing(entries, wording))
    try:
        yield entries
    finally:
        _current.reset(token)


def worded(text: Said) -> Said:
    found = _current.get()
    return found.wording(text) if found else text


def heard(entry: ChronicleEntry) -> ChronicleEntry:
    if found := _current.get():
        found.entries.append(entry)
    return entry
