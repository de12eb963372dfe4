"""Lists as CSV files."""

from __future__ import annotations

import csv
import io
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.text import slugify

from kingdom.text import render

FORMULA = "=+-@"  # what a spreadsheet calculates, whatever quotes, spaces or invisible signs stand before it
MARK = "'"  # what tells a spreadsheet that text follows
BOM = "\ufeff"


def csv_response(name: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """The rows as a file to download."""
    response = HttpResponse(BOM + csv_text(head, rows), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(name) or "warhost"}.csv"'
    return response


def csv_text(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> str:
    """The one way lists become CSV: every cell is harmless in a spreadsheet."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow([cell(name) for name in head])
    writer.writerows([cell(value) for value in row] for row in rows)
    return text.getvalue()


def cell(value: Any) -> Any:
    """One value as a cell: numbers stay numbers, words are made safe."""
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        value = ", ".join(map(render, value))
    text = render(value)
    return f"{MARK}{text}" if runs(text) else text


def uncell(text: str) -> str:
    """What `cell` was given, for text."""
    return text[1:] if text.startswith(MARK) and runs(text[1:]) else text


def runs(text: str) -> bool:
    """Whether a spreadsheet might take the text for a formula: full-width signs count as well."""
    if text[:1] in ("\t", "\r", "\n"):
        return True
    shown = (sign for sign in unicodedata.normalize("NFKC", text) if not _skipped(sign))
    return next(shown, "") in tuple(FORMULA)


def _skipped(sign: str) -> bool:
    """Space, quotes, and what is not seen."""
    return sign.isspace() or sign in "\"'`´‘’‚“”„«»" or unicodedata.category(sign) in ("Cc", "Cf", "Co", "Cn", "Mn")
