"""Documents of armies: a wing of troops and characters, read, measured and told (C-2, C-4, C-5)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from rules.army_law import FromAfar, one_figure
from rules.core import shapes
from rules.core.shapes import shape_of
from rules.core.text import Said, Term, _, by_number, say
from rules.law import Measure
from rules.realm import SheetFigure
from rules.wing_command.figures import Tables, points_of, type_of, upkeep_of
from rules.wing_command.spec import House
from rules.wing_command.wing import WingCommander, WingSheet

SHEET, COMMANDER_SHEET = shape_of(WingSheet), shape_of(WingCommander)
ABOUT = by_number("about {count} troop", "about {count} troops")


class WingDocuments:
    """`rules.law.SheetLaw` for wings: the shape is `WingSheet`."""

    version = 1
    health = _("Troops")
    entries: Mapping[str, SheetFigure] = {}  # its own form asks for the troops

    def __init__(self, tables: Tables, house: House):
        self.tables, self._house = tables, house

    @property
    def upkeep(self) -> Term | None:
        return _("Build Points a week") if self._house.upkeep else None

    @property
    def known(self) -> Mapping[str, Mapping[str, Term]]:
        """What a reader of documents has to know by name."""
        return {"troops": {slug: troop.name for slug, troop in self.tables.troops.items()}}

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document in its one shape. Raises `InvalidInput` with a pointer for every problem."""
        return dict(SHEET.write(self.sheet_of(document)))

    def sheet_of(self, document: Mapping[str, Any]) -> WingSheet:
        """Raises `InvalidInput` where the law doesn't accept the document."""
        body = document
        if isinstance(document, Mapping):
            body = {name: value for name, value in document.items() if name != "version"}
        sheet: WingSheet = SHEET.read_document(body, known=self.known)
        return sheet

    def commander_of(self, document: Mapping[str, Any]) -> WingCommander:
        """A commander's figures; what is missing is as usual. Raises `InvalidInput`."""
        body = {name: value for name, value in document.items() if name != "version"}
        commander: WingCommander = COMMANDER_SHEET.read_document(body)
        return commander

    def measure(self, document: Mapping[str, Any]) -> Measure:
        """Of a document that was read: its troops, and what a week of them costs."""
        sheet = self.sheet_of(document)
        points = points_of(sheet, self.tables)
        upkeep = upkeep_of(points) if self._house.upkeep else 0
        return Measure(len(sheet.troops), upkeep, say(Term("{troops}"), troops=self._counted(sheet)), len(sheet.troops))

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        """Its kinds, and its number to one figure (C-4)."""
        sheet = self.sheet_of(document)
        kinds = dict.fromkeys(type_of(troop, self.tables).name for troop in sheet.troops)
        size = say(ABOUT, count=one_figure(len(sheet.troops)))
        return FromAfar(say(Term("{kinds}"), kinds=list(kinds)), size)

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        """Of an army its troops, characters, order and morale, of a commander their figures."""
        if "troops" in document:
            sheet = self.sheet_of(document)
            return shapes.in_words(SHEET, sheet)
        if COMMANDER_SHEET.members.keys() & document.keys():
            return shapes.in_words(COMMANDER_SHEET, self.commander_of(document))
        return ()

    def _counted(self, sheet: WingSheet) -> list[Said]:
        counts = Counter(type_of(troop, self.tables).name for troop in sheet.troops)
        return [say(_("{count} × {troop}"), count=count, troop=name) for name, count in counts.items()]
