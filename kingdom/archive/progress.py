"""Progress of an import: written by the reader of the document, read by whoever waits."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from rules.core.errors import IllegalCommand
from rules.core.text import _

READING, WRITING, CHECKING = "reading", "writing", "checking"


class Progress:
    """One thread counts, others look. `stop` ends it at the next row: everything is taken back then."""

    def __init__(self) -> None:
        self.step, self.done, self.of = READING, 0, 0
        self.stop = False

    def rows[Row](self, step: str, rows: Iterable[Row]) -> Iterator[Row]:
        """These rows, counted. Reading them first says how many there are. Raises `IllegalCommand` once stopped."""
        self.step, self.done = step, 0
        for place, row in enumerate(rows, 1):
            if self.stop:
                raise IllegalCommand(_("It was stopped, and nothing was brought in."))
            yield row
            self.done = place
        if step == READING:
            self.of = self.done
