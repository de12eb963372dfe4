"""Files of unit types: JSON in the shape of the API, and CSV.

In CSV an ability is `slug`, `slug:number` or `slug?option=value&option=a,b`; several are separated by semicolons:
`ferocity; spellcasting:3?ranged=yes; immunity?to=fear,poison`. A CR below 1 is written as ½.
"""

from __future__ import annotations

import json
import math
import re
import unicodedata
from collections.abc import Iterable, Mapping
from fractions import Fraction
from typing import Any
from urllib.parse import parse_qsl

from armies.tables.tables import YES
from core.clean_input import read_json
from core.csv_tables import format_csv, read_table
from rules.core.errors import InvalidInput, demand, demand_fit
from rules.core.text import _
from rules.pathfinder.monsters.creature import Monster
from rules.pathfinder.monsters.npc_actors import read_npc_actor
from rules.pathfinder.monsters.stat_blocks import read_stat_block
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.spec import LOW

# Challenge ratings in spreadsheet cells. Spreadsheets turn `1/2` into a date. So a CR is exported as `½`, which stays
# text in every program and language, and imported in any form: `1/2`, `0.5`, `0,5`, `1.0`, or a date (`2-Jan`,
# `01-févr`, `2026-01-02`). A CR below 1 is 1/n, and no date has both readings: whichever of its numbers is the month,
# only one order is a CR.

SIGNS = {"1/8": "⅛", "1/6": "⅙", "1/4": "¼", "1/3": "⅓", "1/2": "½"}
PARTS = {int(cr.removeprefix("1/")): cr for cr in LOW}
MONTHS = {
    "jan": 1, "ene": 1, "gen": 1, "feb": 2, "fev": 2, "mar": 3, "mrz": 3, "apr": 4, "avr": 4, "abr": 4, "jun": 6,
    "juin": 6, "giu": 6, "aug": 8, "aou": 8, "ago": 8,
}  # fmt: skip
"""Months that can be the denominator of a CR or its 1, by their first letters in English, French, German, Spanish and
Italian.
"""
SIGNED = re.compile("[⅛⅙¼⅓½]")
DECIMAL = re.compile(r"(\d*)[.,](\d+)")
SLASHED = re.compile(r"(?:0 )?(\d+)/(\d+)")
DAY = re.compile(r"(\d{4}[-/.])?(\d{1,2})[-/.](\d{1,2})([-/.](?:\d{4}|\d{2}))?\.?")
NAMED_DAY = re.compile(r"(\d{1,2})?[-/. ]*([a-z]{3,9})[-/. ]*(\d{1,2})?(?:[-/. ]+\d{2,4})?")


def format_rating(cr: object) -> object:
    """A CR as a cell has it."""
    return SIGNS.get(str(cr), cr)


def read_rating(cell: str) -> str:
    """The CR in a cell; any other text unchanged, for the rules to refuse."""
    text = " ".join(cell.replace("⁄", "/").split())
    if SIGNED.fullmatch(text):
        return next(cr for cr, sign in SIGNS.items() if sign == text)
    if slashed := SLASHED.fullmatch(text):
        return _part(slashed[1], slashed[2]) or text
    if decimal := DECIMAL.fullmatch(text):
        return _of_decimal(decimal[1], decimal[2]) or text
    return _of_day(text) or text


def _part(one: str, other: str) -> str | None:
    """Return the CR 1/n that two numbers stand for, in any order; None if they are no CR."""
    least, most = sorted((int(one or 0), int(other or 0)))
    return PARTS.get(most) if least == 1 else None


def _of_decimal(whole: str, digits: str) -> str | None:
    """0.5, 1.0, or a third with at least two digits, cut off or rounded; None for any other number."""
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


COLUMNS = (
    "slug", "name", "family", "cr", "hit_die", "speed_m", "creature_type", "alignment", "level", "ranged", "abilities",
)  # fmt: skip
PLAIN = ("name", "cr", "hit_die", "creature_type", "alignment")
MOST_CHARACTERS = 2_000_000


def dump_json(entries: Iterable[Any]) -> str:
    rows = [{"slug": e.slug, "family": e.family, "unit": dict(e.unit)} for e in entries]
    return json.dumps({"format": "warhost-unit-types", "version": 1, "units": rows}, ensure_ascii=False, indent=2)


def dump_csv(entries: Iterable[Any]) -> str:
    found = ({"slug": entry.slug, "family": entry.family, **build_cells(entry.unit)} for entry in entries)
    return format_csv(COLUMNS, ([row.get(name) for name in COLUMNS] for row in found))


