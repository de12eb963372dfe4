"""Draft armies: what sieges and weeks make of their documents, before anything is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from copy import deepcopy
from dataclasses import dataclass, field
from typing import Any

from armies.models import Army
from kingdom.chronicle.changes import Change
from kingdom.realms.figures import get_ruleset
from rules.breaking_point.siege.siege_ends import UnitLeft
from rules.breaking_point.siege.week import returning
from rules.breaking_point.spoils import Spoil, added, guns
from rules.core.text import Said

FIGURES = ("sheet", "health", "health_max", "upkeep", "status", "place")


@dataclass
class ArmyDraft:
    """An army and what is to become of it. `busy`: the last day on which a siege held it."""

    row: Army
    busy: int | None = None
    after: dict[str, Any] = field(default_factory=dict)

    def __getattr__(self, name: str) -> Any:
        if name in FIGURES:
            return self.after.get(name, getattr(self.row, name))
        raise AttributeError(name)

    def put(self, **figures: Any) -> None:
        self.after.update(figures)

    @property
    def document(self) -> dict[str, Any]:
        """Its document, to be changed."""
        if "sheet" not in self.after:
            self.put(sheet=deepcopy(self.row.sheet))
        found: dict[str, Any] = self.after["sheet"]
        return found

    @property
    def units(self) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = self.document["units"]
        return found

    def bear(self, losses: Iterable[UnitLeft]) -> None:
        """What a siege has left of it (B-47, B-48): a unit without men is struck off; an army without any able to fight
        is none, and its document stays for who reads of it later.
        """
        before = deepcopy(self.document)
        for left in losses:
            unit = self.units[left.nth]
            _count_men(unit, left.strength, unit.get("wounded", 0) + left.wounded)
            if left.pieces is not None and unit.get("pieces") is not None:
                unit["pieces"] = min(unit["pieces"], left.pieces)
        if any(unit["strength"] for unit in self.units):
            self.after["sheet"]["units"] = [unit for unit in self.units if unit["strength"] or unit.get("wounded")]
            self._reckon()
        else:
            self.put(sheet=before, status=Army.Status.DEFEATED.value, health=0)

    def give_up_guns(self) -> list[Spoil]:
        """Every piece it has: who is captured has none any more (B-59)."""
        given = []
        for unit in self.units:
            if pieces := unit.get("pieces"):
                given.append(guns(self.row.name, unit["name"], pieces))
                unit["pieces"] = 0
        return given

    def take(self, taken: Iterable[Spoil]) -> None:
        """What it brings along from now on."""
        self.document["spoils"] = added(self.document.get("spoils", ()), taken)

    def rest(self) -> int:
        """A week of rest (B-69). Answers how many wounded are back."""
        back = 0
        for unit in self.units:
            wounded = unit.get("wounded", 0)
            returned = returning(wounded)
            if returned:
                _count_men(unit, unit["strength"] + returned, wounded - returned)
                back += returned
        if back:
            self._reckon()
        return back

    def _reckon(self) -> None:
        """What follows from its document."""
        able = sum(unit["strength"] for unit in self.units)
        upkeep = get_ruleset(self.row.campaign).armies.measure(self.after["sheet"]).upkeep
        self.put(health=able, health_max=able + sum(unit.get("wounded", 0) for unit in self.units), upkeep=upkeep)

    def changes(self, rule: str, label: Said) -> Iterator[Change]:
        for name, value in self.after.items():
            before = getattr(self.row, name)
            if before != value:
                yield Change("army", str(self.row.pk), name, before, value, rule, label, self.row.name)


def _count_men(unit: dict[str, Any], able: int, wounded: int) -> None:
    """As documents say it: wounded where there are any."""
    unit["strength"] = able
    unit.pop("wounded", None)
    if wounded:
        unit["wounded"] = wounded


def list_drafts(armies: Mapping[str, Army]) -> dict[str, ArmyDraft]:
    return {key: ArmyDraft(army) for key, army in armies.items()}
