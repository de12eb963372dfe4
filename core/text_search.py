"""Text search: words anywhere in a text, regardless of case, accents and punctuation.

The embedded database has no trigrams and no dictionary without accents. So texts are normalized in SQL by functions
that every PostgreSQL has, and `plain` does the same to the query. `fold_name` is for comparing names.
`normalize_typing` is for names that must be typed exactly: "l'Aube" matches "l’Aube".
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import accumulate, count
from typing import Any, NamedTuple

from django.db.models import CharField, Lookup, Q, QuerySet, TextField, Transform

LETTERS = {
    "œ": "oe",
    "Œ": "oe",
    "æ": "ae",
    "Æ": "ae",
    "ß": "ss",
    "ø": "o",
    "Ø": "o",
    "ł": "l",
    "Ł": "l",
    "đ": "d",
    "Đ": "d",
}
"""Letters that Unicode does not decompose."""

MARKS = {"‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
"""Typographic characters with their keyboard equivalents."""

ACCENTS = r"[\u0300-\u036f]"

_KEYED = {ord(sign): keyed for sign, keyed in MARKS.items()}
_ALONE = _KEYED | {ord(letter): plain for letter, plain in LETTERS.items()}


def normalize_typing(text: str) -> str:
    """Replace typographic apostrophes, quotes and spaces by those of a keyboard, with single spaces."""
    return " ".join(text.translate(_KEYED).split())


def fold_name(name: str) -> str:
    """Fold a name for comparison: independent of typography and case. Accents count."""
    return normalize_typing(name).casefold()


def strip_accents(text: str) -> str:
    """Remove accents and case, so that "deroute" finds "Déroute"."""
    return re.sub(ACCENTS, "", unicodedata.normalize("NFKD", text.translate(_ALONE))).lower()


def split_words(query: str) -> list[str]:
    """Return the words of a query, normalized."""
    return strip_accents(query).split()


def build_phrase(query: str) -> str:
    """Return a query as one normalized phrase."""
    return " ".join(split_words(query))


def find_alike(names: Iterable[str], others: Iterable[str]) -> list[str]:
    """Return those of these names that one of the others is like, without regard to case and accents."""
    phrases = {build_phrase(name): name for name in names}
    return [phrases[phrase] for phrase in sorted({build_phrase(name) for name in others} & phrases.keys())]


def contains_words(text: str, words: Iterable[str]) -> bool:
    """Whether each of these words occurs in the text. Both are normalized."""
    return all(word in text for word in words)


def _letters_replaced() -> str:
    signs, keyed = "".join(MARKS), "".join(MARKS.values()).replace("'", "''")
    sql = f"translate(%(expressions)s, '{signs}', '{keyed}')"
    for letter, found in LETTERS.items():
        sql = f"replace({sql}, '{letter}', '{found}')"
    return sql


@CharField.register_lookup
@TextField.register_lookup
class Plain(Transform):
    """Transform that normalizes a column: `name__plain__contains=plain(word)`. ASCII text is only lowercased, which is
    faster.
    """

    lookup_name = "plain"
    template = (
        "CASE WHEN octet_length(%(expressions)s) = char_length(%(expressions)s) THEN lower(%(expressions)s)"
        f" ELSE lower(regexp_replace(normalize({_letters_replaced()}, NFKD), '{ACCENTS}', '', 'g')) END"
    )
    output_field = TextField()

    def as_sql(self, *args: Any, **options: Any) -> tuple[str, tuple[Any, ...]]:
        """Return the SQL. The expression occurs several times in the template, so its parameters are repeated."""
        sql, given = super().as_sql(*args, **options)
        return sql, tuple(given) * self.template.count("%(expressions)s")


@TextField.register_lookup
class Like(Lookup):
    """Lookup by a LIKE pattern that is passed unchanged, so that a prepared query can take any:
    `name__plain__like=containing(word)`.
    """

    lookup_name, prepare_rhs = "like", False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        left, params = self.process_lhs(compiler, connection)
        right, asked = self.process_rhs(compiler, connection)
        return f"{left} LIKE {right}", [*params, *asked]


def like(text: str) -> str:
    """Return a LIKE pattern that matches only this text."""
    return re.sub(r"([\\%_])", r"\\\1", text)


def containing(text: str) -> str:
    """Return a LIKE pattern that matches any text that contains this one."""
    return f"%{like(text)}%"


def filter_by_words[Rows: QuerySet[Any]](rows: Rows, query: str, *fields: str) -> Rows:
    """Filter rows that contain every word of the query, each in any of these fields."""
    for word in split_words(query):
        rows = rows.filter(Q(*((f"{field}__plain__contains", word) for field in fields), _connector=Q.OR))
    return rows


# Slugs made of names. Two names that look alike never share a slug. Names in other alphabets leave little or nothing in
# a slug, so equal results are numbered.


LONGEST = 80


class Slugs:
    """Slugs in use, with the name of the thing that bears each."""

    def __init__(self, called: Mapping[str, str]):
        self._names: dict[str, str] = {}
        self._borne: defaultdict[str, set[str]] = defaultdict(set)
        for slug, name in called.items():
            self.take(slug, name)

    def take(self, slug: str, name: str) -> None:
        """Give a slug to the thing of this name."""
        if slug in self._names:
            self._borne[self._names[slug]].discard(slug)
        self._names[slug] = fold_name(name)
        self._borne[fold_name(name)].add(slug)

    def of(self, stem: str, name: str) -> str:
        """Return the slug of the thing of this name, if it is made of this stem; else a free one."""
        of_stem = re.compile(rf"{re.escape(stem)}(-\d+)?")
        own = sorted(filter(of_stem.fullmatch, self._borne.get(fold_name(name), ())))
        return own[0] if own else self.free(stem)

    def free(self, stem: str) -> str:
        """Return the first free slug of this stem."""
        return next(slug for slug in number_slugs(stem) if slug not in self._names)


def number_slugs(stem: str) -> Iterator[str]:
    """Yield the possible slugs of a stem without end: itself, then numbered, within the maximum length."""
    yield stem
    for number in count(2):
        end = f"-{number}"
        yield f"{stem[: LONGEST - len(end)]}{end}"


# Charts as coordinates for templates. A table with the same figures stands beside each chart.

WIDTH, HEIGHT, EDGE = 600, 180, 8


class Bar(NamedTuple):
    x: str
    y: str
    width: str
    height: str
    ahead: bool


class TreasuryChart(NamedTuple):
    """Chart of a treasury: balances as two lines that meet today, payments as bars from the zero line. Numbers are
    strings, independent of locale.
    """

    past: str
    ahead: str
    zero: str
    today: str
    bars: tuple[Bar, ...]


def treasury_chart(past: Sequence[tuple[int, int]], now: int, ahead: Sequence[tuple[int, int]]) -> TreasuryChart:
    """Build the chart. `past` and `ahead` are (balance, payment) by week; `now` is today's balance between them."""
    balances = [*(balance for balance, _paid in past), now, *(balance for balance, _paid in ahead)]
    payments = [*(paid for _balance, paid in past), 0, *(paid for _balance, paid in ahead)]
    low, high = min(0, *balances), max(1, *balances, *payments)
    step = WIDTH / max(len(balances) - 1, 1)
    x = [index * step for index in range(len(balances))]
    y = [_level(value, low, high) for value in balances]
    zero = _level(0, low, high)
    here = len(past)
    bars = tuple(
        _bar(x[index], step, zero, _level(paid, low, high), ahead=index > here)
        for index, paid in enumerate(payments)
        if paid
    )
    points = [f"{_at(across)},{_at(down)}" for across, down in zip(x, y, strict=True)]
    return TreasuryChart(" ".join(points[: here + 1]), " ".join(points[here:]), _at(zero), _at(x[here]), bars)


