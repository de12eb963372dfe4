"""What an army has taken and brings along (B-49, B-59)."""

from __future__ import annotations

import pytest

from rules.breaking_point import losses
from rules.breaking_point.documents import clean_army
from rules.core.errors import InvalidInput

UNIT = {"name": "Foot", "type": "infantry", "strength": 10, "combat": 1, "weapons": ["sword"]}


def test_guns_of_one_unit_are_counted_together_and_of_a_share_the_greater_stands():
    held = [losses.guns("Guard", "Guns", 3), losses.baggage("Guard", 50)]
    more = [losses.guns("Guard", "Guns", 2), losses.baggage("Guard"), losses.stores("Ker")]
    assert losses.added(held, more) == [losses.guns("Guard", "Guns", 5), losses.baggage("Guard"), losses.stores("Ker")]


def test_what_is_taken_stands_in_the_army_s_document_as_it_was_kept():
    taken = [losses.guns("Guard", "Guns", 3), losses.stores("Ker")]
    assert clean_army({"units": [UNIT], "spoils": taken})["spoils"] == taken
    assert "spoils" not in clean_army({"units": [UNIT], "spoils": []})


@pytest.mark.parametrize(
    ("given", "pointer"),
    [
        ("guns", "/spoils"),
        ([{"what": "gold", "of": "Guard"}], "/spoils/0/what"),
        ([{"what": "pieces", "of": "Guard", "name": "Guns", "count": 0}], "/spoils/0/count"),
        ([{"what": "baggage", "of": "", "share": 101}], "/spoils/0/of"),
        ([{"what": "stores", "of": "Ker", "weight": 3}], "/spoils/0/weight"),
        ([{}] * 61, "/spoils"),
    ],
)
def test_what_is_no_booty_is_pointed_at(given, pointer):
    with pytest.raises(InvalidInput) as refused:
        clean_army({"units": [UNIT], "spoils": given})
    assert pointer in [at for at, _said in refused.value.errors]


def test_each_thing_is_told_in_a_few_words():
    told = [str(losses.in_words(one)) for one in (losses.guns("Guard", "Guns", 3), losses.baggage("Guard", 50),
                                                  losses.baggage("Guard"), losses.stores("Ker"))]  # fmt: skip
    assert told == [
        "guns taken from Guns (Guard): 3", "half the baggage of Guard", "all the baggage of Guard", "the stores of Ker",
    ]  # fmt: skip
