"""Natural sort order of names: the 2nd company before the 10th, whatever case and accents.

A function of the column, not a collation: the embedded database knows none that counts. Python sorts the same way.
"""

from __future__ import annotations

import re
from functools import lru_cache

from django.db.models import CharField, Func

from core.text_search import Plain, strip_accents

DIGITS = 8
"""Numbers are told apart by as many of their last digits."""


class Natural(Func):
    """A column's text as it is sorted. Every number is written with the same count of digits."""

    template = (
        r"CASE WHEN %(expressions)s ~ '[0-9]' OR octet_length(%(expressions)s) <> char_length(%(expressions)s) THEN"
        rf" regexp_replace(regexp_replace({Plain.template}, '([0-9]+)', '{'0' * DIGITS}\1', 'g'),"
        rf" '[0-9]*([0-9]{{{DIGITS}}})', '\1', 'g') ELSE lower(%(expressions)s) END"
    )
    output_field = CharField()
    arity = 1


@lru_cache(maxsize=4_096)
def make_natural_key(text: str) -> str:
    """The same of a text in hand: a key for `sorted`."""
    return re.sub("[0-9]+", lambda number: number[0].zfill(DIGITS)[-DIGITS:], strip_accents(text))
