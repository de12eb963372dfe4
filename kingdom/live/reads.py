"""What a page read of the database, and whether it would read the same now.

A page is made of its request, its reader and the rows it read. Where all of these are the same it is drawn the same,
so it need not be drawn: its queries are asked again and their rows compared, as the server sent them. Who may see what
is decided by rows, too, so a right that ended is a row that differs. What no rows can tell is never kept: pages that
write, lock, or ask with a moment of their own (`Now()` is asked anew with the query).
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from datetime import date, time
from hashlib import blake2b
from sys import intern
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from django.db import connection

from kingdom.models import Campaign
from kingdom.prepared import is_planned_once, planned_once

TEXT_ONLY = 2  # the last format of marshal in which equal values are equal bytes
MORE_THAN_READING = re.compile(
    r"\b(?:insert|update|delete|merge|share|nextval|setval|pg_notify|pg_advisory\w*)\b(?!\")",
    re.IGNORECASE,
)
MOMENTS = (date, time)  # a datetime is a date


class QueryRead(NamedTuple):
    """A query, and the digest of the rows it gave. `once`: it is planned once (`planned_once`)."""

    sql: str
    params: Any
    rows: bytes
    once: bool


class Reads(NamedTuple):
    """What a page asked, in its order, and the campaign's revision it found first."""

    asked: tuple[QueryRead, ...]
    revision: int


class Recorder:
    """Django's wrapper of queries: remembers what is asked while it is in place."""

    def __init__(self) -> None:
        self._found: list[tuple[str, Any, Any, bool]] = []
        self._tellable = True

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        done = execute(sql, params, many, context)
        if self._tellable:
            result = _result_of(context["cursor"])
            self._tellable = result is not None and not many and _only_reads(sql, params)
            self._found.append((sql, params, result, is_planned_once(context["cursor"])))
        return done

    def reads(self, revision: int) -> Reads | None:
        """All that was asked by a page that shows this revision; None where that does not tell what it looks like."""
        if not self._tellable:
            return None
        asked, first = [], None
        for sql, params, result, once in self._found:
            rows, found = _digest(result)
            asked.append(QueryRead(intern(sql), params, rows, once))
            first = found if first is None else first
        return Reads(tuple(asked), revision) if first == revision else None


@contextmanager
def recorded() -> Iterator[Recorder]:
    recorder = Recorder()
    with connection.execute_wrapper(recorder):
        yield recorder


def read_again(reads: Reads) -> int | None:
    """The campaign's revision now, if every row is as it was but for that; else None. Stops at the first that is not.

    What happens after the revision was read raises it once more, and the page looks again.
    """
    first = None
    with connection.cursor() as each_time, planned_once() as once:
        for one in reads.asked:
            cursor = once if one.once else each_time
            cursor.execute(one.sql, one.params)
            rows, found = _digest(_result_of(cursor))
            if rows != one.rows:
                return None
            first = found if first is None else first
    return first


def _only_reads(sql: str, params: Any) -> bool:
    given = params.values() if isinstance(params, dict) else params or ()
    return not MORE_THAN_READING.search(sql) and not any(isinstance(value, MOMENTS) for value in given)


def _result_of(cursor: Any) -> Any | None:
    """What the server sent; None where that is not rows, or not all of them (a cursor of its own there)."""
    result = getattr(cursor.cursor, "pgresult", None)
    if result is None or getattr(cursor.cursor, "name", None) is not None:
        return None
    return result if (result.command_status or b"").startswith(b"SELECT ") else None


def _digest(result: Any) -> tuple[bytes, int | None]:
    """Of all rows but the campaign's revision, which is no part of what is shown; and that, where it is among them."""
    columns, rows, value = range(result.nfields), range(result.ntuples), result.get_value
    counts = {column for column in columns if _counts_changes(result, column)}
    shown = [column for column in columns if column not in counts]
    known = marshal.dumps((len(rows), [value(row, column) for row in rows for column in shown]), TEXT_ONLY)
    found = [value(0, column) for column in sorted(counts)] if rows else []
    revision = next((int(count) for count in found if count is not None), None)  # a row may be joined by none
    return blake2b(known, digest_size=16).digest(), revision


def _counts_changes(result: Any, column: int) -> bool:
    return result.fname(column) == b"revision" and result.ftable(column) == _campaigns()


_tables: WeakKeyDictionary[Any, int] = WeakKeyDictionary()


def _campaigns() -> int:
    """The number by which the database of this connection knows the table of campaigns."""
    line = connection.connection
    if line not in _tables:
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s::regclass::oid::bigint", [Campaign._meta.db_table])
            _tables[line] = cursor.fetchone()[0]
    return _tables[line]
