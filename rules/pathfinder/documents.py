"""Documents of armies (PF-1.11): the unit, how many there are of it, and what they ride."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from rules.army_law import FromAfar
from rules.core.text import Said, Term, _, say
from rules.law import Measure
from rules.pathfinder.parse import mount_from_json, mount_to_json, unit_from_json, unit_to_json
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import army_sheet, rating_of
from rules.pathfinder.spec import ArmySpec
from rules.realm import SheetFigure


class ArmyDocuments:
    """`rules.law.SheetLaw` for mass combat: `{unit, count, mount}`, unit and mount in the shape of the API."""

    version = 1
    health = _("Hit points")
    upkeep = _("Consumption")
    entries: Mapping[str, SheetFigure] = {}  # its own form asks for the unit

    def __init__(self, law: Rulebook):
        self._law = law

    def read(self, document: Mapping[str, Any]) -> dict[str, Any]:
        """The document in its one shape; how many there may be of it `measure` says. Raises `InvalidInput`."""
        unit = unit_to_json(unit_from_json(document.get("unit"), self._law))
        mount = mount_to_json(mount_from_json(document.get("mount") or None, self._law))
        return {"unit": unit, "count": document.get("count"), "mount": mount}

    def measure(self, document: Mapping[str, Any]) -> Measure:
        """Of the army as it is raised: without commander, tactics and resources. Raises `InvalidInput`."""
        unit, mount = (
            unit_from_json(document["unit"], self._law),
            mount_from_json(document.get("mount"), self._law),
        )
        sheet = army_sheet(self._law, ArmySpec("", "", unit, document["count"], mount))
        text = say(_("{count} × {unit}"), count=document["count"], unit=unit.name)
        return Measure(sheet.hp_max, sheet.consumption.total, text)

    def from_afar(self, document: Mapping[str, Any]) -> FromAfar:
        """What its unit is called, and the size its head count makes of it (PF-1.2)."""
        unit = unit_from_json(document["unit"], self._law)
        size, _acr = rating_of(ArmySpec("", "", unit, document["count"]))
        return FromAfar(say(Term("{unit}"), unit=unit.name), say(_("{size} army"), size=size.name))

    def in_words(self, document: Mapping[str, Any]) -> Sequence[Said]:
        unit = document.get("unit") or {}
        return [say(_("{count} × {unit}"), count=document["count"], unit=unit["name"])] if "name" in unit else ()
