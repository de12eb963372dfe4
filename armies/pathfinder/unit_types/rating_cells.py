"""Spreadsheet cells of challenge ratings.

A program for tables makes a day of `1/2` and keeps that. So they go out as `½`, which stays text in every program and
language, and come in as whatever became of them: `1/2`, `0.5`, `0,5`, `1.0`, or a day (`2-Jan`, `01-févr`,
`2026-01-02`). A CR below 1 is one part of several, and no month is the first and another at once: whichever of the two
numbers of a day is the month, only one of both readings is a CR.
"""

from __future__ import annotations

import re
import unicodedata
from fractions import Fraction

from rules.pathfinder.size import LOW

SIGNS = {"1/8": "⅛", "1/6": "⅙", "1/4": "¼", "1/3": "⅓", "1/2": "½"}
PARTS = {int(cr.removeprefix("1/")): cr for cr in LOW}
MONTHS = {
    "jan": 1, "ene": 1, "gen": 1, "feb": 2, "fev": 2, "mar": 3, "mrz": 3, "apr": 4, "avr": 4, "abr": 4, "jun": 6,
    "juin": 6, "giu": 6, "aug": 8, "aou": 8, "ago": 8,
}  # fmt: skip
"""Those that are a CR's lower half, by how English, French, German, Spanish and Italian begin them."""
SIGNED = re.compile("[⅛⅙¼⅓½]")
DECIMAL = re.compile(r"(\d*)[.,](\d+)")
SLASHED = re.compile(r"(?:0 )?(\d+)/(\d+)")
DAY = re.compile(r"(\d{4}[-/.])?(\d{1,2})[-/.](\d{1,2})([-/.](?:\d{4}|\d{2}))?\.?")
NAMED_DAY = re.compile(r"(\d{1,2})?[-/. ]*([a-z]{3,9})[-/. ]*(\d{1,2})?(?:[-/. ]+\d{2,4})?")


def format_rating(cr: object) -> object:
    """A CR as a cell keeps it."""
    return SIGNS.get(str(cr), cr)


def read_rating(cell: str) -> str:
    """The CR a cell means; what is none stays as it is, for the law to refuse."""
    text = " ".join(cell.replace("⁄", "/").split())
    if SIGNED.fullmatch(text):
        return next(cr for cr, sign in SIGNS.items() if sign == text)
    if slashed := SLASHED.fullmatch(text):
        return _part(slashed[1], slashed[2]) or text
    if decimal := DECIMAL.fullmatch(text):
        return _of_decimal(decimal[1], decimal[2]) or text
    return _of_day(text) or text


def _part(one: str, other: str) -> str | None:
    """1 and 2 are a half, whichever comes first."""
    least, most = sorted((int(one or 0), int(other or 0)))
    return PARTS.get(most) if least == 1 else None


def _of_decimal(whole: str, digits: str) -> str | None:
    """0.5, 1.0, and a third however many of its digits are there, two at least, cut or rounded."""
    if not digits.strip("0"):
        return whole.lstrip("0") or None
    if whole.strip("0"):
        return None
    number, unit = Fraction(int(digits), 10 ** len(digits)), Fraction(1, 10 ** len(digits))
    for part, cr in PARTS.items():
        near = abs(number - Fraction(1, part)) < unit and len(digits.rstrip("0")) >= 2
        if number == Fraction(1, part) or near:
            return cr
    return None


def _of_day(text: str) -> str | None:
    if day := DAY.fullmatch(text):
        return _part(day[2], day[3])
    plain = "".join(sign for sign in unicodedata.normalize("NFKD", text.lower()) if not unicodedata.combining(sign))
    if not (named := NAMED_DAY.fullmatch(plain)):
        return None
    month = MONTHS.get(named[2][:4]) or MONTHS.get(named[2][:3])
    number = named[1] or named[3]
    return _part(str(month), number) if month and number else None
