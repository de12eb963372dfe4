"""What searches find: words anywhere in a text, whatever their case and their accents.

The embedded database has neither trigrams nor a dictionary without accents, so a text is made plain by functions every
PostgreSQL has; `plain` does the same to what is typed.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable
from typing import Any

from django.db.models import CharField, Q, QuerySet, TextField, Transform

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

_ALONE = {ord(letter): plain for letter, plain in LETTERS.items()}


def plain(text: str) -> str:
    """Without accents and case, so that "deroute" finds "Déroute"."""
    decomposed = unicodedata.normalize("NFKD", text.translate(_ALONE))
    return "".join(letter for letter in decomposed if not unicodedata.combining(letter)).lower()


def words_of(query: str) -> list[str]:
    """The words somebody typed, plain."""
    return plain(query).split()


def holds(text: str, words: Iterable[str]) -> bool:
    """Whether every one of these words is somewhere in a text, both plain."""
    return all(word in text for word in words)


def _letters_replaced() -> str:
    sql = "%(expressions)s"
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
        rf" ELSE lower(regexp_replace(normalize({_letters_replaced()}, NFKD), '[\u0300-\u036f]', '', 'g')) END"
    )
    output_field = TextField()


def with_words[Rows: QuerySet[Any]](rows: Rows, query: str, *fields: str) -> Rows:
    """Those with every word of the query in one of these fields, each in whichever."""
    for word in words_of(query):
        rows = rows.filter(Q(*((f"{field}__plain__contains", word) for field in fields), _connector=Q.OR))
    return rows
