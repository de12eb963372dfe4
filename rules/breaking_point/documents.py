"""Documents of armies: their units (BP-2)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.army_law import FromAfar, one_figure
from rules.breaking_point import spoils
from rules.breaking_point.arms import Tables
from rules.breaking_point.parse import COMMANDER_FIGURES, clean_army, unit_from, units_of
from rules.breaking_point.spec import House, Unit
from rules.core.text import Said, Term, _, by_number, say
from rules.law import Measure
from rules.realm import SheetFigure

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
        """Of a document that was read: heads able to fight, with the wounded when it is whole, and what a week of those
        who are able costs (B-69).
        """
        units = [unit_from(kept, self.tables) for kept in document["units"]]
        strength = sum(unit.strength for unit in units)
        whole = max(1, strength + sum(unit.wounded for unit in units))
        told = [say(_("{heads} × {unit}"), heads=unit.strength, unit=unit.name) for unit in units]
        upkeep = -(-strength // HUNDRED) * self._house.upkeep
        return Measure(whole, upkeep, say(Term("{units}"), units=told), fit=strength)

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        """The arm most of its heads are of, and their number to one figure (B-18)."""
        units = [unit_from(kept, self.tables) for kept in document["units"]]
        largest = max(units, key=lambda unit: unit.strength)
        heads = one_figure(sum(unit.strength for unit in units))
        return FromAfar(say(Term("{unit}"), unit=largest.name), say(ABOUT, heads=heads))

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        """Of an army its units and what it has taken, of a commander what they are able to."""
        units = [_in_words(kept) for kept in document.get("units", ())]
        figures = ((entry.name, document[slug]) for slug, entry in COMMANDER_FIGURES.items() if slug in document)
        taken = [spoils.in_words(spoil) for spoil in document.get("spoils", ())]
        return [*units, *taken, *(say(_("{figure} {value}"), figure=name, value=value) for name, value in figures)]


ABOUT = by_number("about {heads} head", "about {heads} heads", "heads")
COUNTED = {
    "wounded": by_number("{count} wounded", "{count} wounded"),
    "experience": by_number("{count} point of experience", "{count} points of experience"),
}


def _in_words(kept: Mapping[str, Any]) -> Said:
    told = [say(_("combat {combat}"), combat=kept["combat"])]
    told += [say(words, count=kept[name]) for name, words in COUNTED.items() if kept.get(name)]
    return say(_("{heads} × {unit} ({told})"), heads=kept["strength"], unit=kept["name"], told=told)
