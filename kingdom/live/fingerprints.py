"""Fingerprints of queries: what a page read of the database, and whether it would read the same now.

A page is made of its request, its reader and the rows it read. Where all of these are the same it is drawn the same,
so it need not be drawn: its queries are asked again and their rows compared, as the server sent them. Who may see what
is decided by rows, too, so a right that ended is a row that differs. What no rows can tell is never kept: pages that
write, lock, or ask with a moment of their own (`Now()` is asked anew with the query).

The same holds for a part of a page (`kingdom.live.fragments`), of what was read before it and what it reads itself.
"""

from __future__ import annotations

import marshal
import re
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import date, time
from functools import lru_cache
from hashlib import blake2b
from sys import intern
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

from django.db import connection

from core.db.compiled_queries import is_planned_once, planned_once
from core.lru_cache import LRUCache
from kingdom.models import Campaign

TEXT_ONLY = 2  # the last format of marshal in which equal values are equal bytes
MORE_THAN_READING = re.compile(
    r"\b(?:insert|update|delete|merge|share|nextval|setval|pg_notify|pg_advisory\w*)\b(?!\")",
    re.IGNORECASE,
)
MOMENTS = (date, time)  # a datetime is a date
REVISION, NAME = b"revision", b"name"  # columns of campaigns


class RowsRead(NamedTuple):
    """Digests of the rows a query gave: of all but the campaign's revision, which is no part of what is shown, and of
    the same but for names of campaigns. That revision and these names, where they are among them.
    """

    all: bytes
    nameless: bytes
    revision: int | None = None
    names: tuple[str, ...] = ()


class QueryRead(NamedTuple):
    """A query, and what it gave. `once`: it is planned once (`planned_once`)."""

    sql: str
    params: Any
    rows: RowsRead
    once: bool


class Reads(NamedTuple):
    """What a page asked, in its order, and the campaign's revision it found first."""

    asked: tuple[QueryRead, ...]
    revision: int


@dataclass(slots=True)
class _Answer:
    """`unread`: the driver's cursor in which the rows wait for whoever asks for them."""

    read: QueryRead
    unread: Any | None = None


class KnownRows:
    """What queries gave since a campaign was found at its revision: within a request each is asked once.

    A later change raises the revision, so whoever shows this one looks again: until then an answer is as good as the
    next. Before a revision was read nothing is kept, for nobody would be told that it has changed.
    """

    def __init__(self) -> None:
        self._found: QueryRead | None = None
        self._given: dict[str, list[_Answer]] = {}

    def of(self, read: QueryRead) -> RowsRead | None:
        answer = self._answer(read.sql, read.params)
        return answer.read.rows if answer else None

    def keep(self, read: QueryRead, unread: Any | None = None) -> None:
        if self._found is None and read.rows.revision is not None:
            self._found = read
        if self._found:
            self._given.setdefault(read.sql, []).insert(0, _Answer(read, unread))  # the latest is found first

    def meet(self, read: QueryRead) -> None:
        """A page found its campaign by this: what was answered to another one, or at another revision, is let go."""
        if self._found is None or _finding(self._found) != _finding(read):
            self._found, self._given = read, {}

    def finds(self, sql: str, params: Any) -> bool:
        """This is the question by which the campaign was found."""
        return self._found is not None and (self._found.sql, self._found.params) == (sql, params)

    def hand_over(self, sql: str, params: Any, *, once: bool) -> tuple[QueryRead, Any] | None:
        """The answer with its rows, which nobody has read; they are read by one only."""
        answer = self._answer(sql, params)
        if answer is None or answer.unread is None or answer.read.once != once:
            return None
        unread, answer.unread = answer.unread, None
        return answer.read, unread

    def _answer(self, sql: str, params: Any) -> _Answer | None:
        return next((known for known in self._given.get(sql, ()) if known.read.params == params), None)


def _finding(read: QueryRead) -> tuple[object, ...]:
    return read.sql, read.params, read.rows.revision


