"""Protocol of tables that a campaign can export and import, and CSV rows of its own entries that have slugs. A
ruleset's UI lists its tables (`ArmyUI.tables`). An import is divided into pieces, one for each entry, which use the
ordinary services.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol

from core.clean_input import parse_whole
from core.csv_tables import RowRead, TableRead
from core.text_search import LONGEST, Slugs
from kingdom.access.queries import require_gm
from kingdom.models import Campaign, User
from rules.core.errors import demand
from rules.core.text import MINUS, NO_WORDS, Said, Term, _, say

# Protocol of tables that a campaign can export and import.
#
# A ruleset's UI lists its tables (`ArmyUI.tables`). An import is divided into pieces, one for each entry (an army, a
# unit
# type). A piece uses the ordinary services, and maps their refusals to line and column.

FIELD = "/file"
ROWS_MOST = 2_000
PIECES_MOST = 500
NEW, CHANGED, SAME, WRONG = "new", "changed", "same", "wrong"

type Cells = Mapping[str, Any]


class Problem(NamedTuple):
    """A problem with its line and column; the column is "" where it is no single one."""

    line: int
    column: str
    text: Said

    @property
    def told(self) -> Said:
        """The message with line and column."""
        if self.column:
            said = _("Line {line}, {column}: {problem}")
            return say(said, line=self.line, column=self.column, problem=self.text)
        return say(_("Line {line}: {problem}"), line=self.line, problem=self.text)


class CellDifference(NamedTuple):
    """A cell that would change. `row`: name of the row, where the entry has several."""

    row: str
    column: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Piece:
    """An entry of an imported table.

    `kind`: what it becomes, where a file has several kinds. `do`: saves it, and returns a function that reads its rows
    afterwards. `before`: its present rows, None for a new entry. `where`: line and column of a refusal's pointer.
    `problems`: faults found before it is tried; `warnings`: what is not imported. `leave`: kind of leave that a player
    needs for this entry beside the table's.
    """

    line: int
    name: str
    under: str
    before: Sequence[Cells] | None
    do: Callable[[], Callable[[], Sequence[Cells]]]
    where: Callable[[str], tuple[int, str]]
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Said, ...] = ()
    kind: Said = NO_WORDS
    leave: str = ""


class TableOut(NamedTuple):
    head: Sequence[str]
    rows: Iterator[Sequence[Any]]


class TableFile(Protocol):
    """A kind of entries as a table. `leave`: kind of leave that a player needs for the import; "" where only the GM may
    import.
    """

    slug: str
    title: Term
    about: Term
    leave: str
    private: bool
    """Whether the chronicle shows the import only to those who may read the kingdoms concerned."""

    def columns(self, campaign: Campaign) -> Sequence[str]: ...
    def out(self, user: User, campaign: Campaign) -> TableOut:
        """The entries that this user may read."""

    def pieces(self, by: User, campaign: Campaign, table: TableRead) -> Iterable[Piece]:
        """Pieces of the import. Raises `InvalidInput` for another kind of table, `PermissionDenied` for users who may
        not import.
        """

    def told(self, new: int, changed: int) -> Said:
        """Chronicle text of the import."""


def differing(before: Sequence[Cells] | None, after: Sequence[Cells]) -> Iterator[CellDifference]:
    """Differing cells; for an added or removed row, all its cells."""
    if before is None:
        return
    several, gone = max(len(before), len(after)) > 1, dict[str, Any]()
    for place, (was, now) in enumerate(zip_longest(before, after, fillvalue=gone), 1):
        named = str(now.get("name") or was.get("name") or place) if several else ""
        for column in {**was, **now}:
            if (was.get(column) or "") != (now.get(column) or ""):
                yield CellDifference(named, column, was.get(column), now.get(column))


def pointer_of(problem: Problem) -> str:
    return f"/rows/{problem.line}" + (f"/{problem.column}" if problem.column else "")


# Cells with numbers and flags, in either language.


YES, NO = ("yes", "true", "1", "oui", "vrai"), ("no", "false", "0", "non", "faux")


def parse_whole_number(text: str, *, field: str) -> int:
    """A whole number. Raises `InvalidInput`."""
    plain = "".join(text.replace(MINUS, "-").split())  # French spreadsheets group digits by spaces
    number = parse_whole(plain.removeprefix("-").removeprefix("+").removesuffix(".0"))
    demand(number is not None, _("“{text}” isn’t a whole number."), field=field, text=text[:60])
    assert number is not None
    return -number if plain.startswith("-") else number


def parse_yes_or_no(text: str, *, field: str) -> bool:
    """A flag written as yes or no. Raises `InvalidInput`."""
    said = text.casefold()
    demand(said in (*YES, *NO), _("enter yes or no."), field=field)
    return said in YES


# CSV rows of a campaign's own entries that have slugs (unit types, types of troops).

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
