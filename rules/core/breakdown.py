"""Breakdown of a number: the lines that add up to a total, and proportional shares of a whole."""

from __future__ import annotations

from collections.abc import Sequence
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


# Proportional shares of a whole number.


def shared(whole: int, parts: Sequence[int]) -> tuple[int, ...]:
    """A whole number shared in proportion to the parts, rounded down; what is over goes one by one to the largest
    remainders, ties in order.
    """
    total = sum(parts)
    if not total:
        return (0,) * len(parts)
    found = [whole * part // total for part in parts]
    rest = [whole * part % total for part in parts]
    for place in sorted(range(len(parts)), key=lambda place: (-rest[place], place))[: whole - sum(found)]:
        found[place] += 1
    return tuple(found)
