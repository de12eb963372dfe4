"""Lists as CSV files."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Iterator, Sequence
from typing import Any

from django.http import HttpResponse
from django.utils.text import slugify

from kingdom.text import render

FORMULA = ("=", "+", "-", "@", "\t", "\r")


class _Echo:
    """A file that gives back what is written to it."""

    def write(self, line: str) -> str:
        return line


def csv_response(name: str, head: Sequence[str], rows: Iterable[Sequence[Any]]) -> HttpResponse:
    """The rows as a file to download. Text that a spreadsheet would take for a formula gets an apostrophe."""
    response = HttpResponse("".join(_lines(head, rows)), content_type="text/csv; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{slugify(name) or "warhost"}.csv"'
    return response


def _lines(head: Sequence[str], rows: Iterable[Sequence[Any]]) -> Iterator[str]:
    writer = csv.writer(_Echo())
    yield "\ufeff" + writer.writerow(head)
    for row in rows:
        yield writer.writerow([cell(value) for value in row])


def cell(value: Any) -> Any:
    """One value as a cell: numbers stay numbers, words are made safe."""
    if value is None:
        return ""
    if isinstance(value, int | float) and not isinstance(value, bool):
        return value
    if isinstance(value, list | tuple):
        value = ", ".join(str(cell(item)) for item in value)
    text = render(value)
    return f"'{text}" if text.startswith(FORMULA) else text
