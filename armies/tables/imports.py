"""Import of a table, entry by entry: each is tried, problems name line and column, and all is saved or rolled back."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass
from typing import NamedTuple

from django.core.exceptions import PermissionDenied
from django.db import transaction

from armies.ruleset_ui import get_army_ui
from armies.tables.headings import Columns, apply_columns, read_headings
from armies.tables.tables import (
    CHANGED,
    FIELD,
    NEW,
    PIECES_MOST,
    ROWS_MOST,
    SAME,
    WRONG,
    CellDifference,
    Piece,
    Problem,
    TableFile,
    differing,
)
from core.clean_input import NAME_MAX
from core.csv_tables import TableRead, read_table
from kingdom.access.decorators import inside
from kingdom.access.queries import is_gm
from kingdom.approvals.serializers import leave_of
from kingdom.campaign.queries import run_kingdoms
from kingdom.chronicle import changes as chronicle_changes
from kingdom.chronicle.context import ChangeBatch, collect_changes
from kingdom.models import Campaign, User
from rules.core.errors import Refusal, demand
from rules.core.text import NO_WORDS, Said, _


class BroughtLine(NamedTuple):
    """Result for one entry of the table. `under`: name of its kingdom, if it has one. `kind`: what it becomes, where
    the file has several kinds. `leave`: kind of leave that a player needs for it beside the table's.
    """

    line: int
    name: str
    under: str
    what: str
    differences: tuple[CellDifference, ...] = ()
    problems: tuple[Problem, ...] = ()
    warnings: tuple[Said, ...] = ()
    kind: Said = NO_WORDS
    leave: str = ""


@dataclass(frozen=True, slots=True)
class Bringing:
    """Result of an import. `mark` identifies the text and everything it would do."""

    lines: tuple[BroughtLine, ...]
    mark: str

    def count(self, what: str) -> int:
        return sum(line.what == what for line in self.lines)

    @property
    def new(self) -> int:
        return self.count(NEW)

    @property
    def changed(self) -> int:
        return self.count(CHANGED)

    @property
    def same(self) -> int:
        return self.count(SAME)

    @property
    def wrong(self) -> int:
        return self.count(WRONG)

    @property
    def problems(self) -> list[Problem]:
        return [problem for line in self.lines for problem in line.problems]

    @property
    def leaves(self) -> set[str]:
        """Kinds of leave that a player needs for its entries beside the table's."""
        return {line.leave for line in self.lines} - {""}

    @property
    def ready(self) -> bool:
        """Whether it has no problems and changes something."""
        return not self.wrong and bool(self.new or self.changed)


def find_table(campaign: Campaign, slug: str) -> TableFile | None:
    """The table with this slug; None where the campaign's ruleset has none."""
    return {table.slug: table for table in get_army_ui(campaign).tables}.get(slug)


def may_bring(user: User, campaign: Campaign, table: TableFile) -> bool:
    """Whether the user may import it: the GM, or a player who runs a kingdom where the GM lets players ask for it."""
    if is_gm(user, campaign):
        return True
    leave = leave_of(user, campaign).get(table.leave)
    return leave is not None and leave.offered and run_kingdoms(user, campaign).exists()


def list_further_leave(
    by: User, campaign: Campaign, table: TableFile, text: str, columns: Columns | None = None
) -> set[str]:
    """Kinds of leave that a player needs for entries of this text beside the table's. Raises `InvalidInput`."""
    return {piece.leave for piece in table.pieces(by, campaign, read(table, campaign, text, columns))} - {""}


def read(table: TableFile, campaign: Campaign, text: str, columns: Columns | None = None) -> TableRead:
    """Reads the CSV. `columns`: what its headings stand for, where they are no columns.

    Raises `InvalidInput` for another kind of table, or one that is too long.
    """
    if columns is None:
        found = read_table(text, field=FIELD)
    else:
        found = apply_columns(read_headings(text, field=FIELD), columns, table.columns(campaign))
    found.demand_columns((), table.columns(campaign), field=FIELD)
    demand(found.rows, _("The table has no rows. Add at least one row below the column names."), field=FIELD)
    demand(len(found.rows) <= ROWS_MOST, _("This table has {found} rows; the limit is {most}. Split it."),
           field=FIELD, found=len(found.rows), most=ROWS_MOST)  # fmt: skip
    return found


