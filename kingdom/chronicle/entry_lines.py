"""Queries for the lines of chronicle entries, a few at a time: the week of a large war has tens of thousands.
PostgreSQL returns the lines that are shown; of the others it reads at most their subjects.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any, NamedTuple, overload
from uuid import UUID

from django.contrib.postgres.fields import ArrayField
from django.db import connection
from django.db.models import Func, TextField

from core.text_search import Plain, build_phrase
from kingdom.access.queries import reads_all
from kingdom.chronicle import changes
from kingdom.models import Campaign, ChronicleEntry, User

SUBJECT = "(line->>'subject_kind') || ':' || (line->>'subject_id')"
NAMED = Plain.template % {"expressions": "(line->>'subject')"}
UNFOLDED = (
    f"{ChronicleEntry._meta.db_table} entry CROSS JOIN LATERAL"
    " jsonb_array_elements(entry.changes) WITH ORDINALITY AS unfolded(line, nth)"
)


class FirstLines(NamedTuple):
    """The first lines of an entry, and the number of its lines."""

    lines: list[changes.Change]
    total: int


NO_LINES = FirstLines([], 0)


class Subjects(Func):
    """SQL function: the distinct subjects of an entry's lines as `kind:id`, to annotate entries with."""

    template = f"ARRAY(SELECT DISTINCT {SUBJECT} FROM jsonb_array_elements(%(expressions)s) AS each(line))"
    output_field = ArrayField(TextField())
    arity = 1


def load_first_lines(
    user: User, campaign: Campaign, subjects: Mapping[UUID, Iterable[str]], most: int
) -> dict[UUID, FirstLines]:
    """Return for each entry the first `most` lines that the user may read, and their number. `subjects`: each entry's
    `Subjects`.
    """
    ids = list(subjects)
    own, params = _readable(user, campaign, {one for found in subjects.values() for one in found})
    numbered = (
        f"SELECT entry.id, line, nth, row_number() OVER (PARTITION BY entry.id ORDER BY nth) AS place"
        f" FROM {UNFOLDED} WHERE entry.id = ANY(%s){own}"
    )
    found = _rows(
        f"SELECT id, count(*), jsonb_agg(line ORDER BY nth) FILTER (WHERE place <= %s) FROM ({numbered}) lines"
        " GROUP BY id",
        [most, ids, *params],
    )
    return {key: FirstLines(changes.read_lines(_loaded(lines)), count) for key, count, lines in found}


class EntryLines(Sequence[changes.Change]):
    """The lines of one entry that the user may read, as a sequence for a paginator. `query` limits them to subjects
    whose name contains it.
    """

    def __init__(self, user: User, campaign: Campaign, entry: UUID, query: str = ""):
        own, params = _readable(user, campaign, None if reads_all(user, campaign) else _subjects_of(entry))
        self._where = f"FROM {UNFOLDED} WHERE entry.id = %s{own}"
        self._params: list[Any] = [entry, *params]
        if query:
            self._where += f" AND strpos({NAMED}, %s) > 0"
            self._params.append(build_phrase(query))

    def __len__(self) -> int:
        return int(_rows(f"SELECT count(*) {self._where}", self._params)[0][0])

    def __iter__(self) -> Iterator[changes.Change]:
        return iter(self[:])

    @overload
    def __getitem__(self, part: int) -> changes.Change: ...

    @overload
    def __getitem__(self, part: slice) -> list[changes.Change]: ...

    def __getitem__(self, part: int | slice) -> changes.Change | list[changes.Change]:
        if isinstance(part, int):
            place = range(len(self))[part]
            return self[place : place + 1][0]
        first, last = part.start or 0, part.stop
        found = _rows(
            f"SELECT line {self._where} ORDER BY nth OFFSET %s LIMIT %s",
            [*self._params, first, None if last is None else max(last - first, 0)],
        )
        return changes.read_lines(_loaded(line) for (line,) in found)


def _subjects_of(entry: UUID) -> list[str]:
    found = ChronicleEntry.objects.filter(pk=entry).order_by().values_list(Subjects("changes"), flat=True).first()
    return found or []


def _readable(user: User, campaign: Campaign, subjects: Iterable[str] | None) -> tuple[str, list[Any]]:
    """Return the SQL condition on lines that this user may read, and its parameters; empty for a user who reads all."""
    if subjects is None or reads_all(user, campaign):
        return "", []
    wanted: dict[str, set[str]] = defaultdict(set)
    for subject in subjects:
        kind, _colon, key = subject.partition(":")
        wanted[kind].add(key)
    seen = [f"{kind}:{key}" for kind, ids in wanted.items() for key in changes.visible_ids(kind, user, campaign, ids)]
    return f" AND {SUBJECT} = ANY(%s)", [seen]


def _rows(sql: str, params: Sequence[Any]) -> list[tuple[Any, ...]]:
    with connection.cursor() as cursor:
        cursor.execute(sql, params)
        return cursor.fetchall()


def _loaded(value: Any) -> Any:
    """Return parsed JSON: Django's connections leave it as text."""
    return json.loads(value) if isinstance(value, str) else value or []
