"""Table rows of armies, one for each unit; and of the campaign's own types of troops (BP-2)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from armies.breaking_point.armies import unit_files
from armies.breaking_point.arsenal.services import save_thing, stem_of
from armies.breaking_point.specs import add_spoils
from armies.forces.services import request_sheet_change
from armies.forces.typed_values import read_typed_whole
from armies.models import Army
from armies.tables.army_rows import ArmyBody, ArmyTable, find_cell, wrong
from armies.tables.cells import parse_yes_or_no
from armies.tables.slug_rows import ThingTable
from armies.tables.tables import Cells
from core.slugs import Slugs
from kingdom.models import Campaign, User
from rules.breaking_point.own import TYPE_FLAGS, TYPES
from rules.core.errors import InvalidInput
from rules.core.text import _
from rules.house import OWN

NUMBERS = ("toughness", "charge")


class UnitCells:
    several = True
    needed: Collection[str] = unit_files.NEEDED

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return unit_files.COLUMNS

    def cells(self, army: Army) -> Sequence[Cells]:
        rows = unit_files.list_rows(army.sheet.get("units", ()))
        return [dict(zip(unit_files.COLUMNS, row, strict=True)) for row in rows]

    def body(self, army: Army | None, campaign: Campaign, rows: Sequence[Mapping[str, str]]) -> ArmyBody:
        """Its units anew: whoever writes them says them whole. A table without them says none."""
        if army is not None and not any(name in rows[0] for name in self.needed):
            return ArmyBody({}, {})
        units = []
        for place, cells in enumerate(rows):
            try:
                units.append(unit_files.unit_of(cells))
            except InvalidInput as refusal:
                raise wrong(place, refusal.field.removeprefix("/"), refusal.message) from None
        return ArmyBody({"units": units}, {})

    def column_of(self, pointer: str) -> tuple[int, str]:
        if found := find_cell(pointer):
            return found
        _root, _units, place, column, *_rest = [*pointer.split("/"), "", "", ""]
        return (int(place), column) if place.isdecimal() else (0, "")

    def unchanged(self, army: Army, what: Mapping[str, Any]) -> bool:
        if not what:
            return True
        return not request_sheet_change({"army": army, "sheet": add_spoils(army, what)}).kinds


class TypeTable(ThingTable[Mapping[str, Any]]):
    """What types of troops a campaign has beside the law's."""

    title = _("Types of troops")
    about = _(
        "A row is a type of troops of the campaign’s own. Which one, its slug says; without one it is made from the "
        "name. The law’s own are not among them."
    )
    again = _("This type of troops stands in line {line} already.")
    brought = _("Types of troops were brought in as a table: {new} new, {changed} changed.")
    head = ("slug", "name", "toughness", "charge", "starves", *TYPE_FLAGS)
    needed = ("name", "toughness")

    def there(self, campaign: Campaign) -> Mapping[str, Mapping[str, Any]]:
        found: Mapping[str, Mapping[str, Any]] = campaign.house_rules.get(OWN, {}).get(TYPES, {})
        return found

    def cells(self, slug: str, thing: Mapping[str, Any]) -> Cells:
        flags = {name: "yes" if thing.get(name) else "" for name in TYPE_FLAGS}
        starves = "" if "starves" not in thing else "yes" if thing["starves"] else "no"
        return {"slug": slug, "name": thing["name"], "toughness": thing["toughness"], "charge": thing.get("charge", 1),
                "starves": starves, **flags}  # fmt: skip

    def slug_in(self, cells: Mapping[str, str], slugs: Slugs) -> str:
        name = cells.get("name", "")
        return cells.get("slug") or slugs.of(stem_of(TYPES, name), name)

    def write(
        self, by: User, campaign: Campaign, slug: str, cells: Mapping[str, str], old: Mapping[str, Any] | None
    ) -> Mapping[str, Any]:  # fmt: skip
        kept = {name: value for name, value in (old or {}).items() if name not in cells}
        slug = save_thing(by=by, campaign=campaign, kind=TYPES, thing={**kept, **_thing(cells)}, slug=slug)
        campaign.refresh_from_db(fields=["house_rules"])
        return self.there(campaign)[slug]


def _thing(cells: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {"name": cells["name"]}
    given |= {name: read_typed_whole(cells[name]) for name in NUMBERS if cells.get(name)}
    given |= {
        name: parse_yes_or_no(cells[name], field=f"/{name}") for name in ("starves", *TYPE_FLAGS) if cells.get(name)
    }
    return given


TABLES = (ArmyTable(UnitCells()), TypeTable())
