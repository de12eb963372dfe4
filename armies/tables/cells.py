"""Cells with numbers and flags, in either language."""

from __future__ import annotations

from core.clean_input import parse_whole
from rules.core.errors import demand
from rules.core.text import MINUS, _

YES, NO = ("yes", "true", "1", "oui", "vrai"), ("no", "false", "0", "non", "faux")


def parse_whole_number(text: str, *, field: str) -> int:
    """Raises `InvalidInput`."""
    plain = text.replace(MINUS, "-")
    number = parse_whole(plain.removeprefix("-").removeprefix("+").removesuffix(".0"))
    demand(number is not None, _("“{text}” is no whole number."), field=field, text=text[:60])
    assert number is not None
    return -number if plain.startswith("-") else number


def parse_yes_or_no(text: str, *, field: str) -> bool:
    """Raises `InvalidInput`."""
    said = text.casefold()
    demand(said in (*YES, *NO), _("answer yes or no."), field=field)
    return said in YES
