"""Tables as spreadsheets write them: read whatever parts their columns, refused with the line at fault."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import settings as profile
from hypothesis import strategies as st

from armies.pathfinder.forces.table_rows import PathfinderCells
from armies.pathfinder.models import PathfinderArmy
from armies.tables.army_rows import PlainCells
from armies.tables.tables import differing
from core.csv_tables import BOM, CHARACTERS_MOST, decoded, format_csv, read_table
from kingdom.models import Campaign
from rules.core.errors import InvalidInput
from rules.pathfinder.catalogue.units import UNITS
from rules.pathfinder.documents import unit_to_json
from rules.registry import ruleset
from tests.everyday import at_most

LAW = ruleset("combat-de-masse")
UNITS_TOLD = {slug: unit_to_json(kind.unit) | {"name": slug} for slug, kind in UNITS.items()}
names = st.text(st.characters(codec="utf-8", exclude_categories=("Cc", "Cs")), min_size=1, max_size=20).map(str.strip)
cells = names.filter(bool)


@given(rows=st.lists(st.tuples(cells, cells, cells), min_size=1, max_size=8), separator=st.sampled_from(",;\t"),
       bom=st.sampled_from(["", BOM]), hinted=st.booleans(), ends=st.sampled_from(["\r\n", "\n"]))  # fmt: skip
@profile(max_examples=at_most(16, full=400), deadline=None)
def test_whatever_is_written_is_read(rows, separator, bom, hinted, ends):
    text = format_csv(("Name", "place", "note"), rows, separator).replace("\r\n", ends)
    hint = f"sep={separator}{ends}" if hinted else ""
    read = read_table(bom + hint + text, field="/file")
    assert read.columns == ("name", "place", "note")
    assert [tuple(row.cells.values()) for row in read.rows] == rows


@given(text=st.sampled_from("=+-@\t").flatmap(lambda sign: st.just(sign + "HYPERLINK(1)")))
def test_what_a_spreadsheet_would_run_is_made_harmless_and_comes_back(text):
    written = format_csv(("name",), [(text,)])
    assert f"'{text}" in written
    (row,) = read_table(written, field="/file").rows
    assert row.cells["name"] == text


NO_TABLES = [
    ("", "This table is empty."),
    ("\n\n", "This table is empty."),
    (f"name\n{'x' * CHARACTERS_MOST}", "Split it."),
    ("name\na\0b", "Line 2 contains characters that can’t be displayed. Remove them."),
    ("name,place,name\na,b,c", "Two columns are called “name”."),
    ("name,place\nx,y\na,b,c", "Line 3 has more cells than there are columns."),
    ('name,place\n"x,y\n', "Line 2 isn’t valid CSV."),
    ('name,place\n"x"y,z\n', "Line 2 isn’t valid CSV."),
]  # fmt: skip


def test_what_is_no_table_is_refused_with_its_line():
    for text, said in NO_TABLES:
        with pytest.raises(InvalidInput) as refused:
            read_table(text, field="/file")
        assert said in str(refused.value), text
        assert refused.value.field == "/file", text


def test_empty_rows_and_columns_at_the_end_are_left_out_and_lines_still_count():
    read = read_table("\nname;place;;\n;;;\n\nx;y;;\n", field="/file")
    assert [(row.line, dict(row.cells)) for row in read.rows] == [(5, {"name": "x", "place": "y"})]


def test_a_cell_may_hold_lines_and_quotes():
    read = read_table('name,place\r\n"a\r\n""b""","c,d"\r\n', field="/file")
    assert read.rows[0].cells == {"name": 'a\r\n"b"', "place": "c,d"}
    assert read.rows[0].line == 3


def test_a_file_in_another_encoding_is_refused_and_the_mark_of_utf8_is_none_of_it():
    assert decoded(BOM.encode() + "Épée".encode(), field="/file") == "Épée"
    with pytest.raises(InvalidInput) as refused:
        decoded("Épée".encode("cp1252"), field="/file")
    assert "CSV UTF-8" in str(refused.value)


units = st.one_of(
    st.sampled_from(sorted(UNITS)).map(lambda slug: {**UNITS_TOLD[slug]}),
    st.fixed_dictionaries({
        "name": cells, "cr": st.sampled_from(["1/8", "1/3", "1", "7", "20"]), "hit_die": st.sampled_from(["d6", "d12"]),
        "speed_m": st.sampled_from([4.5, 9, 12, 30]), "level": st.integers(1, 20), "ranged": st.booleans(),
        "creature_type": st.sampled_from(["humanoid", "undead"]), "alignment": st.sampled_from(["N", "LG", "CE"]),
        "abilities": st.just([{"ability": "ferocity"}]),
    }),
)  # fmt: skip
mounts = st.none() | st.fixed_dictionaries(
    {"name": cells, "cr": st.none() | st.sampled_from(["1", "4"]), "speed_m": st.none() | st.sampled_from([12, 18]),
     "creature_type": st.just("animal")}
)  # fmt: skip


@given(unit=units, count=st.integers(1, 9_000), mount=mounts, separator=st.sampled_from(",;"))
@profile(max_examples=at_most(16, full=400), deadline=None)
def test_whatever_an_army_is_leaves_as_a_row_and_comes_back(unit, count, mount, separator):
    law, kind = LAW.armies, PathfinderCells()
    try:
        kept = law.read({"unit": unit, "count": count, "mount": mount})
    except InvalidInput:
        return  # the law has no such army
    campaign = Campaign(ruleset="combat-de-masse", house_rules={})
    army = PathfinderArmy(campaign=campaign, sheet=kept, health=3, health_max=3)
    columns = kind.columns(campaign)
    told = kind.cells(army)
    text = format_csv(columns, [[row.get(name) for name in columns] for row in told], separator)
    (row,) = read_table(text, field="/file").rows
    body = kind.body(None, campaign, [row.cells])
    assert law.read(dict(body.what)) == kept
    again = PathfinderArmy(campaign=campaign, sheet=law.read(dict(body.what)), health=3, health_max=3)
    assert list(differing(told, kind.cells(again))) == []
    assert body.state == {"hp": 3, "morale": 0, "disease": 0, "drain": 0, "status": "ready", "arrears": False,
                          "ill": False, "revealed": False}  # fmt: skip


def test_plain_armies_have_a_column_for_each_number():
    assert PlainCells().columns(Campaign(ruleset="coin", house_rules={}))[0] == "men"