def _level(value: float, low: float, high: float) -> float:
    return HEIGHT - EDGE - (HEIGHT - 2 * EDGE) * (value - low) / (high - low)


def _bar(middle: float, step: float, zero: float, top: float, *, ahead: bool) -> Bar:
    width = step * 0.5
    left = min(max(0.0, middle - width / 2), WIDTH - width)
    return Bar(_at(left), _at(top), _at(width), _at(max(0.0, zero - top)), ahead)


def _at(number: float) -> str:
    return f"{number:.1f}"


class CourseChart(NamedTuple):
    """Chart of several running sums, each a line from the zero line on. `mark` is the x of a
    highlighted step, or "".
    """

    lines: tuple[str, ...]
    zero: str
    mark: str


def course_chart(courses: Sequence[Sequence[float]], mark: int | None = None) -> CourseChart:
    """Build the chart. `courses` are the changes by step, equally many for each; `mark` is the step to highlight."""
    sums = [[0.0, *accumulate(course)] for course in courses]
    reach = max([abs(value) for line in sums for value in line], default=0.0) or 1.0
    step = WIDTH / max(max((len(line) for line in sums), default=1) - 1, 1)
    lines = tuple(
        " ".join(f"{_at(index * step)},{_at(_level(value, -reach, reach))}" for index, value in enumerate(line))
        for line in sums
    )
    return CourseChart(lines, _at(_level(0, -reach, reach)), "" if mark is None else _at((mark + 1) * step))
