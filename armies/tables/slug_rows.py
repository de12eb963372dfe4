"""CSV rows of a campaign's own entries that have slugs (unit types, types of troops)."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from armies.tables.tables import FIELD, Cells, Piece, Problem, TableOut
from core.csv_tables import RowRead, TableRead
from core.text_search import LONGEST, Slugs
from kingdom.access.queries import require_gm
from kingdom.models import Campaign, User
from rules.core.text import Said, Term, _, say

SLUG = "slug"


class ThingTable[Thing](ABC):
    """Base of the GM's tables. `needed`: columns that a table must have. `again`: message for an entry that is in the
    table twice; `brought`: chronicle text.
    """

    slug, leave, private = "units", "", False
    title: Term
    about: Term
    again: Term
    brought: Term
    head: Sequence[str]
    needed: Sequence[str]

    @abstractmethod
    def there(self, campaign: Campaign) -> Mapping[str, Thing]:
        """Existing entries, by slug."""

    @abstractmethod
    def cells(self, slug: str, thing: Thing) -> Cells:
        """Row of an entry."""

    @abstractmethod
    def slug_in(self, cells: Mapping[str, str], slugs: Slugs) -> str:
        """Slug of the entry in this row. `slugs`: those of existing entries and of earlier rows."""

    @abstractmethod
    def write(self, by: User, campaign: Campaign, slug: str, cells: Mapping[str, str], old: Thing | None) -> Thing:
        """Saves the entry with the ordinary service. `old`: the existing entry, if any. Raises `Refusal`."""

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return self.head

    def out(self, user: User, campaign: Campaign) -> TableOut:
        return TableOut(self.head, self._rows(campaign))

    def _rows(self, campaign: Campaign) -> Iterator[Sequence[Any]]:
        for slug, thing in self.there(campaign).items():
            cells = self.cells(slug, thing)
            yield [cells.get(name) for name in self.head]

    def told(self, new: int, changed: int) -> Said:
        return say(self.brought, new=new, changed=changed)

    def pieces(self, by: User, campaign: Campaign, table: TableRead) -> Iterator[Piece]:
        require_gm(by, campaign)
        table.demand_columns(self.needed, self.head, field=FIELD)
        there, seen = self.there(campaign), dict[str, int]()
        slugs = Slugs({slug: str(self.cells(slug, thing)["name"]) for slug, thing in there.items()})
        for row in table.rows:
            slug = self.slug_in(row.cells, slugs)
            slugs.take(slug, row.cells.get("name", ""))
            yield self._piece(by, campaign, row, slug, there.get(slug), seen.setdefault(slug, row.line))

    def _piece(self, by: User, campaign: Campaign, row: RowRead, slug: str, old: Thing | None, first: int) -> Piece:
        """`first`: line where this entry stood first."""
        problems = []
        if first != row.line:
            problems = [Problem(row.line, SLUG if row.cells.get(SLUG) else "name", say(self.again, line=first))]
        if (count := len(row.cells.get(SLUG, ""))) > LONGEST:
            said = _("Use at most {most} characters; this has {count}.")
            problems.append(Problem(row.line, SLUG, say(said, most=LONGEST, count=count)))
        return Piece(
            line=row.line,
            name=row.cells.get("name", ""),
            under="",
            before=None if old is None else [self.cells(slug, old)],
            do=partial(self._do, by, campaign, row, slug, old),
            where=partial(_where, row),
            problems=tuple(problems),
        )

    def _do(self, by: User, campaign: Campaign, row: RowRead, slug: str, old: Thing | None) -> Any:
        after = self.write(by, campaign, slug, row.cells, old)
        return lambda: [self.cells(slug, after)]


def _where(row: RowRead, pointer: str) -> tuple[int, str]:
    """Line, and the first part of the pointer that is a column."""
    return row.line, next((part for part in pointer.split("/") if part in row.cells), "")
