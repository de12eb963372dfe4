"""What is written down of an army as such: its units (BP-2)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.law import Measure
from rules.realm import SheetFigure
from rules.text import Term, _, say

from .arms import Tables
from .parse import clean_army, unit_from, units_of
from .spec import House, Unit

HUNDRED = 100


class HostDocuments:
    """`rules.law.SheetLaw` for armies of units: `{"units": […]}`, each in the shape of the API."""

    version = 1
    health = _("Heads able to fight")
    entries: Mapping[str, SheetFigure] = {}  # its own form asks for the units

    def __init__(self, tables: Tables, house: House):
        self.tables, self._house = tables, house

    @property
    def upkeep(self) -> Term | None:
        return _("Upkeep") if self._house.upkeep else None

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document in its one shape. Raises `InvalidInput` with a pointer for every problem."""
        return clean_army(document, self.tables)

    def units_of(self, document: Mapping[str, Any]) -> tuple[Unit, ...]:
        """Raises `InvalidInput` where the law does not accept the document."""
        return units_of(document, self.tables)

    def measure(self, document: Mapping[str, Any]) -> Measure:
        """Of a document that was read: heads able to fight, and what a week of them costs (B-69)."""
        units = [unit_from(kept, self.tables) for kept in document["units"]]
        strength = sum(unit.strength for unit in units)
        told = [say(_("{heads} × {unit}"), heads=unit.strength, unit=unit.name) for unit in units]
        return Measure(strength, -(-strength // HUNDRED) * self._house.upkeep, say(Term("{units}"), units=told))
