"""Protocol of tables that a campaign can export and import.

A ruleset's UI lists its tables (`ArmyUI.tables`). An import is divided into pieces, one for each entry (an army, a unit
type). A piece uses the ordinary services, and maps their refusals to line and column.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import zip_longest
from typing import Any, NamedTuple, Protocol

from core.clean_input import parse_whole
from core.csv_tables import TableRead
from kingdom.models import Campaign, User
from rules.core.errors import demand
from rules.core.text import MINUS, Said, Term, _, say

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

    `do`: saves it, and returns a function that reads its rows afterwards. `before`: its present rows, None for a new
    entry. `where`: line and column of a refusal's pointer. `problems`: faults found before it is tried; `warnings`:
    what is not imported.
    """

    line: int
    name: str
    under: str
    before: Sequence[Cells] | None
    do: Callable[[], Callable[[], Sequence[Cells]]]
    where: Callable[[str], tuple[int, str]]
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Said, ...] = ()


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
    plain = text.replace(MINUS, "-")
    number = parse_whole(plain.removeprefix("-").removeprefix("+").removesuffix(".0"))
    demand(number is not None, _("“{text}” isn’t a whole number."), field=field, text=text[:60])
    assert number is not None
    return -number if plain.startswith("-") else number


def parse_yes_or_no(text: str, *, field: str) -> bool:
    """A flag written as yes or no. Raises `InvalidInput`."""
    said = text.casefold()
    demand(said in (*YES, *NO), _("enter yes or no."), field=field)
    return said in YES
