"""Breakdown of a number: the lines that add up to its total, proportional shares of a whole number, and printed sheets
of armies for tables that play on paper.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rules.core.text import NO_WORDS, Said, _

# Breakdown of a number: the lines that add up to its total. Also proportional shares of a whole number.


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


# Printed sheets of armies, for tables that play on paper, under any law.

HEALTH = _("Health")


class PaperFigure(NamedTuple):
    """Number with its breakdown. `plain`: shown without a sign."""

    label: Said
    value: int
    lines: tuple[Line, ...] = ()
    plain: bool = False


class PaperList(NamedTuple):
    """List of an army's items of one kind, by name. `told` is a sentence about it."""

    title: Said
    items: tuple[Said, ...]
    told: Said = NO_WORDS


class PaperUnit(NamedTuple):
    """Unit with its own health boxes: `boxes` in all, `left` not crossed out. `told` are further facts."""

    name: Said
    text: Said
    told: tuple[Said, ...]
    boxes: int
    left: int

    @property
    def there(self) -> tuple[bool, ...]:
        return tuple(place < self.left for place in range(self.boxes))


class PaperAid(NamedTuple):
    """Reference table of the law in one row. Each cell has a name and its effects; `now` is the index of the starting
    cell.
    """

    title: Said
    cells: tuple[tuple[Said, tuple[Said, ...]], ...]
    now: int = -1
    help: Said = NO_WORDS


@dataclass(frozen=True, slots=True)
class OnPaper:
    """Printed army, with one box for each point of health. At `brink` or fewer points the boxes are grey.

    `parts` are sheets printed in the army's place, if each part has points and figures of its own. `units` have boxes
    of their own, in place of the army's. `measure` is the name of the points. `more` are further cards. `charge` is the
    icon on its shield, `kingdom` the id of the kingdom whose shield it bears; both may be "".
    """

    id: str
    name: str
    health: int
    health_max: int
    about: Said = NO_WORDS
    leader: str = ""
    kingdom: str = ""
    charge: str = ""
    measure: Said = HEALTH
    brink: int = 0
    brink_help: Said = NO_WORDS
    figures: Sequence[PaperFigure] = ()
    lists: Sequence[PaperList] = ()
    parts: Sequence[OnPaper] = ()
    units: Sequence[PaperUnit] = ()
    more: Sequence[OnPaper] = ()

    @property
    def words(self) -> tuple[Said, ...]:
        """Items of all lists."""
        return tuple(item for found in self.lists for item in found.items)
