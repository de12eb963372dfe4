"""Figures of declared documents with the breakdowns they open to."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.text import NO_WORDS, Said

NO_LINES = Breakdown()


class OpenedFigure(NamedTuple):
    """A figure on a page. `id`: id of its breakdown, unique on the page. `hint`: a few words below it."""

    id: str
    label: Said
    value: int
    breakdown: Breakdown = NO_LINES
    hint: Said = NO_WORDS
    signed: bool = False

    @property
    def title(self) -> Said:
        return self.label

    @property
    def bare(self) -> bool:
        """Whether the breakdown has at most one line, so that there is nothing to open."""
        return len(self.breakdown.lines) < 2
