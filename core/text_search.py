"""Text search: words anywhere in a text, whatever their case, accents and punctuation.

The embedded database has neither trigrams nor a dictionary without accents, so a text is made plain by functions every
PostgreSQL has; `plain` does the same to what is typed. Names that are compared without a search are `fold_name`, and
those that have to be typed as they are `normalize_typing`: whoever sees "l’Aube" types "l'Aube".
"""

from __future__ import annotations

import re
import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from itertools import count
from typing import Any

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
"""What Unicode takes for letters of their own."""

MARKS = {"‘": "'", "’": "'", "ʼ": "'", "“": '"', "”": '"', "„": '"', "«": '"', "»": '"'}
"""Signs of print, and what keyboards have for them."""

ACCENTS = r"[\u0300-\u036f]"

_KEYED = {ord(sign): keyed for sign, keyed in MARKS.items()}
_ALONE = _KEYED | {ord(letter): plain for letter, plain in LETTERS.items()}


def normalize_typing(text: str) -> str:
    """As it is typed: with the apostrophes, quotes and blanks of a keyboard, one blank between two words."""
    return " ".join(text.translate(_KEYED).split())


def fold_name(name: str) -> str:
    """A name as names are compared: however it is typed, in whichever case. Its accents count."""
    return normalize_typing(name).casefold()


def strip_accents(text: str) -> str:
    """Without accents and case, so that "deroute" finds "Déroute"."""
    return re.sub(ACCENTS, "", unicodedata.normalize("NFKD", text.translate(_ALONE))).lower()


def split_words(query: str) -> list[str]:
    """The words somebody typed, plain."""
    return strip_accents(query).split()


def build_phrase(query: str) -> str:
    """All that somebody typed as it stands in a plain name."""
    return " ".join(split_words(query))


def contains_words(text: str, words: Iterable[str]) -> bool:
    """Whether every one of these words is somewhere in a text, both plain."""
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
    """The same of a column: `name__plain__contains=plain(word)`. Text without accents is only put in small letters."""

    lookup_name = "plain"
    template = (
        "CASE WHEN octet_length(%(expressions)s) = char_length(%(expressions)s) THEN lower(%(expressions)s)"
        f" ELSE lower(regexp_replace(normalize({_letters_replaced()}, NFKD), '{ACCENTS}', '', 'g')) END"
    )
    output_field = TextField()

    def as_sql(self, *args: Any, **options: Any) -> tuple[str, tuple[Any, ...]]:
        """What it is made of stands in the template several times, and so do the values in that."""
        sql, given = super().as_sql(*args, **options)
        return sql, tuple(given) * self.template.count("%(expressions)s")


@TextField.register_lookup
class Like(Lookup):
    """`name__plain__like=containing(word)`: fits a pattern as it is given, so that a prepared query may ask for any."""

    lookup_name, prepare_rhs = "like", False

    def as_sql(self, compiler: Any, connection: Any) -> tuple[str, Any]:
        left, params = self.process_lhs(compiler, connection)
        right, asked = self.process_rhs(compiler, connection)
        return f"{left} LIKE {right}", [*params, *asked]


def like(text: str) -> str:
    """A pattern that this text and no other fits."""
    return re.sub(r"([\\%_])", r"\\\1", text)


def containing(text: str) -> str:
    """A pattern that fits whatever holds this text."""
    return f"%{like(text)}%"


def filter_by_words[Rows: QuerySet[Any]](rows: Rows, query: str, *fields: str) -> Rows:
    """Those with every word of the query in one of these fields, each in whichever."""
    for word in split_words(query):
        rows = rows.filter(Q(*((f"{field}__plain__contains", word) for field in fields), _connector=Q.OR))
    return rows


# Slugs made of names, so that two names that only look alike never share one. Names of other alphabets leave
# nothing or little in a slug: each that comes to the same is counted.


LONGEST = 80


class Slugs:
    """The slugs that things of a kind bear, each with the name of its thing."""

    def __init__(self, called: Mapping[str, str]):
        self._names: dict[str, str] = {}
        self._borne: defaultdict[str, set[str]] = defaultdict(set)
        for slug, name in called.items():
            self.take(slug, name)

    def take(self, slug: str, name: str) -> None:
        """From now on the thing of this name bears it."""
        if slug in self._names:
            self._borne[self._names[slug]].discard(slug)
        self._names[slug] = fold_name(name)
        self._borne[fold_name(name)].add(slug)

    def of(self, stem: str, name: str) -> str:
        """That of the thing called so, where it is made of this stem; else one that is free."""
        of_stem = re.compile(rf"{re.escape(stem)}(-\d+)?")
        own = sorted(filter(of_stem.fullmatch, self._borne.get(fold_name(name), ())))
        return own[0] if own else self.free(stem)

    def free(self, stem: str) -> str:
        """The first of this stem that nothing bears."""
        return next(slug for slug in number_slugs(stem) if slug not in self._names)


def number_slugs(stem: str) -> Iterator[str]:
    """The slugs that may be made of this stem, without end: itself, then with a number, none longer than it may be."""
    yield stem
    for number in count(2):
        end = f"-{number}"
        yield f"{stem[: LONGEST - len(end)]}{end}"
