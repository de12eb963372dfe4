"""Files of unit types, units and maps in which anything is null, missing, of another type or beyond its bound: refused
with a pointer, or the same once it was out and in again.
"""

from __future__ import annotations

import json
from fractions import Fraction
from typing import Any

import pytest
from django.db import transaction
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from armies.breaking_point.forces.table_rows import ROWS as UNIT_ROWS
from armies.pathfinder.models import UnitType
from armies.pathfinder.unit_types import unit_files as unit_types_unit_files
from armies.pathfinder.unit_types.services import import_unit_types
from armies.tables.imports import find_table, propose
from battles.codec.storage import build_converter
from core.clean_input import read_json
from core.csv_tables import format_cell, format_csv, uncell
from rules.breaking_point.documents import clean_army
from rules.core.errors import InvalidInput
from rules.hexes.mapfile import document, parse
from rules.pathfinder.catalogue.units import UNITS
from rules.pathfinder.documents import mount_from_json, mount_to_json, unit_from_json, unit_to_json
from rules.registry import ruleset
from tests.armies.breaking_point.conftest import marches  # noqa: F401 - a fixture
from tests.armies.tables.mutations import LONG, NUMBERS, changed, is_number, members, mutated
from tests.armies.tables.test_bringing import changed_in, table_of
from tests.everyday import FULL, at_most

LAW = ruleset("combat-de-masse")
UNIT = {
    **unit_to_json(UNITS["human-alchemists"].unit), "name": "Bombers",
    "abilities": [{"ability": "bravery", "value": 2}, {"ability": "hex", "options": {"choice": "healing"}},
                  {"ability": "immunity", "options": {"to": ["fear"]}},
                  {"ability": "spellcasting", "value": 3, "options": {"ranged": True}}],
}  # fmt: skip
MOUNT = {"name": "Griffon", "cr": "3", "speed_m": 12, "creature_type": "animal"}
UNITS_FILE = {
    "format": "warhost-unit-types", "version": 1,
    "units": [{"slug": "bombers", "family": "humanoids", "unit": UNIT}],
}  # fmt: skip
TROOPS = {
    "units": [
        {"name": "Archers", "type": "archers", "strength": 200, "combat": 3, "armour": 5, "shield": True,
         "weapons": ["longbow", {"slug": "gladius", "number": 2}], "group": "shooting", "starves": False,
         "wounded": 3, "experience": 7, "breaking": 50},
        {"name": "Guns", "type": "artillery", "strength": 40, "combat": 0, "armour": 0, "group": "shooting",
         "pieces": 4, "toughness": 20, "reserve": True,
         "weapons": [{"name": "Bombard", "damage": 4, "rate": "1/4", "range": "long", "munitions": [3, 5]}]},
        {"name": "Engine", "type": "machines", "strength": 10, "combat": 1, "group": "shooting", "weapons": [],
         "machine": {"toughness": 30, "armour": 4, "mobility": 2}},
    ]
}  # fmt: skip
SHEET = {
    "format": "warhost-hexmap", "version": 1, "name": "Marches", "kind": "campaign", "columns": 8, "rows": 8,
    "terrain": ["." * 8] * 8, "heights": {"B2": 2}, "edges": [{"between": ["C3", "C4"], "obstacle": "stream"}],
    "roads": [["C3", "D3"]], "rivers": [["C3", "C4"]], "labels": {"B2": "Old bridge"},
    "homes": ["south", "north"], "zones": [["A1", "B1"], ["A8", "B8"]], "credits": "me", "own": {"x": [1, None]},
}  # fmt: skip


def tried(read: Any, value: Any, at: Any = "/") -> Any:
    """What it is read as; None where it is refused, and every problem says where it stands."""
    try:
        return read(value)
    except InvalidInput as refusal:
        pointers = [pointer for pointer, _said in refusal.errors]
    assert all(pointer.startswith(at) for pointer in pointers), pointers
    return None


def read_unit(unit: Any) -> Any:
    return unit_to_json(unit_from_json(unit, LAW))


def read_mount(mount: Any) -> Any:
    return mount_to_json(mount_from_json(mount, LAW))


def read_map(sheet: Any) -> Any:
    return document(parse(sheet))


def again(kept: Any) -> Any:
    """As a file has it."""
    return json.loads(json.dumps(kept))


@given(unit=mutated(UNIT), mount=mutated(MOUNT, most=2))
@profile(max_examples=at_most(60, full=1_000), deadline=None)
def test_a_unit_is_refused_where_it_is_wrong_or_comes_back_the_same(unit, mount):
    if (read := tried(read_unit, unit, "/unit")) is not None:
        assert read_unit(again(read)) == read
        told = {name: format_cell(value) for name, value in unit_types_unit_files.build_cells(read).items()}
        assert (
            read_unit(unit_types_unit_files.read_unit({name: uncell(str(value)) for name, value in told.items()}))
            == read
        )
    if (ridden := tried(read_mount, mount, "/mount")) is not None:
        assert read_mount(again(ridden)) == ridden


@given(army=mutated(TROOPS))
@profile(max_examples=at_most(60, full=1_000), deadline=None)
def test_an_army_of_units_is_refused_where_it_is_wrong_or_comes_back_the_same(army):
    if (kept := tried(clean_army, army)) is not None:
        assert clean_army(again(kept)) == kept
        rows = [[row.get(name) for name in UNIT_ROWS.head] for row in UNIT_ROWS.rows_of(kept)]
        text = format_csv(UNIT_ROWS.head, rows)
        assert clean_army({"units": [line.unit for line in UNIT_ROWS.read(text)]})["units"] == kept["units"]


