"""Battles are reckoned in other processes: what goes over has to arrive as it was."""

import pickle

import pytest

from rules.breaking_point.ruleset import BREAKING_POINT
from tests.rules.breaking_point.battle.random_fights import drawn


@pytest.mark.parametrize("seed", range(6))
def test_a_battle_goes_to_another_process_as_it_is(seed):
    law, opening = drawn(seed)
    sent = (law.check(opening), law.freeze(law.open(law.check(opening))), BREAKING_POINT.house)
    assert pickle.loads(pickle.dumps(sent)) == sent
