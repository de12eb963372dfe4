"""Tables that a campaign can export and import, and what an import would do.

A law's UI names its tables (`ArmyUI.tables`). What comes in is cut into pieces, each a thing of its own (an army, a
unit type): the piece does it by the services people use, and says of each problem where in the table it stands.
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
    """What is wrong, and where: the line of the table and the column, "" where it is no single one."""

    line: int
    column: str
    text: Said

    @property
    def told(self) -> Said:
        """With its place."""
        if self.column:
            said = _("Line {line}, {column}: {problem}")
            return say(said, line=self.line, column=self.column, problem=self.text)
        return say(_("Line {line}: {problem}"), line=self.line, problem=self.text)


class CellDifference(NamedTuple):
    """A cell that would say something else. `row` names which of a thing's rows, where it has several."""

    row: str
    column: str
    before: Any
    after: Any


@dataclass(frozen=True, slots=True)
class Piece:
    """A thing of the table. `do` makes it so and answers how to read its rows then; `before` are its rows now, None
    where it is new; `where` says line and column of a refusal's pointer. What is wrong before it is tried stands in
    `problems`, what will not be taken over in `warnings`.
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
    """One kind of things as a table. `leave`: the kind of deed a player needs leave for; "" where it is the GM's."""

    slug: str
    title: Term
    about: Term
    leave: str
    private: bool
    """Whether the chronicle tells it to nobody but those who may read the kingdoms concerned."""

    def columns(self, campaign: Campaign) -> Sequence[str]: ...
    def out(self, user: User, campaign: Campaign) -> TableOut:
        """What this user may read of it."""

    def pieces(self, by: User, campaign: Campaign, table: TableRead) -> Iterable[Piece]:
        """Raises `InvalidInput` where it is no such table at all, `PermissionDenied` for who may not."""

    def told(self, new: int, changed: int) -> Said:
        """What the chronicle says of it."""


def differing(before: Sequence[Cells] | None, after: Sequence[Cells]) -> Iterator[CellDifference]:
    """Cell by cell; a row that is gone or new by what is in it."""
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
    """Raises `InvalidInput`."""
    plain = text.replace(MINUS, "-")
    number = parse_whole(plain.removeprefix("-").removeprefix("+").removesuffix(".0"))
    demand(number is not None, _("“{text}” isn’t a whole number."), field=field, text=text[:60])
    assert number is not None
    return -number if plain.startswith("-") else number


def parse_yes_or_no(text: str, *, field: str) -> bool:
    """Raises `InvalidInput`."""
    said = text.casefold()
    demand(said in (*YES, *NO), _("enter yes or no."), field=field)
    return said in YES
