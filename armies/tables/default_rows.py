"""Table rows of armies whose document is numbers (`rules.law.SheetLaw.entries`): a column for each number."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from armies.forces.services import request_sheet_change
from armies.models import Army
from armies.tables.army_rows import ArmyBody, find_cell, wrong
from armies.tables.cells import parse_whole_number, parse_yes_or_no
from armies.tables.tables import Cells
from kingdom.models import Campaign
from kingdom.realms.figures import get_ruleset
from rules.core.text import _

STATE = ("health", "status", "revealed")


class PlainCells:
    several = False
    needed: Collection[str] = ()

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return (*get_ruleset(campaign).armies.entries, *STATE)

    def cells(self, army: Army) -> Sequence[Cells]:
        entries = get_ruleset(army.campaign).armies.entries
        own = {name: army.sheet.get(name) for name in entries}
        return [{**own, "health": army.health, "status": army.status, "revealed": "yes" if army.revealed else "no"}]

    def body(self, army: Army | None, campaign: Campaign, rows: Sequence[Mapping[str, str]]) -> ArmyBody:
        (cells,) = rows
        entries = get_ruleset(campaign).armies.entries
        said = {name: parse_whole_number(cells[name], field=f"/0/{name}") for name in entries if cells.get(name)}
        kept = {name: value for name, value in army.sheet.items() if name != "version"} if army else {}
        fresh = {name: entry.start for name, entry in entries.items()}
        return ArmyBody({"sheet": {**(kept or fresh), **said}}, state_in(cells, ("health",), ("revealed",)))

    def column_of(self, pointer: str) -> tuple[int, str]:
        return find_cell(pointer) or (0, pointer.rsplit("/", 1)[-1])

    def unchanged(self, army: Army, what: Mapping[str, Any]) -> bool:
        return not request_sheet_change({"army": army, **what}).kinds


def state_in(cells: Mapping[str, str], numbers: Sequence[str], flags: Sequence[str]) -> dict[str, Any]:
    """What a GM sets: numbers, flags, and the status. Empty cells say nothing."""
    state: dict[str, Any] = {
        name: parse_whole_number(cells[name], field=f"/0/{name}") for name in numbers if cells.get(name)
    }
    state |= {name: parse_yes_or_no(cells[name], field=f"/0/{name}") for name in flags if cells.get(name)}
    if status := cells.get("status"):
        if status not in Army.Status.values:
            raise wrong(0, "status", _("There is no such status."))
        state["status"] = status
    return state
