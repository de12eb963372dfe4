"""An army's units as CSV, for spreadsheets, both ways (`armies.documents.cells` says how a weapon is written)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from armies.documents.rows import DocumentRows
from rules.breaking_point.documents import ARMY

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
