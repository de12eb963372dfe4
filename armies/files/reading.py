"""Cells as numbers and flags, in either language."""

from __future__ import annotations

from armies.files.armies import wrong
from kingdom.inputs import whole_in
from rules.text import MINUS, _, say

YES, NO = ("yes", "true", "1", "oui", "vrai"), ("no", "false", "0", "non", "faux")


def whole_in_cell(row: int, column: str, text: str) -> int:
    """Raises `InvalidInput` with the place of the cell."""
    plain = text.replace(MINUS, "-")
    number = whole_in(plain.removeprefix("-").removeprefix("+").removesuffix(".0"))
    if number is None:
        raise wrong(row, column, say(_("“{text}” is no whole number."), text=text[:60]))
    return -number if plain.startswith("-") else number


def flag_in(row: int, column: str, text: str) -> bool:
    """Raises `InvalidInput` with the place of the cell."""
    said = text.casefold()
    if said not in (*YES, *NO):
        raise wrong(row, column, _("answer yes or no."))
    return said in YES
