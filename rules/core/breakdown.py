"""Breakdown of a number: the lines that add up to its total. Also proportional shares of a whole number."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rules.core.text import Said


class Line(NamedTuple):
    """Line of a breakdown: its label, the signed value it adds, and its rule id."""

    label: Said
    value: int
    rule: str


@dataclass(frozen=True, slots=True)
class Breakdown:
    """Breakdown of a number. `total` is the sum of the lines' values."""

    lines: tuple[Line, ...] = ()

    @property
    def total(self) -> int:
        return sum(line.value for line in self.lines)

    def plus(self, label: Said, value: int, rule: str) -> Breakdown:
        return Breakdown((*self.lines, Line(label, value, rule))) if value else self

    def at_least(self, floor: int, label: Said, rule: str) -> Breakdown:
        """Raise the total to at least `floor`, with a line that says so."""
        return self.plus(label, max(0, floor - self.total), rule)


# Proportional shares of a whole number.


def shared(whole: int, parts: Sequence[int]) -> tuple[int, ...]:
    """Split a whole number in proportion to `parts`, rounded down. The remainder goes one by one to the largest
    fractions; ties go to the first. `shared(10, (1, 1, 1)) == (4, 3, 3)`.
    """
    total = sum(parts)
    if not total:
        return (0,) * len(parts)
    found = [whole * part // total for part in parts]
    rest = [whole * part % total for part in parts]
    for place in sorted(range(len(parts)), key=lambda place: (-rest[place], place))[: whole - sum(found)]:
        found[place] += 1
    return tuple(found)
