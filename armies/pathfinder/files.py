"""Armies and unit types of mass combat as tables: a row each (PF-1)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from armies.files.armies import ArmyBody, ArmyTable, cell_of
from armies.files.plain import state_in
from armies.files.reading import whole_in_cell
from armies.files.tables import FIELD, Cells, Piece, Problem, TableOut
from armies.pathfinder import unit_files
from armies.pathfinder.models import PathfinderArmy
from armies.pathfinder.selectors.unit_types import UnitEntry, unit_types_of
from armies.pathfinder.services.raising import changes_of_sheet
from armies.pathfinder.services.unit_types import save_unit_type, slug_of
from kingdom import world
from kingdom.models import Campaign, User
from kingdom.selectors import require_gm, ruleset_of
from kingdom.tables import RowRead, TableRead
from rules.errors import demand
from rules.pathfinder.parse import unit_from_json, unit_to_json
from rules.text import Said, _, say

UNIT = {"unit": "name", **{name: name for name in unit_files.COLUMNS if name not in ("slug", "name", "family")}}
MOUNT = {"mount": "name", "mount_cr": "cr", "mount_speed_m": "speed_m", "mount_type": "creature_type"}
NUMBERS, FLAGS = ("hp", "morale", "disease", "drain"), ("arrears", "ill", "revealed")
POINTED = {
    **{f"/unit/{name}": column for column, name in UNIT.items()},
    **{f"/mount/{name}": column for column, name in MOUNT.items()},
}


class PathfinderCells:
    several = False
    needed: Collection[str] = ("unit", "cr", "count")

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return (*UNIT, "count", *MOUNT, *NUMBERS, "status", *FLAGS)

    def cells(self, army: PathfinderArmy) -> Sequence[Cells]:
        unit, mount = unit_files.cells_of(army.unit), army.mount or {}
        flags = {name: "yes" if getattr(army, name) else "no" for name in FLAGS}
        return [
            {
                **{column: unit.get(name) for column, name in UNIT.items()},
                "count": army.count,
                **{column: mount.get(name) for column, name in MOUNT.items()},
                **{name: getattr(army, name) for name in NUMBERS},
                "status": army.status,
                **flags,
            }
        ]

    def body(self, army: PathfinderArmy | None, campaign: Campaign, rows: Sequence[Mapping[str, str]]) -> ArmyBody:
        (cells,) = rows
        what: dict[str, Any] = {}
        told = {name: cells[column] for column, name in UNIT.items() if column in cells}
        if told:
            kept = {name: value for name, value in army.unit.items() if name not in told} if army else {}
            read = unit_files.unit_of(told)
            what["unit"] = {**kept, **{name: read[name] for name in told if name in read}}
        if cells.get("count") or army is None:
            what["count"] = whole_in_cell(0, "count", cells.get("count", ""))
        if any(column in cells for column in MOUNT):
            what["mount"] = _mount(army, cells)
        return ArmyBody(what, state_in(cells, NUMBERS, FLAGS))

    def column_of(self, pointer: str) -> tuple[int, str]:
        if found := cell_of(pointer):
            return found
        head = "/".join(pointer.split("/")[:3])
        return 0, POINTED.get(head, pointer.split("/")[1] if "/" in pointer else "")

    def unchanged(self, army: PathfinderArmy, what: Mapping[str, Any]) -> bool:
        return not changes_of_sheet({"army": army, **what}).kinds


def _mount(army: PathfinderArmy | None, cells: Mapping[str, str]) -> dict[str, Any] | None:
    """What they ride; None where every cell of it is empty."""
    told = {name: cells[column] for column, name in MOUNT.items() if column in cells}
    if not any(told.values()):
        return None
    kept = dict(army.mount) if army and army.mount else {}
    mount: dict[str, Any] = {**kept, **{name: text or None for name, text in told.items()}}
    if isinstance(speed := mount.get("speed_m"), str):
        mount["speed_m"] = unit_files.number_of(speed)
    return {name: value for name, value in mount.items() if value is not None}


class UnitTypeTable:
    """The library with what is the campaign's own; a row of a known slug takes its place."""

    slug, title, leave, private = "units", _("Unit types"), "", False
    about = _(
        "A row is a unit type. Which one, its slug says; without one it is made from the name. What equals the library "
        "stays the library’s."
    )

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return unit_files.COLUMNS

    def out(self, user: User, campaign: Campaign) -> TableOut:
        return TableOut(unit_files.COLUMNS, self._rows(campaign))

    def _rows(self, campaign: Campaign) -> Iterator[Sequence[Any]]:
        for entry in unit_types_of(campaign).values():
            cells = _row_of(entry)
            yield [cells.get(name) for name in unit_files.COLUMNS]

    def told(self, new: int, changed: int) -> Said:
        return say(_("Unit types were brought in as a table: {new} new, {changed} changed."), new=new, changed=changed)

    def pieces(self, by: User, campaign: Campaign, table: TableRead) -> Iterable[Piece]:
        require_gm(by, campaign)
        table.demand_columns(("name", "cr"), unit_files.COLUMNS, field=FIELD)
        known, seen = unit_types_of(campaign), dict[str, int]()
        for row in table.rows:
            yield self._piece(by, campaign, row, known, seen)

    def _piece(
        self, by: User, campaign: Campaign, row: RowRead, known: Mapping[str, UnitEntry], seen: dict[str, int]
    ) -> Piece:
        slug = slug_of(row.cells.get("slug", ""), row.cells.get("name", ""))
        first, entry = seen.setdefault(slug, row.line), known.get(slug)
        again = say(_("This unit type stands in line {line} already."), line=first)
        return Piece(
            line=row.line,
            name=row.cells.get("name", ""),
            under="",
            before=None if entry is None else [_row_of(entry)],
            do=partial(self._do, by, campaign, row, slug, entry),
            where=partial(self._where, row),
            problems=(Problem(row.line, "slug" if row.cells.get("slug") else "name", again),) * (first != row.line),
        )

    def _do(self, by: User, campaign: Campaign, row: RowRead, slug: str, entry: UnitEntry | None) -> Any:
        given = unit_files.row_of(row.cells)
        family = given["family"] or (entry.family if entry else "other")
        kept = {name: value for name, value in entry.unit.items() if name not in row.cells} if entry else {}
        unit = {**kept, **{name: value for name, value in given["unit"].items() if not kept or name in row.cells}}
        if entry is not None and entry.family == family and _alike(campaign, unit, entry):
            return lambda: [_row_of(entry)]
        demand(unit.get("name"), _("A new unit type needs this."), field="/unit/name")
        saved = save_unit_type(by=by, campaign=campaign, unit=unit, family=family, slug=slug)
        after = UnitEntry(saved.slug, saved.name, saved.family, saved.unit, saved.pk)
        return lambda: [_row_of(after)]

    def _where(self, row: RowRead, pointer: str) -> tuple[int, str]:
        named = pointer.split("/")
        column = named[2] if len(named) > 2 and named[1] == "unit" else named[1] if len(named) > 1 else ""
        return row.line, column if column in row.cells else ""


def _row_of(entry: UnitEntry) -> dict[str, Any]:
    return {"slug": entry.slug, "family": entry.family, **unit_files.cells_of(entry.unit)}


def _alike(campaign: Campaign, unit: Mapping[str, Any], entry: UnitEntry) -> bool:
    """Whether it is what is there. Raises `InvalidInput`."""
    read = unit_to_json(unit_from_json(unit, ruleset_of(campaign)))
    return bool(world.plain(read) == world.plain(entry.unit))


TABLES = (ArmyTable(PathfinderCells()), UnitTypeTable())
