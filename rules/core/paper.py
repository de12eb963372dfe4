"""Paper: what is printed of an army, for tables that play with pencils, under any law."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

from rules.core.breakdown import Line
from rules.core.text import NO_WORDS, Said, _

HEALTH = _("Health")


class PaperFigure(NamedTuple):
    """A number with the lines it is made of. `plain`: shown without a sign."""

    label: Said
    value: int
    lines: tuple[Line, ...] = ()
    plain: bool = False


class PaperList(NamedTuple):
    """What an army has of one kind, by name. `told`: a sentence on it."""

    title: Said
    items: tuple[Said, ...]
    told: Said = NO_WORDS


class PaperUnit(NamedTuple):
    """A unit with boxes of its own: `boxes` of them, `left` not crossed out. `told`: what else there is to know."""

    name: Said
    text: Said
    told: tuple[Said, ...]
    boxes: int
    left: int

    @property
    def there(self) -> tuple[bool, ...]:
        return tuple(place < self.left for place in range(self.boxes))


class PaperAid(NamedTuple):
    """A table of the law in one row, to have at hand: each cell a name and what it does; `now` is where one begins."""

    title: Said
    cells: tuple[tuple[Said, tuple[Said, ...]], ...]
    now: int = -1
    help: Said = NO_WORDS


@dataclass(frozen=True, slots=True)
class OnPaper:
    """An army as it is printed: one box for each point of health; at `brink` or fewer the boxes are grey.

    `parts`: what it is made of where each part has its own points and figures, printed in its place. `measure`: what
    its points are called. `units`: those that have boxes of their own, in the place of the army's. `more`: further
    cards of it. `charge` is the icon on its shield, `kingdom` the id of whose shield it is; both "" where there is
    none.
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
        """Everything it has, in one list."""
        return tuple(item for found in self.lists for item in found.items)
