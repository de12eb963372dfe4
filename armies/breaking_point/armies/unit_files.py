"""An army's units as CSV, for spreadsheets, both ways (`armies.documents.cells` says how a weapon is written)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from armies.documents.rows import DocumentRows, TableEntry
from rules.breaking_point.parse import ARMY
from rules.breaking_point.reading import Json

COLUMNS = (
    "name", "type", "strength", "combat", "weapons", "armour", "shield", "group", "reserve", "pieces", "machine",
    "toughness", "mobility", "breaking", "never", "engineers", "starves", "extra", "wounded",
    "experience",
)  # fmt: skip


class UnitRowsOfArmies(DocumentRows):
    def rows_of(self, document: Mapping[str, Any]) -> list[dict[str, Any]]:
        """Only of a machine it is told that it bears nothing at all: it might have the arms of its kind."""
        units = ({**unit, "weapons": unit.get("weapons") or (unit.get("weapons") if "machine" in unit else None)}
                 for unit in document.get("units", ()))  # fmt: skip
        return super().rows_of({"units": list(units)})


ROWS = UnitRowsOfArmies(ARMY, COLUMNS, ("name", "type", "strength"))


def list_rows(units: Iterable[Mapping[str, Any]]) -> list[list[Any]]:
    """A row for each unit, under `COLUMNS`."""
    return [[row.get(name) for name in COLUMNS] for row in ROWS.rows_of({"units": list(units)})]


def read(text: str) -> list[TableEntry]:
    """The units of a table. Raises `InvalidInput` ("/table") when it is none, or naming the line at fault."""
    return ROWS.read(text)


def check_units(lines: Sequence[TableEntry], law: Any) -> list[Json]:
    """The units, where the law takes them. Raises `InvalidInput` ("/table") naming the line of every problem."""
    found: list[Json] = ROWS.judged(lines, law)["units"]
    return found
