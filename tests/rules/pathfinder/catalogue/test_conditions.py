"""A condition that asks for a mark, or for a condition of the battlefield, by an unknown name is refused at once."""

from typing import Any, get_args

import pytest

from rules.pathfinder.catalogue.conditions import CONDITIONS, MARKS
from rules.pathfinder.catalogue.effects import GroundKind, In, Marked, MarkKind


def test_every_mark_of_the_law_can_be_asked_for_and_no_other():
    assert set(get_args(MarkKind.__value__)) == MARKS.keys()


def test_what_is_asked_of_the_ground_is_one_of_its_conditions():
    assert set(get_args(GroundKind.__value__)) <= CONDITIONS.keys()


@pytest.mark.parametrize("ask, name", [(Marked, "sings-for-allies"), (In, "on-waters"), (Marked, ""), (In, "smite")])
def test_a_misspelt_name_is_refused_at_once(ask: Any, name: str):
    with pytest.raises(ValueError, match=f"no .* {name!r}"):
        ask(name)
