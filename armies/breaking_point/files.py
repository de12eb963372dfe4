"""Armies of units as tables, a row for each unit; and the campaign's own types of troops (BP-2)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any

from django.utils.text import slugify

from armies.breaking_point import unit_files
from armies.breaking_point.forms.posted import typed_whole
from armies.breaking_point.reading import with_spoils
from armies.breaking_point.selectors.arsenal import thing_of
from armies.breaking_point.services.arsenal import save_thing
from armies.files.armies import ArmyBody, ArmyTable, cell_of, wrong
from armies.files.reading import flag_in
from armies.files.tables import Cells, Piece, Problem, TableOut
from armies.models import Army
from armies.services.raising import changes_of_sheet
from kingdom.models import Campaign, User
from kingdom.selectors import require_gm
from kingdom.tables import RowRead, TableRead
from rules.breaking_point.own import TYPE_FLAGS, TYPES
from rules.errors import InvalidInput
from rules.house import OWN
from rules.text import Said, _, say

TYPE_COLUMNS = ("slug", "name", "toughness", "charge", "starves", *TYPE_FLAGS)
NUMBERS = ("toughness", "charge")


class UnitCells:
    several = True
    needed: Collection[str] = ("name", "type", "strength")

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return unit_files.COLUMNS

    def cells(self, army: Army) -> Sequence[Cells]:
        rows = unit_files.rows_of(army.sheet.get("units", ()))
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
        if found := cell_of(pointer):
            return found
        _root, _units, place, column, *_rest = [*pointer.split("/"), "", "", ""]
        return (int(place), column) if place.isdecimal() else (0, "")

    def unchanged(self, army: Army, what: Mapping[str, Any]) -> bool:
        if not what:
            return True
        return not changes_of_sheet({"army": army, "sheet": with_spoils(army, what)}).kinds


class TypeTable:
    """What types of troops a campaign has beside the law's."""

    slug, title, leave, private = "units", _("Types of troops"), "", False
    about = _(
        "A row is a type of troops of the campaign’s own. Which one, its slug says; without one it is made from the "
        "name. The law’s own are not among them."
    )

    def columns(self, campaign: Campaign) -> Sequence[str]:
        return TYPE_COLUMNS

    def out(self, user: User, campaign: Campaign) -> TableOut:
        return TableOut(TYPE_COLUMNS, self._rows(campaign))

    def _rows(self, campaign: Campaign) -> Iterator[Sequence[Any]]:
        for slug, kept in campaign.house_rules.get(OWN, {}).get(TYPES, {}).items():
            cells = _cells(slug, kept)
            yield [cells.get(name) for name in TYPE_COLUMNS]

    def told(self, new: int, changed: int) -> Said:
        said = _("Types of troops were brought in as a table: {new} new, {changed} changed.")
        return say(said, new=new, changed=changed)

    def pieces(self, by: User, campaign: Campaign, table: TableRead) -> Iterable[Piece]:
        require_gm(by, campaign)
        table.demand_columns(("name", "toughness"), TYPE_COLUMNS, field="/file")
        seen: dict[str, int] = {}
        for row in table.rows:
            yield self._piece(by, campaign, row, seen)

    def _piece(self, by: User, campaign: Campaign, row: RowRead, seen: dict[str, int]) -> Piece:
        name = row.cells.get("name", "")
        slug = row.cells.get("slug") or slugify(name.replace("_", "-"))[:70].strip("-")
        first, thing = seen.setdefault(slug, row.line), thing_of(campaign, TYPES, slug)
        again = say(_("This type of troops stands in line {line} already."), line=first)
        return Piece(
            line=row.line,
            name=name,
            under="",
            before=None if thing is None else [_cells(slug, thing.kept)],
            do=partial(self._do, by, campaign, row, slug, thing),
            where=lambda pointer: (row.line, column if (column := pointer.rsplit("/", 1)[-1]) in row.cells else ""),
            problems=(Problem(row.line, "slug" if row.cells.get("slug") else "name", again),) * (first != row.line),
        )

    def _do(self, by: User, campaign: Campaign, row: RowRead, slug: str, there: Any) -> Any:
        given = _thing(row.cells)
        kept = {name: value for name, value in there.kept.items() if name not in row.cells} if there else {}
        slug = save_thing(by=by, campaign=campaign, kind=TYPES, thing={**kept, **given}, slug=slug)
        campaign.refresh_from_db(fields=["house_rules"])
        after = campaign.house_rules[OWN][TYPES][slug]
        return lambda: [_cells(slug, after)]


def _cells(slug: str, kept: Mapping[str, Any]) -> dict[str, Any]:
    flags = {name: "yes" if kept.get(name) else "" for name in TYPE_FLAGS}
    starves = "" if "starves" not in kept else "yes" if kept["starves"] else "no"
    return {"slug": slug, "name": kept["name"], "toughness": kept["toughness"], "charge": kept.get("charge", 1),
            "starves": starves, **flags}  # fmt: skip


def _thing(cells: Mapping[str, str]) -> dict[str, Any]:
    given: dict[str, Any] = {"name": cells["name"]}
    given |= {name: typed_whole(cells[name]) for name in NUMBERS if cells.get(name)}
    given |= {name: flag_in(0, name, cells[name]) for name in ("starves", *TYPE_FLAGS) if cells.get(name)}
    return given


TABLES = (ArmyTable(UnitCells()), TypeTable())
