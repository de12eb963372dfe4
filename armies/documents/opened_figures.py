"""Figures of declared documents that open to the lines they are made of."""

from __future__ import annotations

from typing import NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.text import NO_WORDS, Said

NO_LINES = Breakdown()


class OpenedFigure(NamedTuple):
    """A figure as pages show it. `id`: of what opens, one of its kind on a page. `hint`: a few words below it."""

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
        """Whether one line says all there is to open."""
        return len(self.breakdown.lines) < 2
