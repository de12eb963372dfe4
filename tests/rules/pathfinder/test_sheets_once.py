"""What a ruleset has reckoned of an army before it does not reckon again, and tells the same."""

from __future__ import annotations

from dataclasses import fields, replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.errors import InvalidInput, Refusal
from rules.pathfinder import ruleset
from rules.pathfinder.ruleset import COMBAT_DE_MASSE
from rules.pathfinder.sheet import army_sheet
from rules.pathfinder.spec import ArmySpec, BoonChoice, CommanderSpec, UnitSpec
from tests.everyday import at_most
from tests.rules.pathfinder.strategies import armies

LAW = COMBAT_DE_MASSE
UNIT = {"name": "Witches", "cr": "3", "abilities": [{"ability": "immunity", "options": {"to": ["fear"]}}]}


@settings(max_examples=at_most(6, full=settings.default.max_examples))
@given(st.lists(armies("Ironwatch"), min_size=2, max_size=6))
def test_a_sheet_is_the_same_whoever_was_reckoned_before(specs):
    law = LAW.with_house({})
    assert [law.sheet(spec) for spec in (*specs, *specs)] == [army_sheet(LAW, spec) for spec in (*specs, *specs)]


def test_whatever_is_changed_of_an_army_is_another_question():
    """No two armies that differ in anything are told alike, however little it is."""
    army = ArmySpec("a", "A", UnitSpec("Spears", "1"), 100, commander=CommanderSpec("c", "C"))
    other = {"count": 200, "resources": {"potions": 1}, "morale": 1, "hp": 3, "arrears": True, "mount": None}
    asked = {repr(replace(army, **{name: value})) for name, value in other.items()} | {repr(army)}
    assert len(asked) == len(other)  # `mount` is as it was
    assert all(f"{field.name}=" in repr(army) for field in fields(army))


def test_it_is_reckoned_once_and_few_are_remembered(monkeypatch):
    monkeypatch.setattr(ruleset, "REMEMBERED", 2)
    law, army = LAW.with_house({}), ArmySpec("a", "A", UnitSpec("Spears", "1"), 100)
    assert law.sheet(army) is law.sheet(army)
    for count in (200, 500):
        law.sheet(replace(army, count=count))
    assert len(law._sheets) <= 2


WOUNDED = {"om", "dv", "morale_check"}  # figures that a wound may change


@given(armies("Ironwatch"), st.integers(0, 400))
def test_of_a_hurt_army_all_else_is_as_if_it_were_unhurt(spec, hp):
    """So pages tell it before they ask how hurt an army is."""
    hurt, unhurt = (replace(spec, hp=one) for one in (hp, None))
    assert kept_by_wounds(hurt) == kept_by_wounds(unhurt)


@pytest.mark.parametrize("boon", LAW.boons)
def test_so_it_is_whatever_its_commander_can(boon):
    leader = CommanderSpec("c", "C", level=20, charisma_modifier=9, boons=(BoonChoice(boon),))
    army = ArmySpec("a", "A", UnitSpec("Spears", "3"), 500, commander=leader)
    assert kept_by_wounds(replace(army, hp=1)) == kept_by_wounds(army)


def kept_by_wounds(army: ArmySpec) -> list[object]:
    sheet = army_sheet(LAW, army)
    figures = {field.name: getattr(sheet, field.name) for field in fields(sheet) if field.name not in WOUNDED}
    prices = [LAW.price(army, slug) for slug in LAW.resources]
    return [figures, prices, list(LAW.bonus_tactics(army)), [unfit(army, slug) for slug in LAW.resources]]


def unfit(army: ArmySpec, slug: str) -> object:
    try:
        return LAW.refuse_resource(army, slug)
    except Refusal as refusal:
        return str(refusal)


def test_a_unit_that_is_remembered_is_not_the_row_s():
    """What is done to the row afterwards changes nothing of it, and what is refused is refused again."""
    law, data = LAW.with_house({}), {**UNIT, "abilities": [dict(UNIT["abilities"][0])]}
    known = law.unit(data)
    before = repr(known)
    data["abilities"][0]["options"]["to"].append("poison")
    assert repr(known) == before
    for _time in range(2):
        with pytest.raises(InvalidInput):
            law.unit({"name": "Nobody", "cr": "none"})
