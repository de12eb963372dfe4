"""Natural sort order of names: the 2nd company before the 10th, without regard to case and accents.

It is a function of the column, not a collation: the embedded database has no natural one. Python sorts the same way.
"""

from __future__ import annotations

import re
from functools import lru_cache

from django.db.models import CharField, Func

from core.text_search import Plain, strip_accents

DIGITS = 8
"""Numbers are compared by this many of their last digits."""


class Natural(Func):
    """SQL function: the sort key of a text column. Numbers are padded with zeros to the same length."""

    template = (
        r"CASE WHEN %(expressions)s ~ '[0-9]' OR octet_length(%(expressions)s) <> char_length(%(expressions)s) THEN"
        rf" regexp_replace(regexp_replace({Plain.template}, '([0-9]+)', '{'0' * DIGITS}\1', 'g'),"
        rf" '[0-9]*([0-9]{{{DIGITS}}})', '\1', 'g') ELSE lower(%(expressions)s) END"
    )
    output_field = CharField()
    arity = 1


@lru_cache(maxsize=4_096)
def make_natural_key(text: str) -> str:
    """Return the same key of a text, for `sorted`."""
    return re.sub("[0-9]+", lambda number: number[0].zfill(DIGITS)[-DIGITS:], strip_accents(text))