def brought(
    by: User, campaign: Campaign, table: TableFile, text: str, columns: Columns | None = None
) -> tuple[Bringing, ChangeBatch]:
    """Carries out everything in the table, in the caller's transaction. Refused entries are left out."""
    sent = read(table, campaign, text, columns)
    pieces = table.pieces(by, campaign, sent)
    return carry_out(pieces, json.dumps([text, sent.headings]) if sent.headings else text, sent.headings)


def carry_out(
    asked: Iterable[Piece], text: str, headings: Mapping[str, str] | None = None
) -> tuple[Bringing, ChangeBatch]:
    """Carries out these pieces. `text`: the text from which the mark is computed. `headings`: those of the file, by
    column, which problems name.
    """
    pieces = list(asked)
    demand(
        len(pieces) <= PIECES_MOST,
        _("Import at most {most} at a time. Split the table."),
        field=FIELD,
        most=PIECES_MOST,
    )
    with collect_changes() as told:
        lines = tuple(_in_their_words(_tried(piece, told), headings or {}) for piece in pieces)
    return Bringing(lines, _mark(text, lines)), told


def propose(by: User, campaign: Campaign, table: TableFile, text: str, columns: Columns | None = None) -> Bringing:
    """Preview of the import: tries every entry, then rolls everything back. Raises `InvalidInput` for text that is not
    a table of this kind.
    """
    return taken_back(campaign, lambda: brought(by, campaign, table, text, columns))


def taken_back(campaign: Campaign, bring: Callable[[], tuple[Bringing, ChangeBatch]]) -> Bringing:
    """Preview of an import: carry it out, and roll the transaction back."""
    with transaction.atomic(), inside():
        chronicle_changes.hold(campaign)
        found, _told = bring()
        transaction.set_rollback(True)
    return found


def _in_their_words(line: BroughtLine, headings: Mapping[str, str]) -> BroughtLine:
    problems = (one._replace(column=headings.get(one.column, one.column)) for one in line.problems)
    return line._replace(problems=tuple(problems))


def _tried(piece: Piece, told: ChangeBatch) -> BroughtLine:
    if piece.problems:
        return _line(piece, WRONG, problems=piece.problems)
    try:
        with transaction.atomic(), collect_changes() as own:
            told_after = piece.do()
            after = told_after() if piece.before is not None else ()  # a new entry has nothing to compare
    except Refusal as refusal:
        problems = [Problem(*piece.where(pointer), message) for pointer, message in refusal.errors]
        return _line(piece, WRONG, problems=problems)
    except PermissionDenied:
        return _line(piece, WRONG, problems=[Problem(piece.line, "", _("Only the GM can do that."))])
    told.take(own.changes, own.kingdoms)
    if piece.before is None:
        return _line(piece, NEW)
    found = tuple(differing(piece.before, after))
    return _line(piece, CHANGED if own.changes or found else SAME, found)


def _line(
    piece: Piece, what: str, differences: Iterable[CellDifference] = (), problems: Iterable[Problem] = ()
) -> BroughtLine:  # fmt: skip
    named, under = piece.name[:NAME_MAX], piece.under[:NAME_MAX]
    return BroughtLine(piece.line, named, under, what, tuple(differences), tuple(problems), piece.warnings,
                       piece.kind, piece.leave)  # fmt: skip


def _mark(text: str, lines: Iterable[BroughtLine]) -> str:
    shown = [[line.line, line.name, line.what, line.differences] for line in lines]
    body = json.dumps([text.replace("\r\n", "\n"), shown], default=str)
    return hashlib.sha256(body.encode()).hexdigest()[:32]
