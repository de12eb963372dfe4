"""CSV files of lists."""

from __future__ import annotations

import csv
import io
import re
import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from django.http import HttpResponse
from django.utils.text import slugify

from core.text import render
from rules.core.characters import unfit_in
from rules.core.errors import InvalidInput, demand
from rules.core.text import _, say

FORMULA = "=+-@"  # what a spreadsheet calculates, whatever quotes, spaces or invisible signs stand before it
MARK = "'"  # what tells a spreadsheet that text follows
BOM = "\ufeff"
SEPARATORS = ",;\t"
BEHIND_SEPARATOR = re.compile(r"(?<=[,;\t\r\n])")  # where a cell begins, should the file be parted by another separator
BLANK = ("\t", "\r", "\n")  # what some spreadsheets pass over before a formula
HINT = "sep="  # a first line some spreadsheets write
CHARACTERS_MOST = 1_000_000
SPREADSHEET = (b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0")  # .xlsx, .ods and .numbers are archives; .xls
NO_CSV = _("This is a spreadsheet file. Save it as CSV (“CSV UTF-8”) and send that.")
NAME_SHOWN = 60


def build_csv_response(
    name: str, head: Sequence[str], rows: Iterable[Sequence[Any]], separator: str = ","
) -> HttpResponse:
    """The rows as a file to download."""
    text = BOM + format_csv(head, rows, separator)
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(name) or "warhost"}.csv"'
    return response


def format_csv(head: Sequence[str], rows: Iterable[Sequence[Any]], separator: str = ",") -> str:
    """The one way lists become CSV: every cell is harmless in a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator)
    writer.writerow([format_cell(name) for name in head])
    writer.writerows([format_cell(value) for value in row] for row in rows)
    return text.getvalue()


def format_cell(value: Any) -> Any:
    """One value as a cell: numbers stay numbers, words are made safe."""
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        value = ", ".join(map(render, value))
    return "".join(MARK + piece if runs else piece for piece, runs in _pieces(render(value)))


def uncell(text: str) -> str:
    """What `format_cell` was given, for text."""
    return "".join(piece.removeprefix(MARK) if runs else piece for piece, runs in _pieces(text))


def _pieces(text: str) -> list[tuple[str, bool]]:
    """The text cut behind each separator, and of each piece whether a cell that began there might run: full-width signs
    count as well. Marks change nothing of that, so the same pieces are found once they are there.
    """
    found: list[tuple[str, bool]] = []
    runs = False
    for piece in reversed(BEHIND_SEPARATOR.split(text)):
        shown = next((sign for sign in unicodedata.normalize("NFKC", piece) if not _skipped(sign)), None)
        runs = runs if shown is None else shown in FORMULA  # where nothing is seen, what follows begins the cell
        found.append((piece, runs))
    first, runs = found.pop()
    found.append((first, runs or first.lstrip(MARK)[:1] in BLANK))
    return found[::-1]


def _skipped(sign: str) -> bool:
    """Space, quotes, and what is not seen."""
    return sign.isspace() or sign in "\"'`´‘’‚“”„«»" or unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cn", "Mn")


class RowRead(NamedTuple):
    """A row of a table that was sent: the line it ends on, and its cells by column, as before `format_cell`."""

    line: int
    cells: Mapping[str, str]


class TableRead(NamedTuple):
    columns: tuple[str, ...]
    rows: tuple[RowRead, ...]

    def demand_columns(self, needed: Iterable[str], known: Iterable[str], *, field: str) -> None:
        """Raise `InvalidInput` for a column that is missing, and for one nobody knows."""
        known = list(known)
        missing = [name for name in needed if name not in self.columns]
        demand(not missing, _("The first line must name the columns. Missing: {missing}."),
               field=field, missing=", ".join(missing))  # fmt: skip
        for name in self.columns:
            demand(name in known, _("Unknown column “{name}”. Known columns: {known}."), field=field,
                   name=name[:NAME_SHOWN], known=", ".join(known))  # fmt: skip


def read_table(text: str, *, field: str, most: int = CHARACTERS_MOST) -> TableRead:
    """A table as spreadsheets write it: its columns by the first line, parted by commas, semicolons or tabs.

    Rows without anything in them are left out. Raises `InvalidInput` naming the line.
    """
    demand(len(text) <= most, _("This table has {found} characters; the limit is {most}. Split it."),
           field=field, found=len(text), most=most)  # fmt: skip
    if unfit := unfit_in(text):
        line = text.count("\n", 0, unfit.start()) + 1
        raise InvalidInput(
            say(_("Line {line} contains characters that can’t be displayed. Remove them."), line=line), field
        )
    text = text.removeprefix(BOM)
    first, _end, rest = text.partition("\n")
    hinted = first.lower().startswith(HINT)
    lines = _lines(rest if hinted else text, field, skipped=int(hinted))
    head = next(lines, None)
    if head is None:
        raise InvalidInput(_("This table is empty."), field)
    columns = tuple(name.strip().removeprefix(BOM).lower() for name in head[1])
    while columns and not columns[-1]:
        columns = columns[:-1]
    for name in columns:
        demand(columns.count(name) == 1, _("Two columns are called “{name}”."), field=field, name=name[:NAME_SHOWN])
    return TableRead(columns, tuple(_table_row(columns, line, cells, field) for line, cells in lines))


def _lines(text: str, field: str, skipped: int) -> Iterator[tuple[int, list[str]]]:
    """Each row that has anything in it, with the line it ends on."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield reader.line_num + skipped, cells
    except csv.Error:
        said = _("Line {line} isn’t valid CSV. Check for an unclosed quote.")
        raise InvalidInput(say(said, line=reader.line_num + skipped), field) from None


def _separator(text: str) -> str:
    """What parts the columns: what the first line has most of."""
    head = text.lstrip().partition("\n")[0]
    return max(SEPARATORS, key=head.count)


def _table_row(columns: Sequence[str], line: int, cells: Sequence[str], field: str) -> RowRead:
    over = any(map(str.strip, cells[len(columns) :]))
    demand(not over, _("Line {line} has more cells than there are columns."), field=field, line=line)
    return RowRead(line, {name: uncell(cell.strip()) for name, cell in zip(columns, cells, strict=False)})


def decoded(sent: bytes, *, field: str) -> str:
    """A file that was sent, as text. Raises `InvalidInput` for another encoding than UTF-8, and for what is no text."""
    demand(not sent.startswith(SPREADSHEET), NO_CSV, field=field)
    try:
        return sent.decode("utf-8-sig")
    except UnicodeDecodeError:
        said = _("This file isn’t UTF-8. Save it again as “CSV UTF-8”.")
        raise InvalidInput(said, field) from None