class Recorder:
    """Django's wrapper of queries: remembers what is asked while it is in place. `answers`: those this request has got
    before; they are of use once the page is known to show the revision they were got at. What waits among them is
    given to whoever asks for it, and the database is not asked again.
    """

    def __init__(self, answers: KnownRows) -> None:
        self._answers, self._met = answers, False
        self._found: list[tuple[str, Any, Any, bool]] = []
        self._asked: list[QueryRead] = []
        self._all, self._nameless = blake2b(digest_size=16), blake2b(digest_size=16)
        self._resting = False
        self.tellable = True
        self.names: set[str] = set()

    def __call__(self, execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
        recording = self.tellable and not self._resting
        if recording and self._is_known(sql, params, context["cursor"]):
            return None
        done = execute(sql, params, many, context)
        if recording:
            result = _result_of(context["cursor"])
            self.tellable = result is not None and not many and _only_reads(sql, params)
            self._found.append((sql, params, result, is_planned_once(context["cursor"])))
        return done

    def _is_known(self, sql: str, params: Any, cursor: Any) -> bool:
        """Its rows wait: from now on they are this cursor's."""
        self.asked()  # by which the page may have found another campaign, or another revision
        if not self.tellable or not (self._met or self._answers.finds(sql, params)):
            return False
        known = self._answers.hand_over(sql, params, once=is_planned_once(cursor))
        if known is None:
            return False
        read, cursor.cursor = known
        self._met = True
        self.take(read)
        return True

    def asked(self) -> list[QueryRead]:
        """What was asked until now, if that tells what is looked at (`tellable`)."""
        if self._found and self.tellable:
            found, self._found = self._found, []
            with self._at_rest():
                reads = [_read(*one) for one in found]
            self._answered(reads)
            self.take(*reads)
        return self._asked

    def _answered(self, reads: Iterable[QueryRead]) -> None:
        for read in reads:
            if not self._met and read.rows.revision is not None:
                self._answers.meet(read)
                self._met = True
            if self._met:
                self._answers.keep(read)

    def take(self, *reads: QueryRead) -> None:
        """As if these had been asked now."""
        for read in reads:
            self._asked.append(read)
            self._all.update(read.rows.all)
            self._nameless.update(read.rows.nameless)
            self.names.update(read.rows.names)

    def state(self, *, nameless: bool) -> bytes:
        """A digest of all rows that were read until now; `nameless`: whatever campaigns are called."""
        self.asked()
        return (self._nameless if nameless else self._all).digest()

    def reads(self, revision: int) -> Reads | None:
        """All that was asked by a page that shows this revision; None where that does not tell what it looks like."""
        asked = tuple(self.asked())
        return Reads(asked, revision) if self.tellable and _first_revision(asked) == revision else None

    def again(self, reads: Sequence[QueryRead], *, nameless: bool) -> tuple[QueryRead, ...] | None:
        """The same queries with what they give now, if that is as it was; else None."""
        with self._at_rest():
            return _again(reads, self._answers if self._met else KnownRows(), nameless=nameless)

    @contextmanager
    def _at_rest(self) -> Iterator[None]:
        self._resting = True
        try:
            yield
        finally:
            self._resting = False


@contextmanager
def record_queries(answers: KnownRows | None = None) -> Iterator[Recorder]:
    recorder = Recorder(answers or KnownRows())
    with connection.execute_wrapper(recorder):
        yield recorder


def reread(reads: Reads, answers: KnownRows | None = None) -> int | None:
    """The campaign's revision now, if every row is as it was but for that; else None. Stops at the first that is not.

    What happens after the revision was read raises it once more, and the page looks again. `answers`: takes what was
    found, for a page that has to be drawn.
    """
    found = _again(reads.asked, answers or KnownRows(), nameless=False)
    return None if found is None else _first_revision(found)


def _again(reads: Sequence[QueryRead], answers: KnownRows, *, nameless: bool) -> tuple[QueryRead, ...] | None:
    found = []
    for one in reads:
        rows = answers.of(one)
        if rows is None:
            cursor = planned_once() if one.once else connection.cursor()  # a view may yet read these rows
            cursor.execute(one.sql, one.params)
            rows = _rows(one.sql, _result_of(cursor))
            answers.keep(one._replace(rows=rows), cursor.cursor)
        if rows.nameless != one.rows.nameless or not (nameless or rows.all == one.rows.all):
            return None
        found.append(one._replace(rows=rows))
    return tuple(found)


def _first_revision(reads: Sequence[QueryRead]) -> int | None:
    return next((read.rows.revision for read in reads if read.rows.revision is not None), None)


def _only_reads(sql: str, params: Any) -> bool:
    given = params.values() if isinstance(params, dict) else params or ()
    return not _does_more(sql) and not any(isinstance(value, MOMENTS) for value in given)


@lru_cache(4096)
def _does_more(sql: str) -> bool:
    """Long questions are asked again and again, in the same words."""
    return MORE_THAN_READING.search(sql) is not None


def _result_of(cursor: Any) -> Any | None:
    """What the server sent; None where that is not rows, or not all of them (a cursor of its own there)."""
    result = getattr(cursor.cursor, "pgresult", None)
    if result is None or getattr(cursor.cursor, "name", None) is not None:
        return None
    return result if (result.command_status or b"").startswith(b"SELECT ") else None


def _read(sql: str, params: Any, result: Any, once: bool) -> QueryRead:
    known = intern(sql)
    return QueryRead(known, params, _rows(known, result), once)


def _rows(sql: str, result: Any) -> RowsRead:
    counts, names = _columns(sql, result)
    everything = _digest(result, counts)
    if not result.ntuples or not (counts or names):
        return RowsRead(everything, everything)
    revisions = [count for column in counts if (count := result.get_value(0, column)) is not None]  # joined by none
    called = {result.get_value(row, column) for row in range(result.ntuples) for column in names} - {None}
    return RowsRead(
        everything,
        _digest(result, counts | names) if names else everything,
        int(revisions[0]) if revisions else None,
        tuple(name.decode() for name in called),
    )


def _digest(result: Any, but: frozenset[int]) -> bytes:
    """Of all rows, these columns left out."""
    value, rows = result.get_value, range(result.ntuples)
    shown = [column for column in range(result.nfields) if column not in but]
    known = marshal.dumps((len(rows), [value(row, column) for row in rows for column in shown]), TEXT_ONLY)
    return blake2b(known, digest_size=16).digest()


_known_columns: LRUCache[tuple[str, int], tuple[frozenset[int], frozenset[int]]] = LRUCache(4096)


def _columns(sql: str, result: Any) -> tuple[frozenset[int], frozenset[int]]:
    """Where this query answers with revisions, and where with names, of campaigns."""
    table = _campaigns()
    known = _known_columns.get((sql, table))
    if known is None:
        named = [(column, result.fname(column)) for column in range(result.nfields) if result.ftable(column) == table]
        counts, names = (frozenset(column for column, name in named if name == one) for one in (REVISION, NAME))
        known = _known_columns.keep((sql, table), (counts, names))
    return known


_tables: WeakKeyDictionary[Any, int] = WeakKeyDictionary()


def _campaigns() -> int:
    """The number by which the database of this connection knows the table of campaigns."""
    line = connection.connection
    if line not in _tables:
        with connection.cursor() as cursor:
            cursor.execute("SELECT %s::regclass::oid::bigint", [Campaign._meta.db_table])
            _tables[line] = cursor.fetchone()[0]
    return _tables[line]
