"""CSV rows of armies and unit types of mass combat (PF-1)."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import Any

from armies.pathfinder.armies.services import request_sheet_change
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.unit_types import unit_files as unit_types_unit_files
from armies.pathfinder.unit_types.queries import UnitEntry, load_unit_types
from armies.pathfinder.unit_types.services import make_stem, normalize_slug, save_unit_type
from armies.pathfinder.unit_types.unit_files import format_rating, read_rating
from armies.tables.army_rows import ArmyBody, ArmyTable, StateCells, find_cell
from armies.tables.tables import Cells, ThingTable, parse_whole_number
from core.text_search import Slugs
from kingdom.chronicle import changes
from kingdom.models import Campaign, User
from kingdom.realms.figures import get_ruleset
from rules.core.errors import demand
from rules.core.text import _
from rules.pathfinder.documents import unit_from_json, unit_to_json
from rules.pathfinder.spec import MASS_COMBAT_FIGURES

UNIT = {
    "unit": "name",
    **{name: name for name in unit_types_unit_files.COLUMNS if name not in ("slug", "name", "family")},
}
MOUNT = {"mount": "name", "mount_cr": "cr", "mount_speed_m": "speed_m", "mount_type": "creature_type"}
POINTED = {
    **{f"/unit/{name}": column for column, name in UNIT.items()},
    **{f"/mount/{name}": column for column, name in MOUNT.items()},
}


class PathfinderCells:
    several = False
    needed: Collection[str] = ("unit", "cr", "count")
    state = StateCells(MASS_COMBAT_FIGURES)

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return (*UNIT, "count", *MOUNT, *self.state.figures)

    def cells(self, army: PathfinderArmy) -> Sequence[Cells]:
        unit, mount = unit_types_unit_files.build_cells(army.unit), army.mount or {}
        return [
            {
                **{column: unit.get(name) for column, name in UNIT.items()},
                "count": army.count,
                **{column: mount.get(name) for column, name in MOUNT.items()},
                "mount_cr": format_rating(mount.get("cr")),
                **self.state.cells(army),
            }
        ]

    def body(self, army: PathfinderArmy | None, campaign: Campaign, rows: Sequence[Mapping[str, str]]) -> ArmyBody:
        (cells,) = rows
        what: dict[str, Any] = {}
        told = {name: cells[column] for column, name in UNIT.items() if column in cells}
        if told:
            kept = {name: value for name, value in army.unit.items() if name not in told} if army else {}
            read = unit_types_unit_files.read_unit(told)
            what["unit"] = {**kept, **{name: read[name] for name in told if name in read}}
        if cells.get("count") or army is None:
            what["count"] = parse_whole_number(cells.get("count", ""), field="/0/count")
        if any(column in cells for column in MOUNT):
            what["mount"] = _mount(army, cells)
        state = self.state.read(cells)
        if army is None:
            what |= self.state.read_raised(state)
        return ArmyBody(what, state)

    def column_of(self, pointer: str) -> tuple[int, str]:
        if found := find_cell(pointer):
            return found
        head = "/".join(pointer.split("/")[:3])
        return 0, POINTED.get(head, pointer.split("/")[1] if "/" in pointer else "")

    def unchanged(self, army: PathfinderArmy, what: Mapping[str, Any]) -> bool:
        return not request_sheet_change({"army": army, **what}).kinds


def _mount(army: PathfinderArmy | None, cells: Mapping[str, str]) -> dict[str, Any] | None:
    """The mount in these cells; None where all of them are empty."""
    told = {name: cells[column] for column, name in MOUNT.items() if column in cells}
    if not any(told.values()):
        return None
    kept = dict(army.mount) if army and army.mount else {}
    mount: dict[str, Any] = {**kept, **{name: text or None for name, text in told.items()}}
    if isinstance(cr := mount.get("cr"), str):
        mount["cr"] = read_rating(cr)
    if isinstance(speed := mount.get("speed_m"), str):
        mount["speed_m"] = unit_types_unit_files.parse_number(speed)
    return {name: value for name, value in mount.items() if value is not None}


class UnitTypeTable(ThingTable[UnitEntry]):
    """Table of the library of unit types with the campaign's own. A row with a known slug replaces that type."""

    title = _("Unit types")
    about = _(
        "Each row is a unit type, identified by its slug. Without a slug, one is made from the name. Rows "
        "that match the library change nothing."
    )
    again = _("This unit type is already in line {line}.")
    brought = _("Unit types imported from a table: {new} new, {changed} changed.")
    head, needed = unit_types_unit_files.COLUMNS, ("name", "cr")

    def there(self, campaign: Campaign) -> Mapping[str, UnitEntry]:
        return load_unit_types(campaign)

    def cells(self, slug: str, thing: UnitEntry) -> Cells:
        return {"slug": slug, "family": thing.family, **unit_types_unit_files.build_cells(thing.unit)}

    def slug_in(self, cells: Mapping[str, str], slugs: Slugs) -> str:
        name = cells.get("name", "")
        return normalize_slug(cells.get("slug", "")) or slugs.of(make_stem(name), name)

    def write(
        self, by: User, campaign: Campaign, slug: str, cells: Mapping[str, str], old: UnitEntry | None
    ) -> UnitEntry:  # fmt: skip
        given = unit_types_unit_files.row_of(cells)
        family = given["family"] or (old.family if old else "other")
        kept = {name: value for name, value in old.unit.items() if name not in cells} if old else {}
        unit = {**kept, **{name: value for name, value in given["unit"].items() if not kept or name in cells}}
        if old is not None and old.family == family and _alike(campaign, unit, old):
            return old
        demand(unit.get("name"), _("Required for a new unit type."), field="/unit/name")
        saved = save_unit_type(by=by, campaign=campaign, unit=unit, family=family, slug=slug)
        return UnitEntry(saved.slug, saved.name, saved.family, saved.unit, saved.pk)


def _alike(campaign: Campaign, unit: Mapping[str, Any], entry: UnitEntry) -> bool:
    """Whether the unit equals the existing entry. Raises `InvalidInput`."""
    read = unit_to_json(unit_from_json(unit, get_ruleset(campaign)))
    return bool(changes.make_plain(read) == changes.make_plain(entry.unit))


TABLES = (ArmyTable(PathfinderCells()), UnitTypeTable())