def build_cells(unit: Mapping[str, Any]) -> dict[str, Any]:
    """Cells of a unit, by `COLUMNS`."""
    abilities = "; ".join(_ability_text(choice) for choice in unit["abilities"])
    cells = {name: unit[name] for name in COLUMNS if name in unit}
    cells |= {"cr": format_rating(unit.get("cr")), "ranged": "yes" if unit["ranged"] else "no"}
    return {**cells, "abilities": abilities}


def _ability_text(choice: Mapping[str, Any]) -> str:
    value = f":{choice['value']}" if choice.get("value") is not None else ""
    options = "&".join(f"{name}={_option_text(given)}" for name, given in (choice.get("options") or {}).items())
    return f"{choice['ability']}{value}{'?' if options else ''}{options}"


def _option_text(given: Any) -> str:
    if isinstance(given, list):
        return ",".join(given)
    return ("yes" if given else "no") if isinstance(given, bool) else str(given)


def read(text: str) -> list[Any]:
    """Rows of a JSON or CSV file, not validated. Raises `InvalidInput` when it is neither."""
    if len(text) > MOST_CHARACTERS:
        raise InvalidInput(_("This file is too large. Choose a smaller one."), "/units")
    demand_fit(text, field="/units")
    text = text.removeprefix("\ufeff").strip()
    return _read_json(text) if text[:1] in ("{", "[") else _read_csv(text)


def _read_json(text: str) -> list[Any]:
    body = read_json(text)
    rows = body.get("units") if isinstance(body, dict) else body
    if not isinstance(rows, list):
        raise InvalidInput(_("Send a list of unit types under “units”."), "/units")
    return rows


def _read_csv(text: str) -> list[Any]:
    table = read_table(text, field="/units", most=MOST_CHARACTERS)
    table.demand_columns(("name", "cr"), table.columns, field="/units")
    return [row_of(row.cells) for row in table.rows]


def row_of(cells: Mapping[str, str]) -> dict[str, Any]:
    """A unit type in the shape of the API."""
    return {"slug": cells.get("slug", ""), "family": cells.get("family", ""), "unit": read_unit(cells)}


def read_unit(cells: Mapping[str, str]) -> dict[str, Any]:
    """A unit, not validated; missing cells get the ruleset's defaults."""
    unit: dict[str, Any] = {name: cells[name] for name in PLAIN if cells.get(name)}
    if "cr" in unit:
        unit["cr"] = read_rating(unit["cr"])
    unit |= {name: parse_number(cells[name]) for name in ("speed_m", "level") if cells.get(name)}
    unit["ranged"] = cells.get("ranged", "").lower() in YES
    unit["abilities"] = [_ability(part) for part in cells.get("abilities", "").split(";") if part.strip()]
    return unit


def parse_number(text: str) -> Any:
    """The number; any other text unchanged, for the rules to refuse."""
    try:
        number = float(text.replace(",", "."))
    except ValueError:
        return text
    if not math.isfinite(number):
        return text
    return int(number) if number.is_integer() else number


def _ability(text: str) -> dict[str, Any]:
    head, _mark, tail = text.strip().partition("?")
    slug, _colon, value = head.partition(":")
    body: dict[str, Any] = {"ability": slug.strip()}
    if value.strip():
        body["value"] = parse_number(value.strip())
    options = {name: _option(name, given) for name, given in parse_qsl(tail)}
    return {**body, "options": options} if options else body


def _option(name: str, text: str) -> Any:
    if name == "to":
        return [part.strip() for part in text.split(",") if part.strip()]
    return text.lower() in YES if name == "ranged" else text


# Creatures of the bestiary.


def read_monster(text: str, law: Rulebook) -> Monster:
    """Reads one creature: an NPC actor of Foundry as JSON, or a stat block as text. Raises `InvalidInput`."""
    demand(len(text) <= MOST_CHARACTERS, _("This file is too large. Choose a smaller one."))
    demand_fit(text, field="")
    text = text.removeprefix("\ufeff").strip()
    if text[:1] not in ("{", "["):
        return read_stat_block(text, law)
    try:
        actor = read_json(text)
    except InvalidInput as refusal:
        raise refusal.repointed(lambda _pointer: "") from None
    demand(not isinstance(actor, list), _("This file has several actors. Send one creature at a time."))
    return read_npc_actor(actor, law)
