"""CSV files: reading uploads, and writing cells that spreadsheets do not evaluate as formulas."""

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
from rules.core.errors import InvalidInput, demand, unfit_in
from rules.core.text import Said, _, say

FORMULA = "=+-@"  # starts of cells that spreadsheets evaluate, even behind quotes, spaces or invisible characters
MARK = "'"  # prefix that makes a spreadsheet read a cell as text
BOM = "\ufeff"
SEPARATORS = ",;\t"
BEHIND_SEPARATOR = re.compile(r"(?<=[,;\t\r\n])")  # start of a cell, with any of the separators
BLANK = ("\t", "\r", "\n")  # skipped by some spreadsheets before a formula
HINT = "sep="  # first line written by some spreadsheets
CHARACTERS_MOST = 1_000_000
SPREADSHEET = (b"PK\x03\x04", b"PK\x05\x06", b"\xd0\xcf\x11\xe0")  # archives (.xlsx, .ods, .numbers), and .xls
NO_CSV = _("This is a spreadsheet file. Save it as CSV (“CSV UTF-8”) and send that.")
NO_UTF8 = _("This file isn’t UTF-8. Save it again as “CSV UTF-8”.")
NAME_SHOWN = 60


def build_csv_response(
    name: str, head: Sequence[str], rows: Iterable[Sequence[Any]], separator: str = ","
) -> HttpResponse:
    """Return the rows as a CSV download."""
    text = BOM + format_csv(head, rows, separator)
    response = HttpResponse(text, content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(name) or "warhost"}.csv"'
    return response


def format_csv(head: Sequence[str], rows: Iterable[Sequence[Any]], separator: str = ",") -> str:
    """Format rows as CSV, the only way this happens. No cell can run as a formula in a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text, delimiter=separator)
    writer.writerow([format_cell(name) for name in head])
    writer.writerows([format_cell(value) for value in row] for row in rows)
    return text.getvalue()


def format_cell(value: Any) -> Any:
    """Format a value as a cell. Numbers stay numbers, texts are protected against evaluation."""
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        value = ", ".join(map(render, value))
    return "".join(MARK + piece if runs else piece for piece, runs in _pieces(render(value)))


def uncell(text: str) -> str:
    """Return the text that `format_cell` was given."""
    return "".join(piece.removeprefix(MARK) if runs else piece for piece, runs in _pieces(text))


def _pieces(text: str) -> list[tuple[str, bool]]:
    """Split text after each separator. Returns each piece, and whether a spreadsheet might evaluate a cell that starts
    there.

    Full-width characters count as well. Protective marks do not change the result, so the same pieces are found in
    protected text.
    """
    found: list[tuple[str, bool]] = []
    runs = False
    for piece in reversed(BEHIND_SEPARATOR.split(text)):
        shown = next((sign for sign in unicodedata.normalize("NFKC", piece) if not _skipped(sign)), None)
        runs = runs if shown is None else shown in FORMULA  # an invisible piece is skipped
        found.append((piece, runs))
    first, runs = found.pop()
    found.append((first, runs or first.lstrip(MARK)[:1] in BLANK))
    return found[::-1]


def _skipped(sign: str) -> bool:
    """Whether a spreadsheet may skip this character: space, quote, or invisible."""
    return sign.isspace() or sign in "\"'`´‘’‚“”„«»" or unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cn", "Mn")


class RowRead(NamedTuple):
    """Row of an uploaded table: the number of its last line, and its cells by column, unprotected."""

    line: int
    cells: Mapping[str, str]


class TableRead(NamedTuple):
    """`headings`: the file's own headings by column, if they differ from the column names."""

    columns: tuple[str, ...]
    rows: tuple[RowRead, ...]
    headings: Mapping[str, str] = {}

    def demand_columns(self, needed: Iterable[str], known: Iterable[str], *, field: str) -> None:
        """Raise `InvalidInput` for a missing or unknown column."""
        known = list(known)
        missing = [name for name in needed if name not in self.columns]
        demand(not missing, _("The first line must name the columns. Missing: {missing}."),
               field=field, missing=", ".join(missing))  # fmt: skip
        for name in self.columns:
            demand(name in known, _("Unknown column “{name}”. Known columns: {known}."), field=field,
                   name=name[:NAME_SHOWN], known=", ".join(known))  # fmt: skip


def read_table(text: str, *, field: str, most: int = CHARACTERS_MOST, any_headings: bool = False) -> TableRead:
    """Read a table as spreadsheets write it: columns in the first line, separated by commas, semicolons or tabs.

    Empty rows are skipped. `any_headings`: an empty or repeated heading gets a number. Raises `InvalidInput` that names
    the line.
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
    if any_headings:
        columns = _told_apart(columns)
    for name in columns:
        demand(columns.count(name) == 1, _("Two columns are called “{name}”."), field=field, name=name[:NAME_SHOWN])
    return TableRead(columns, tuple(_table_row(columns, line, cells, field) for line, cells in lines))


def _told_apart(columns: Sequence[str]) -> tuple[str, ...]:
    """Number empty headings ("#3") and repeated ones ("name (2)")."""
    found: list[str] = []
    for place, name in enumerate(columns, 1):
        wanted, number = name or f"#{place}", 1
        while wanted in found:
            number += 1
            wanted = f"{name} ({number})"
        found.append(wanted)
    return tuple(found)


def _lines(text: str, field: str, skipped: int) -> Iterator[tuple[int, list[str]]]:
    """Yield each non-empty row with the number of its last line."""
    reader = csv.reader(io.StringIO(text, newline=""), delimiter=_separator(text), strict=True)
    try:
        for cells in reader:
            if any(map(str.strip, cells)):
                yield reader.line_num + skipped, cells
    except csv.Error:
        said = _("Line {line} isn’t valid CSV. Check for an unclosed quote.")
        raise InvalidInput(say(said, line=reader.line_num + skipped), field) from None


def _separator(text: str) -> str:
    """Return the separator: the candidate most frequent in the first line."""
    head = text.lstrip().partition("\n")[0]
    return max(SEPARATORS, key=head.count)


def _table_row(columns: Sequence[str], line: int, cells: Sequence[str], field: str) -> RowRead:
    over = any(map(str.strip, cells[len(columns) :]))
    demand(not over, _("Line {line} has more cells than there are columns."), field=field, line=line)
    return RowRead(line, {name: uncell(cell.strip()) for name, cell in zip(columns, cells, strict=False)})


def decoded(sent: bytes, *, field: str, otherwise: Said = NO_UTF8) -> str:
    """Decode an uploaded file. Raises `InvalidInput` for spreadsheets, and with `otherwise` for what is no UTF-8."""
    demand(not sent.startswith(SPREADSHEET), NO_CSV, field=field)
    try:
        return sent.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise InvalidInput(otherwise, field) from None
