"""Batch of changes: several deeds entered as one (`kingdom.chronicle.transaction`)."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import replace
from typing import TYPE_CHECKING
from uuid import UUID

from kingdom.chronicle.tracked_models import make_plain

if TYPE_CHECKING:
    from kingdom.chronicle.changes import Change


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
