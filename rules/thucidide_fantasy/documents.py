"""Documents of armies: a contingent of units and characters, read, measured and told (C-3, C-4, C-5)."""

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
    """`rules.law.SheetLaw` for contingents: the shape is `ContingentSheet`."""

    health = _("Number of stands")

    def __init__(self, tables: Tables, house: House):
        super().__init__(ContingentSheet, tables._asdict(), ContingentCommander)
        self.tables, self._house = tables, house
        self.upkeep = _("Build Points per week") if house.upkeep else None

    @property
    def known(self) -> Mapping[str, Any]:
        """What a document that is written now may name, and how many points of cards casters have."""
        return {**self.catalogues, "limits": {"points": self._house.supply_points}}

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document in its one shape. Raises `InvalidInput` with a pointer for every problem.

        Cards are counted here alone: a campaign that makes spells dearer doesn't lose its documents.
        """
        return self.shape.write(self.shape.read_document(without_version(document), "", self.known))

    def sheet_of(self, document: Mapping[str, Any]) -> ContingentSheet:
        """What a document says. Raises `InvalidInput` where the law doesn't accept it."""
        sheet: ContingentSheet = self.value_of(document)
        return sheet

    def commander_of(self, document: Mapping[str, Any]) -> ContingentCommander:
        """A commander's figures; what is missing is as usual, and rank null is a hero. Raises `InvalidInput`."""
        commander: ContingentCommander = COMMANDER_SHEET.read_document(_ranked(document), "", self.catalogues)
        return commander

    def read_commander(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """A commander's document in its one shape. Raises `InvalidInput` with a pointer for every problem."""
        return COMMANDER_SHEET.write(COMMANDER_SHEET.read_document(_ranked(document), "", self.known))

    def rested(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """A document after a week without battle (C-7)."""
        return self.shape.write(rested(self.sheet_of(document), self._house.stands_back))

    def measured(self, army: ContingentSheet) -> Measure:
        """Its stands when whole, a week's upkeep, its units in words, its stands now (C-4, C-5)."""
        points = points_of(army, self.tables, self._house.supply_points)
        upkeep = upkeep_of(points) if self._house.upkeep else 0
        whole = sum(unit.whole(type_of(unit, self.tables)) for unit in army.units)
        lost = sum(unit.lost for unit in army.units)
        return Measure(whole, upkeep, say(Term("{units}"), units=self._counted(army)), whole - lost)

    def seen(self, army: ContingentSheet) -> FromAfar:
        """The kinds of its troops, and its stands to one figure (C-4)."""
        kinds = dict.fromkeys(KINDS[type_of(unit, self.tables).kind].name for unit in army.units)
        stands = self.measured(army).fit or 0
        return FromAfar(say(Term("{kinds}"), kinds=list(kinds)), say(ABOUT, count=one_figure(stands)))

    def _counted(self, army: ContingentSheet) -> list[Said]:
        counts = Counter(type_of(unit, self.tables).name for unit in army.units)
        return [say(_("{count} × {troop}"), count=count, troop=name) for name, count in counts.items()]


def _ranked(document: Mapping[str, Any]) -> Any:
    """A commander's document whose rank null is said as the word for it (C-3)."""
    body = without_version(document)
    if isinstance(body, dict) and "rank" in body and body["rank"] is None:
        return {**body, "rank": HERO}
    return body
