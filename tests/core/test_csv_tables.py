"""Cells of CSV files: numbers are numbers, and no text is a formula, wherever it would begin."""

from __future__ import annotations

import csv
import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from core.csv_tables import format_cell, format_csv, uncell
from tests.everyday import at_most


@pytest.mark.parametrize(
    "value, shown",
    [
        (-3, -3), (2.5, 2.5), (None, ""), ("bread", "bread"), ("−12", "−12"), ("’Tis", "’Tis"), ("'Tis", "'Tis"),
        ("a=b", "a=b"), ("=1+1", "'=1+1"), ("+1", "'+1"), ("-3", "'-3"), ("@SUM(A1)", "'@SUM(A1)"), ("\tx", "'\tx"),
        ("\rx", "'\rx"), ("\nx", "'\nx"), ("  =1", "'  =1"), ('"=1', '\'"=1'), ("'=1", "''=1"), ("“ =1", "'“ =1"),
        ("＝1", "'＝1"), ("＋1", "'＋1"), ("－1", "'－1"), ("＠x", "'＠x"), ("\u200b=1", "'\u200b=1"),
        ("\ufeff=1", "'\ufeff=1"),
        ("Guard;=1+1", "Guard;'=1+1"), ("a, -2", "a,' -2"), ("a\t=1", "a\t'=1"), ("a\r\n=1", "a\r'\n'=1"),
        ("'\tx", "''\tx"),
        ("Guard; b=c, d", "Guard; b=c, d"), ("a;'@b", "a;''@b"), ("a\n\nb", "a\n\nb"),
        ("\xa0=1", "'\xa0=1"), (["@a", 2], "'@a, 2"), (["bread", "=1"], "bread,' =1"), (True, "True"),
    ],
)  # fmt: skip
def test_a_cell_is_no_formula(value, shown):
    assert format_cell(value) == shown


@given(
    st.text(st.characters(exclude_categories=["Cs"], exclude_characters="\0\r"), max_size=6)
    | st.text("='\"+ a＝;,\t\n\u0338", max_size=12)
)
def test_what_is_written_is_read_back(text):
    written = format_csv(["name"], [[text], ["end"]])
    rows = list(csv.reader(io.StringIO(written, newline="")))
    assert uncell((rows[1] or [""])[0]) == text


@pytest.mark.parametrize("written", ",;\t")
@pytest.mark.parametrize("opened", ",;\t")
@given(text=st.text("=+'\" a;,\t\n", max_size=12))
def test_no_cell_begins_a_formula_whatever_parts_the_cells(text, written, opened):
    file = format_csv(["name", "note"], [["first", text]], written)
    for row in csv.reader(io.StringIO(file, newline=""), delimiter=opened):
        assert not any(found.lstrip(' "\t\n').startswith(tuple("=+")) for found in row)


def test_a_long_text_of_separators_is_read_in_time_that_grows_with_it():
    text = "\t" * at_most(30_000, full=300_000) + "=1"
    assert uncell(format_cell(text)) == text
