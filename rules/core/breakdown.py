"""Breakdown of a number: a total and the lines that add up to it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rules.core.text import Said


class Line(NamedTuple):
    """One reason: what it is called, what it adds (signed), and the rule it comes from."""

    label: Said
    value: int
    rule: str


@dataclass(frozen=True, slots=True)
class Breakdown:
    """The sum of its lines, always."""

    lines: tuple[Line, ...] = ()

    @property
    def total(self) -> int:
        return sum(line.value for line in self.lines)

    def plus(self, label: Said, value: int, rule: str) -> Breakdown:
        return Breakdown((*self.lines, Line(label, value, rule))) if value else self

    def at_least(self, floor: int, label: Said, rule: str) -> Breakdown:
        """Raise the total to `floor`, with a line that says so."""
        return self.plus(label, max(0, floor - self.total), rule)
