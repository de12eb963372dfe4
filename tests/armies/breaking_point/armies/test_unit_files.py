"""An army's units as CSV: what leaves comes back, and what is broken is refused with its line."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import HealthCheck, assume, given
from hypothesis import settings as profile

from armies.breaking_point.forces.table_rows import ROWS
from core.csv_tables import format_csv
from rules.breaking_point.ruleset import BREAKING_POINT
from rules.core.errors import InvalidInput
from tests.armies.breaking_point.armies.bench import Bench
from tests.armies.breaking_point.armies.test_nothing_lost import cleaned, raised
from tests.everyday import at_most
from tests.rulesets.browsing import beside


def as_csv(units: Any) -> str:
    return format_csv(ROWS.head, [[row.get(name) for name in ROWS.head] for row in ROWS.rows_of({"units": units})])


@given(document=raised)
@profile(
    max_examples=at_most(15, full=200),
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.filter_too_much],
)
def test_whatever_an_army_is_leaves_as_a_table_and_comes_back(document):
    kept = cleaned(document)
    assume(kept is not None)
    assert cleaned(ROWS.judged(ROWS.read(as_csv(kept["units"])), BREAKING_POINT)) == kept


HEAD = "name,type,strength,combat,weapons,shield,starves\n"


BROKEN = [
    ("Foot,infantry,many,5,sword,,", "Line 3, strength: “many” isn’t a whole number."),
    ("Foot,infantry,10,5,sword,perhaps,", "Line 3, shield: enter yes or no."),
    ("Foot,infantry,10,5,sword,,sometimes", "Line 3, starves: enter yes or no."),
    ("Foot,infantry,10,5,sword,,,,more", "Line 3 has more cells than there are columns."),
    ("Foot,infantry,10,5,doom,,", "Line 3 (Foot), weapons: Weapon “doom” not found."),
    ("Foot,unicorns,10,5,sword,,", "Line 3 (Foot), type: Choose one of: infantry"),
    ("Foot,infantry,0,5,sword,,", "Line 3 (Foot), strength: Enter a whole number from 1"),
    (",infantry,10,5,sword,,", "Line 3 (), name: Enter a name"),
]  # fmt: skip


def test_a_broken_line_is_named():
    for row, said in BROKEN:
        with pytest.raises(InvalidInput) as refused:
            ROWS.judged(ROWS.read(f"{HEAD}Horse,cavalry,50,5,sword,yes,\n{row}\n"), BREAKING_POINT)
        assert str(refused.value).startswith(said), row
        assert {pointer for pointer, _message in refused.value.errors} == {"/table"}, row


def test_yes_and_no_are_read_in_both_languages():
    (line,) = ROWS.read(f"{HEAD}Foot,infantry,10,5,sword,oui,non\n")
    assert (line.unit["shield"], line.unit["starves"]) == (True, False)
    (line,) = ROWS.read(f"{HEAD}Foot,infantry,10,5,sword,no,\n")
    assert "shield" not in line.unit


def test_the_page_names_the_line_and_leaves_what_stood_there(marches):
    bench = Bench(marches.ana, f"/armies/{marches.watch.pk}/edit/")
    bench.redraw(read=1, table=f"{HEAD}Horse,cavalry,50,5,sword,yes,\nFoot,infantry,0,5,doom,,\n")
    assert bench.status == 422
    told = beside(bench.markup, "table")
    assert "Line 3 (Foot), strength" in told
    assert "Line 3 (Foot), weapons: Weapon “doom” not found." in told
    assert bench.fields["units-0-name"] == ["First cohort"]
    assert "Horse,cavalry,50" in bench.markup, "and what was pasted"
