"""A CR survives the spreadsheet it went through."""

from __future__ import annotations

import pytest

from armies.pathfinder.unit_types.unit_files import MONTHS, PARTS, SIGNS, format_rating, read_rating
from rules.core.errors import InvalidInput
from rules.pathfinder.spec import LOW, parse_cr

WRITTEN = {
    "1/2": (
        "1/2|½|1⁄2|0.5|0,5|.5|0.50|0 1/2| 1/2 |2-Jan|02-Jan|Jan-02|2. Jan|2 Jan 26|01-févr|1-Feb|01-févr.|1. Februar|"
        "01/02/2026|02/01/2026|2026-01-02|2026-02-01|01/02/26|1.2.|1.2.2026|2-janv|2. Jän."
    ),
    "1/3": "1/3|⅓|0.33|0,333|0.3333333|0.33333333333333|3-Jan|01-mars|1-Mar|1. März|01.03.2026",
    "1/4": "1/4|¼|0.25|0,25|4-Jan|01-avr|1-Apr|2026-01-04",
    "1/6": "1/6|⅙|0.17|0.16|0,167|0.1666666667|6-Jan|01-juin|1-Jun",
    "1/8": "1/8|⅛|0.125|0,125|0.13|0.12|8-Jan|01-août|1-Aug",
    "1": "1|1.0|1,0|1.00",
    "12": "12|12.0",
}
NONE = [
    "", "0.3", "0.2", "0.1", "0.0", "0", "1-Jan", "2-Feb", "1.5", "1.2", "1,3", "3/4", "2/4", "1/5", "1/7", "01-juil",
    "5-Jan", "Guard", "46024", "1/2/3/4",
]  # fmt: skip


@pytest.mark.parametrize("cr", WRITTEN)
def test_a_cr_is_read_as_whatever_became_of_it(cr):
    for text in WRITTEN[cr].split("|"):
        assert read_rating(text) == cr, text


@pytest.mark.parametrize("text", NONE)
def test_what_is_no_cr_is_made_none(text):
    read = read_rating(text)
    with pytest.raises(InvalidInput):
        parse_cr(read)


def test_every_part_goes_out_as_a_sign_and_comes_back():
    assert set(SIGNS) == set(LOW) == set(PARTS.values())
    assert set(MONTHS.values()) - {1} == set(PARTS)
    for cr in (*LOW, "1", "20"):
        assert read_rating(str(format_rating(cr))) == cr
        assert "/" not in str(format_rating(cr))


def test_no_day_is_two_ratings():
    """Either order of its numbers: read as month and day, and as day and month, at most one is a CR."""
    for month in range(1, 13):
        for day in range(1, 32):
            dates = (f"{month:02}/{day:02}/2026", f"{day:02}.{month:02}.2026", f"2026-{month:02}-{day:02}")
            least, most = sorted((month, day))
            part = [PARTS[most]] if least == 1 and most in PARTS else []
            assert sorted({read_rating(date) for date in dates} & set(LOW)) == part
