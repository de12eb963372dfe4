"""Army documents of wing command: reading, measuring and describing wings (C-2, C-4, C-5)."""

from __future__ import annotations

from collections import Counter

from rules.army_law import DocumentSheets, FromAfar, one_figure
from rules.core.text import Said, Term, _, by_number, say
from rules.law import Measure
from rules.wing_command.figures import Tables, points_of, type_of, upkeep_of
from rules.wing_command.spec import House
from rules.wing_command.wing import WingCommander, WingSheet

ABOUT = by_number("about {count} troop", "about {count} troops")


class WingDocuments(DocumentSheets):
    """Army documents (`rules.law.SheetLaw`) for wings, with the shape `WingSheet`."""

    health = _("Troops")

    def __init__(self, tables: Tables, house: House):
        troops = {slug: troop.name for slug, troop in tables.troops.items() if not troop.off}
        super().__init__(WingSheet, {"troops": troops}, WingCommander)
        self.tables = tables
        self.upkeep = _("Build Points per week") if house.upkeep else None

    def measured(self, sheet: WingSheet) -> Measure:
        """Its number of troops, and its weekly upkeep in BP."""
        points = points_of(sheet, self.tables)
        upkeep = upkeep_of(points) if self.upkeep else 0
        return Measure(len(sheet.troops), upkeep, say(Term("{troops}"), troops=self._counted(sheet)), len(sheet.troops))

    def seen(self, sheet: WingSheet) -> FromAfar:
        """What others see: its types of troops, and their number rounded to one figure (C-4)."""
        kinds = dict.fromkeys(type_of(troop, self.tables).name for troop in sheet.troops)
        size = say(ABOUT, count=one_figure(len(sheet.troops)))
        return FromAfar(say(Term("{kinds}"), kinds=list(kinds)), size)

    def _counted(self, sheet: WingSheet) -> list[Said]:
        counts = Counter(type_of(troop, self.tables).name for troop in sheet.troops)
        return [say(_("{count} × {troop}"), count=count, troop=name) for name, count in counts.items()]
