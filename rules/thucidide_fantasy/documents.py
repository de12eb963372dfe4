"""Army documents of THUCIDIDE fantasy: reading, measuring and describing contingents (C-3, C-4, C-5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from typing import Any

from rules.army_law import DocumentSheets, FromAfar, one_figure, without_version
from rules.core.shapes import shape_of
from rules.core.text import Said, Term, _, by_number, say
from rules.law import Measure
from rules.thucidide_fantasy.contingent import ContingentCommander, ContingentSheet
from rules.thucidide_fantasy.figures import Tables, points_of, type_of, upkeep_of
from rules.thucidide_fantasy.losses import rested
from rules.thucidide_fantasy.spec import HERO, House
from rules.thucidide_fantasy.starter import KINDS

SHEET, COMMANDER_SHEET = shape_of(ContingentSheet), shape_of(ContingentCommander)
ABOUT = by_number("about {count} stand", "about {count} stands")


class ContingentDocuments(DocumentSheets):
    """Army documents (`rules.law.SheetLaw`) for contingents, with the shape `ContingentSheet`."""

    health = _("Number of stands")

    def __init__(self, tables: Tables, house: House):
        super().__init__(ContingentSheet, tables._asdict(), ContingentCommander)
        self.tables, self._house = tables, house
        self.upkeep = _("Build Points per week") if house.upkeep else None

    @property
    def known(self) -> Mapping[str, Any]:
        """The names that a new document may use, and the usual spell points of casters."""
        return {**self.catalogues, "limits": {"points": self._house.supply_points}}

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document in its normal form. Raises `InvalidInput` with a pointer for every problem.

        Only here is the cost of cards checked, so that existing documents survive a rise in spell costs.
        """
        return self.shape.write(self.shape.read_document(without_version(document), "", self.known))

    def sheet_of(self, document: Mapping[str, Any]) -> ContingentSheet:
        """The sheet in a document. Raises `InvalidInput` if the law doesn't accept it."""
        sheet: ContingentSheet = self.value_of(document)
        return sheet

    def commander_of(self, document: Mapping[str, Any]) -> ContingentCommander:
        """The commander in a document, with defaults for missing members; rank null means a hero.

        Raises `InvalidInput`.
        """
        commander: ContingentCommander = COMMANDER_SHEET.read_document(_ranked(document), "", self.catalogues)
        return commander

    def read_commander(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """A commander's document in its normal form. Raises `InvalidInput` with a pointer for every problem."""
        return COMMANDER_SHEET.write(COMMANDER_SHEET.read_document(_ranked(document), "", self.known))

    def rested(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document after a week without battle (C-7)."""
        return self.shape.write(rested(self.sheet_of(document), self._house.stands_back))

    def measured(self, army: ContingentSheet) -> Measure:
        """Full strength in stands, weekly upkeep in BP, the units in words, and the stands now (C-4, C-5)."""
        points = points_of(army, self.tables, self._house.supply_points)
        upkeep = upkeep_of(points) if self._house.upkeep else 0
        whole = sum(unit.whole(type_of(unit, self.tables)) for unit in army.units)
        lost = sum(unit.lost for unit in army.units)
        return Measure(whole, upkeep, say(Term("{units}"), units=self._counted(army)), whole - lost)

    def seen(self, army: ContingentSheet) -> FromAfar:
        """What others see: the kinds of troops, and the number of stands rounded to one figure (C-4)."""
        kinds = dict.fromkeys(KINDS[type_of(unit, self.tables).kind].name for unit in army.units)
        stands = self.measured(army).fit or 0
        return FromAfar(say(Term("{kinds}"), kinds=list(kinds)), say(ABOUT, count=one_figure(stands)))

    def _counted(self, army: ContingentSheet) -> list[Said]:
        counts = Counter(type_of(unit, self.tables).name for unit in army.units)
        return [say(_("{count} × {troop}"), count=count, troop=name) for name, count in counts.items()]


def _ranked(document: Mapping[str, Any]) -> Any:
    """A commander's document with rank null replaced by "hero" (C-3)."""
    body = without_version(document)
    if isinstance(body, dict) and "rank" in body and body["rank"] is None:
        return {**body, "rank": HERO}
    return body
