"""Losses after a battle and quiet weeks: C-6, C-7, and the fates of TF-4.7."""

from __future__ import annotations

from itertools import product

import pytest

from rules.thucidide_fantasy.documents import ArmyToll, after_battle, death_from, fate, fates_of, rested
from rules.thucidide_fantasy.figures import Tables
from rules.thucidide_fantasy.ruleset import THUCIDIDE_FANTASY

DOCUMENTS = THUCIDIDE_FANTASY.armies
LAW = Tables()
PIKE = {"type": "pike"}


def army(*units, characters=()):
    return DOCUMENTS.value_of({"units": list(units), "characters": list(characters)})


def written(sheet):
    return DOCUMENTS.read(DOCUMENTS.shape.write(sheet))


def test_c_6_stands_lost_are_written_down():
    sheet = army(PIKE, {**PIKE, "lost": 1}, {**PIKE, "stands": 6}, PIKE)
    after = after_battle(sheet, ArmyToll({0: 3, 1: 2, 2: 6}), LAW, 1)
    assert written(after)["units"] == [{**PIKE, "lost": 1}, {**PIKE, "lost": 2}, {**PIKE, "stands": 6}, PIKE]


def test_c_6_healed_stands_are_no_losses():
    after = after_battle(army({**PIKE, "lost": 2}), ArmyToll({0: 4}), LAW, 1)
    assert written(after)["units"] == [PIKE]


@pytest.mark.parametrize(("won", "left"), [(True, [{**PIKE, "lost": 3}, PIKE]), (False, [PIKE])])
def test_c_6_a_destroyed_unit_stays_with_one_stand_if_its_side_won_else_it_leaves(won, left):
    after = after_battle(army(PIKE, PIKE), ArmyToll({0: 0, 1: 4}, won=won), LAW, 1)
    assert written(after)["units"] == left


@pytest.mark.parametrize(("survivors", "left"), [(0, None), (2, [{**PIKE, "lost": 2}]), (9, [PIKE])])
def test_c_6_a_campaign_sets_how_many_stands_such_a_unit_keeps(survivors, left):
    after = after_battle(army(PIKE), ArmyToll({0: 0}, won=True), LAW, survivors)
    assert (after and written(after)["units"]) == left


def test_c_6_of_a_destroyed_unit_no_more_stands_are_left_than_entered_the_battle():
    after = after_battle(army({**PIKE, "lost": 2}), ArmyToll({0: 0}, won=True), LAW, 3)
    assert after
    assert written(after)["units"] == [{**PIKE, "lost": 2}]


def test_c_6_an_army_without_units_is_none():
    assert after_battle(army(PIKE), ArmyToll({0: 0}), LAW, 1) is None
    assert after_battle(army({"type": "tigers"}), ArmyToll({0: 0}, won=True), LAW, 1) is not None


def test_c_6_the_dead_and_the_captured_leave_the_document_and_their_undead_find_another_master():
    cast = [{"name": "Ivo", "kind": "caster"}, {"name": "Una", "kind": "caster"}]
    sheet = army({"type": "ghouls", "master": "Ivo"}, {"type": "zombies", "master": "Una"}, characters=cast)
    after = written(after_battle(sheet, ArmyToll({}, gone=("Ivo",)), LAW, 1))
    assert after["units"] == [{"type": "ghouls"}, {"type": "zombies", "master": "Una"}]
    assert after["characters"] == [{"name": "Una", "kind": "caster"}]


def test_c_7_a_week_without_battle_gives_one_stand_back_to_each_unit():
    sheet = army({**PIKE, "lost": 2}, {**PIKE, "lost": 1}, PIKE)
    assert [unit.lost for unit in rested(sheet).units] == [1, 0, 0]
    assert [unit.lost for unit in rested(sheet, 5).units] == [0, 0, 0]
    assert rested(sheet, 0) == sheet


@pytest.mark.parametrize(("stands_back", "lost"), [(0, 3), (1, 2), (3, 0)])
def test_c_7_a_campaign_sets_how_many(stands_back, lost):
    law = THUCIDIDE_FANTASY.with_house({"stands_back": stands_back})
    assert law.armies.rested({"units": [{**PIKE, "lost": 3}]}) == {"units": [{**PIKE, "lost": lost} if lost else PIKE]}


@pytest.mark.parametrize(("stands", "counts"), [(0, (0, 0, 1)), (1, (1, 2, 3)), (2, (11, 16, 9)), (3, (91, 98, 27))])
def test_fates_are_those_of_the_law(stands, counts):
    """TF-4.7: of 6, 36 and 216."""
    assert tuple(fates_of(stands).values()) == counts
    thrown = [fate(dice) for dice in product(range(1, 7), repeat=stands)]
    assert {slug: thrown.count(slug) for slug in fates_of(stands)} == fates_of(stands)


@pytest.mark.parametrize(("dice", "shown"), [([6], 6), ([6, 2], 6), ([6, 6], 5), ([6, 6, 6], 4), ([6] * 9, 1)])
def test_death_is_a_point_easier_for_each_further_six(dice, shown):
    """TF-4.7."""
    assert death_from(dice) == shown
