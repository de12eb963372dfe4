"""CSV files of an army's units, both ways.

A weapon is its `slug`, `slug?number=2&secondary=yes`, or one of their own: `?name=Blunderbuss&damage=9&rate=1/4`;
several are parted by semicolons. A machine is written the same way. What cannot be read is refused with its line;
what the law says of the units is said of their lines, too (`check_units`).
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple
from urllib.parse import parse_qsl, urlencode

from armies.forces.typed_values import read_typed_whole
from armies.tables.cells import YES, parse_whole_number, parse_yes_or_no
from core.csv_tables import RowRead, read_table
from rules.breaking_point.parse import UNITS_MOST
from rules.breaking_point.reading import Json
from rules.core.errors import InvalidInput, demand
from rules.core.text import Said, _, say

WHOLE = ("strength", "combat", "armour", "pieces", "toughness", "mobility", "breaking", "extra", "wounded",
         "experience")  # fmt: skip
FLAGS = ("shield", "reserve", "never", "engineers")
COLUMNS = (
    "name", "type", "strength", "combat", "weapons", "armour", "shield", "group", "reserve", "pieces", "machine",
    "toughness", "mobility", "breaking", "never", "engineers", "starves", "extra", "wounded",
    "experience",
)  # fmt: skip
NEEDED = ("name", "type", "strength")
UNARMED = "none"  # of a machine that bears nothing at all
MOST_SHOWN = 8
MOST_CHARACTERS = 60_000


def list_rows(units: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """A row for each unit, under `COLUMNS`."""
    return [[_cell(name, unit.get(name), unit) for name in COLUMNS] for unit in units]


def _cell(name: str, value: Any, unit: Mapping[str, Any]) -> Any:
    if name == "starves":
        return "" if value is None else "yes" if value else "no"
    if name == "weapons" and value == [] and "machine" in unit:
        return UNARMED
    if name in FLAGS:
        return "yes" if value else ""
    if name == "weapons":
        return "; ".join(_borne(weapon) for weapon in value or ())
    return _borne(value) if name == "machine" and value else value


def _borne(thing: Any) -> str:
    """A weapon or a machine as one cell has it."""
    if not isinstance(thing, Mapping):
        return str(thing)
    told = {
        name: _told(value)
        for name, value in thing.items()
        if name != "slug" and value is not None and value is not False
    }
    slug = str(thing.get("slug", ""))
    return f"{slug}?{urlencode(told, safe='/ ,')}" if told else slug


def _told(value: Any) -> str:
    if value is True:
        return "yes"
    return ",".join(map(str, value)) if isinstance(value, list | tuple) else str(value)


class TableLine(NamedTuple):
    """A unit of a table, unchecked, and the line it ends on."""

    number: int
    unit: Json


def read(text: str) -> list[TableLine]:
    """The units of a table. Raises `InvalidInput` ("/table") when it is none, or naming the line at fault."""
    table = read_table(text, field="/table", most=MOST_CHARACTERS)
    table.demand_columns(NEEDED, COLUMNS, field="/table")
    rows = table.rows
    demand(rows, _("There is no unit in this table."), field="/table")
    demand(len(rows) <= UNITS_MOST, _("An army has at most {most} units."), field="/table", most=UNITS_MOST)
    return [TableLine(row.line, _lined(row)) for row in rows]


def _lined(row: RowRead) -> Json:
    try:
        return unit_of(row.cells)
    except InvalidInput as refusal:
        said = say(_("Line {line}, {column}: {problem}"), line=row.line, column=refusal.field.removeprefix("/"),
                   problem=refusal.message)  # fmt: skip
        raise InvalidInput(said, "/table") from None


def unit_of(sent: Mapping[str, str]) -> Json:
    """The unit these cells say, unchecked by the law. Raises `InvalidInput` with the column as its pointer."""
    cells = {name: value for name, value in sent.items() if value}
    unit: Json = {name: cells[name] for name in ("name", "type", "group") if name in cells}
    unit |= {name: parse_whole_number(cells[name], field=f"/{name}") for name in WHOLE if name in cells}
    flags = {name: parse_yes_or_no(cells[name], field=f"/{name}") for name in (*FLAGS, "starves") if name in cells}
    unit |= {name: said for name, said in flags.items() if said or name == "starves"}
    if weapons := [_thing(part) for part in cells.get("weapons", "").split(";") if part.strip()]:
        unit["weapons"] = [] if weapons == [UNARMED] else weapons
    if machine := cells.get("machine"):
        unit["machine"] = _thing(machine)
    return unit


def check_units(lines: Sequence[TableLine], law: Any) -> list[Json]:
    """The units, where the law takes them. Raises `InvalidInput` ("/table") naming the line of every problem."""
    units = [line.unit for line in lines]
    try:
        law.armies.read({"units": units})
    except InvalidInput as refusal:
        told = tuple(("/table", _said(lines, pointer, message)) for pointer, message in refusal.errors)[:MOST_SHOWN]
        raise InvalidInput(told[0][1], "/table", told) from None
    return units


def _said(lines: Sequence[TableLine], pointer: str, message: Said) -> Said:
    _root, _units, place, *rest = [*pointer.split("/"), "", ""]
    if not place.isdecimal():
        return message
    line, member = lines[int(place)], next(filter(None, rest), "")
    name = str(line.unit.get("name", ""))[:60]
    return say(_("Line {line} ({unit}), {column}: {problem}"), line=line.number, unit=name, column=member or "name",
               problem=message)  # fmt: skip


def _thing(text: str) -> Any:
    slug, mark, tail = text.strip().partition("?")
    if not mark:
        return slug.strip()
    told = {name: _read(name, value) for name, value in parse_qsl(tail)}
    return {"slug": slug.strip(), **told} if slug.strip() else told


def _read(name: str, value: str) -> Any:
    if name == "munitions":
        return [read_typed_whole(part) for part in value.split(",")]
    if name in ("name", "rate", "range"):
        return value
    return True if value.casefold() in YES and not value.isdigit() else read_typed_whole(value)