@given(sheet=mutated(SHEET))
@profile(max_examples=at_most(60, full=1_000), deadline=None)
def test_a_map_is_refused_where_it_is_wrong_or_comes_back_the_same(sheet):
    if (found := tried(read_map, sheet, "")) is not None:
        assert read_map(again(found)) == found


def cases_of(whole: Any) -> list[tuple[Any, Any]]:
    numeric = [path for path, value in members(whole) if is_number(value)]
    texts = [path for path, value in members(whole) if isinstance(value, str)]
    return [(path, value) for path in numeric for value in NUMBERS] + [(path, LONG) for path in texts]


def found_at(whole: Any, path: Any) -> Any:
    """A number left out is 0."""
    for name in path:
        whole = whole.get(name, 0) if isinstance(whole, dict) else whole[name]
    return whole


READERS = [(UNIT, read_unit), (MOUNT, read_mount), (TROOPS, clean_army), (SHEET, read_map)]


@pytest.mark.parametrize(("whole", "read"), READERS, ids=("unit", "mount", "troops", "map"))
def test_nothing_is_cut_or_made_another_without_a_word(whole, read):
    assert read(whole) == whole
    for path, value in cases_of(whole):
        kept = tried(read, changed(whole, path, value))
        assert kept is None or found_at(kept, path) == value, (path, value)


def test_unit_types_are_refused_where_they_are_wrong_or_come_back_the_same(war):
    rows = unit_types_unit_files.read(json.dumps(UNITS_FILE))
    assert rows == UNITS_FILE["units"]

    def brought(sent: Any) -> Any:
        with transaction.atomic():
            read = unit_types_unit_files.read(json.dumps({**UNITS_FILE, "units": sent}))
            import_unit_types(by=war.gm, campaign=war.campaign, rows=read)
            return out()

    def out() -> Any:
        own = UnitType.objects.filter(campaign=war.campaign)
        return unit_types_unit_files.read(unit_types_unit_files.dump_json(own))

    assert brought(rows) == rows
    UnitType.objects.all().delete()
    for path, value in cases_of(UNITS_FILE["units"]):
        kept = tried(brought, changed(rows, path, value), "/units")
        if kept is not None:
            assert found_at(kept, path) == value, (path, value)
            assert brought(kept) == kept
            UnitType.objects.all().delete()


EXPONENTS = ("1e-9999999", "1E9999999", "1/1e5", "-1/4", "0", "nan", "1_0", LONG)


@pytest.mark.parametrize("rate", EXPONENTS)
def test_a_rate_of_fire_nobody_writes_is_refused_at_once(rate):
    """An exponent would be reckoned for hours."""
    with pytest.raises(InvalidInput) as refused:
        clean_army(changed(TROOPS, ("units", 1, "weapons", 0, "rate"), rate))
    assert refused.value.field == "/units/1/weapons/0/rate"


@pytest.mark.parametrize("text", ["1e-9999999", "0.5", "x", "1/", LONG])
def test_a_fraction_of_a_document_is_one(text):
    with pytest.raises(ValueError, match="no fraction"):
        build_converter().structure(text, Fraction)


CELLS = ("-1", "0", "2147483647", "9223372036854775808", "1e308", "NaN", "inf", "true", "", LONG, "1;2", "½")


def walked(user: Any, campaign: Any, slug: str, army: str, head: Any) -> None:
    kind, text = find_table(campaign, slug), table_of(user, campaign, slug)
    cases = [(column, value) for column in head if column not in ("army", "kingdom") for value in CELLS]
    for column, value in cases if FULL else cases[:: 1 + len(cases) // 12]:
        sent = changed_in(text, army, **{column: value})
        found = tried(lambda sent: propose(user, campaign, kind, sent), sent, "/file")
        for line in found.lines if found else ():
            assert line.what != "wrong" or line.problems
            for one in line.differences:
                assert str(one.after) == value or len(str(one.after)) < 200, (column, value)


def test_every_cell_of_a_table_of_armies_and_unit_types_is_bounded(war):
    for slug, army in (("armies", "Levy"), ("units", "Ogres")):
        walked(war.gm, war.campaign, slug, army, find_table(war.campaign, slug).columns(war.campaign))


def test_every_cell_of_a_table_of_units_is_bounded(marches):  # noqa: F811
    kind = find_table(marches.campaign, "armies")
    text = table_of(marches.gm, marches.campaign)
    cases = [(column, value) for column in UNIT_ROWS.head for value in CELLS]
    for column, value in cases if FULL else cases[:: 1 + len(cases) // 12]:
        found = propose(marches.gm, marches.campaign, kind, changed_in(text, "Archers", **{column: value}))
        assert all(line.what != "wrong" or line.problems for line in found.lines), (column, value)


@given(rows=st.lists(st.dictionaries(st.sampled_from(["slug", "family", "unit", "x"]), st.none() | st.just([1]))))
def test_a_file_of_unit_types_is_any_json(rows):
    assert unit_types_unit_files.read(json.dumps({"units": rows})) == read_json(json.dumps(rows))
