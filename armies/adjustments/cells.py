"""Lasting adjustments in one cell of a table: `figure +1 "Blessed" until 12; figure -2 "Cursed"`, both ways.

`none` stands for no adjustments; an empty cell says nothing.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from rules.adjustments import Adjustable
from rules.core.errors import demand
from rules.core.text import MINUS, _

COLUMN, NONE = "adjustments", "none"
CELL_MOST = 6_000
SHOWN = 60
ONE = re.compile(
    rf'(?P<figure>[a-z_]+)\s+(?P<amount>[+{MINUS}-]?[0-9]{{1,6}})\s+"(?P<reason>(?:[^"]|"")*)"'
    r"(?:\s+until\s+(?P<until>[0-9]{1,9}))?"
)
BETWEEN = re.compile(r"\s*(?:;\s*|$)")


def write_cell(adjustments: Iterable[Mapping[str, Any]]) -> str:
    """The adjustments as a cell; empty without any."""
    return "; ".join(map(_written, adjustments))


def _written(one: Mapping[str, Any]) -> str:
    reason = one["reason"].replace('"', '""')
    until = "" if one["until"] is None else f" until {one['until']}"
    return f'{one["figure"]} {one["amount"]:+} "{reason}"{until}'


def read_cell(text: str, law: Adjustable, *, field: str) -> list[dict[str, Any]]:
    """The adjustments in a cell, not yet validated. Raises `InvalidInput` with an example of the ruleset."""
    plain = text.strip()
    demand(len(plain) <= CELL_MOST, _("Use at most {most} characters."), field=field, most=CELL_MOST)
    return [] if plain.casefold() == NONE else list(_parts(plain, next(iter(law.figures)), field))


def _parts(text: str, figure: str, field: str) -> Iterator[dict[str, Any]]:
    wrong = _("“{text}” isn’t an adjustment. Write it like this: {example}")
    at = 0
    while at < len(text):
        found = ONE.match(text, at)
        after = BETWEEN.match(text, found.end()) if found else None
        demand(after, wrong, field=field, text=text[at : at + SHOWN], example=f'{figure} +1 "Blessed" until 12')
        assert found is not None
        assert after is not None
        yield {
            "figure": found["figure"],
            "amount": int(found["amount"].replace(MINUS, "-")),
            "reason": found["reason"].replace('""', '"'),
            "until": None if found["until"] is None else int(found["until"]),
        }
        at = after.end()


def same(one: Sequence[Mapping[str, Any]], other: Sequence[Mapping[str, Any]]) -> bool:
    """Whether both say the same, whatever their ids."""
    return write_cell(one) == write_cell(other)
