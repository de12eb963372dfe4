"""An army's units as CSV, for spreadsheets, both ways.

A weapon is its `slug`, `slug?number=2&secondary=yes`, or one of their own: `?name=Blunderbuss&damage=9&rate=1/4`;
several are parted by semicolons. A machine is written the same way. Nothing is judged here: the law does that.
"""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable, Mapping
from typing import Any
from urllib.parse import parse_qsl, urlencode

from armies.breaking_point.forms.posted import Json, typed_whole
from kingdom.strict_json import UNWRITABLE
from kingdom.tables import uncell
from rules.breaking_point.parse import UNITS_MOST
from rules.errors import InvalidInput, demand
from rules.text import _

WHOLE = ("strength", "combat", "armour", "pieces", "toughness", "mobility", "breaking", "extra", "wounded",
         "experience")  # fmt: skip
FLAGS = ("shield", "reserve", "never", "engineers")
COLUMNS = (
    "name", "type", "strength", "combat", "weapons", "armour", "shield", "group", "reserve", "pieces", "machine",
    "toughness", "mobility", "breaking", "never", "engineers", "extra", "wounded",
    "experience",
)  # fmt: skip
NEEDED = {"name", "type", "strength"}
YES = ("yes", "true", "1", "oui")
MOST_CHARACTERS = 60_000


def rows_of(units: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """A row for each unit, under `COLUMNS`."""
    return [[_cell(name, unit.get(name)) for name in COLUMNS] for unit in units]


def _cell(name: str, value: Any) -> Any:
    if name in FLAGS:
        return "yes" if value else ""
    if name == "weapons":
        return "; ".join(_borne(weapon) for weapon in value or ())
    return _borne(value) if name == "machine" and value else value


def _borne(thing: Any) -> str:
    """A weapon or a machine as one cell has it."""
    if not isinstance(thing, Mapping):
        return str(thing)
    told = {name: _told(value) for name, value in thing.items() if name != "slug" and value not in (None, False)}
    slug = str(thing.get("slug", ""))
    return f"{slug}?{urlencode(told, safe='/ ,')}" if told else slug


def _told(value: Any) -> str:
    if value is True:
        return "yes"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


def read(text: str) -> list[Json]:
    """The units of a table, unchecked. Raises `InvalidInput` ("/table") when it is none."""
    demand(len(text) <= MOST_CHARACTERS, _("This file is too large."), field="/table")
    demand(not UNWRITABLE.search(text), _("This holds characters that cannot be kept."), field="/table")
    try:
        reader = csv.DictReader(io.StringIO(text.removeprefix("\ufeff").strip()))
        columns, rows = set(reader.fieldnames or ()), list(reader)
    except csv.Error:
        raise InvalidInput(_("This is not valid CSV."), "/table") from None
    needs = _("The first line of the table names its columns; “name”, “type” and “strength” are needed.")
    demand(columns >= NEEDED, needs, field="/table")
    for name in sorted(columns - set(COLUMNS) - {""}):
        demand(False, _("No column is called “{name}”. Known: {known}."), field="/table", name=str(name)[:60],
               known=", ".join(COLUMNS))  # fmt: skip
    demand(rows, _("There is no unit in this table."), field="/table")
    demand(len(rows) <= UNITS_MOST, _("An army has at most {most} units."), field="/table", most=UNITS_MOST)
    return [_row(row) for row in rows]


def _row(row: Mapping[str, Any]) -> Json:
    cells = {name: uncell(value.strip()) for name, value in row.items() if isinstance(value, str) and value.strip()}
    unit: Json = {name: cells[name] for name in ("name", "type", "group") if name in cells}
    unit |= {name: typed_whole(cells[name]) for name in WHOLE if name in cells}
    unit |= {name: True for name in FLAGS if cells.get(name, "").casefold() in YES}
    if weapons := [_thing(part) for part in cells.get("weapons", "").split(";") if part.strip()]:
        unit["weapons"] = weapons
    if machine := cells.get("machine"):
        unit["machine"] = _thing(machine)
    return unit


def _thing(text: str) -> Any:
    slug, mark, tail = text.strip().partition("?")
    if not mark:
        return slug.strip()
    told = {name: _read(name, value) for name, value in parse_qsl(tail)}
    return {"slug": slug.strip(), **told} if slug.strip() else told


def _read(name: str, value: str) -> Any:
    if name == "munitions":
        return [typed_whole(part) for part in value.split(",")]
    if name in ("name", "rate", "range"):
        return value
    return True if value.casefold() in YES and not value.isdigit() else typed_whole(value)
