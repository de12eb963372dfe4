"""The aftermath: documents, fates, who is routed (C-6, TF-4.7, TF-9)."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.core.errors import IllegalCommand, InvalidInput
from rules.hexbattle.field import Ended
from rules.thucidide_fantasy.battle.aftermath import CampaignArmy, CampaignWorld
from rules.thucidide_fantasy.battle.law import FantasyBattles
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.contingent import ContingentCharacter
from rules.thucidide_fantasy.documents import ContingentDocuments
from rules.thucidide_fantasy.figures import Tables
from rules.thucidide_fantasy.spec import House
from tests.rules.thucidide_fantasy.fights import LAW, Loaded, Table, army

CHIEFS = {"Chief a": "A11", "Chief b": "M1"}
HERO = ContingentCharacter("Hero", "hero", "medium", melee=2, resistance=3)
DOCUMENTS = ContingentDocuments(Tables(), House())
DOCUMENT = DOCUMENTS.read({
    "units": [{"type": "pike", "name": "Own"}, {"type": "bows", "name": "Archers"}],
    "characters": [{"name": "Hero", "kind": "hero", "armour": "medium", "melee": 2, "resistance": 3}],
})  # fmt: skip


def table(winner=0):
    now = Table(army("a", 0, "pike:Own", "bows:Archers", people=(HERO,)), army("b", 1, "pike:Foe"),
                places={"Own": "E6", "Archers": "F6", "Hero": "E6", "Foe": "E5"} | CHIEFS)  # fmt: skip
    return now, lambda: now.now(field=replace(now.state.field, ended=Ended(winner, "enough-destroyed")))


def world(**more):
    whole = DOCUMENTS.measure(DOCUMENT)
    army_ = CampaignArmy(DOCUMENT, "ready", whole.fit, whole.health, whole.upkeep)
    return CampaignWorld({"a": army_}, DOCUMENTS.measure, {"c-a": "alive"} | more)


def proposed(now, choices=None, **faces):
    return LAW.aftermath(now.state, world(), choices or {}, Loaded("", **faces))


def changes(sequel):
    return {(change.subject_kind, change.field): change.after for change in sequel.changes}


def test_there_is_no_aftermath_before_the_end():
    now, _end = table()
    with pytest.raises(IllegalCommand, match="isn’t over yet"):
        proposed(now)


def test_lost_stands_are_written_down():
    now, end = table()
    now.set("Own", stands=1)
    end()
    found = changes(proposed(now))
    assert found["army", "sheet"]["units"][0]["lost"] == 3
    assert found["army", "health"] == 5


def test_a_destroyed_unit_stays_with_one_stand_if_its_side_won_and_leaves_if_it_lost():
    for winner, units in ((0, 2), (1, 1)):
        now, end = table(winner)
        now.do(c.Override(now.id("Archers"), "stands", 0, "it fell"))
        end()
        found = changes(proposed(now))
        assert len(found["army", "sheet"]["units"]) == units
        assert found.get(("army", "status")) == (None if winner == 0 else "routed")


def test_an_army_without_units_is_defeated():
    now, end = table(1)
    for name in ("Own", "Archers"):
        now.do(c.Override(now.id(name), "stands", 0, "it fell"))
    end()
    assert changes(proposed(now))["army", "status"] == "defeated"


@pytest.mark.parametrize(("dice", "text"), [((3, 1), "escapes"), ((5, 1), "is wounded"), ((1, 4), "is wounded")])
def test_fates_of_who_lost_stands(dice, text):
    """TF-4.7: one die for each, the highest counts."""
    now, end = table()
    now.set("Hero", left=1)
    end()
    found = proposed(now, fate=dice)
    assert any(text in str(note.text) for note in found.notes)
    assert not found.questions


def test_a_six_is_death_or_prison_by_one_more_die_unless_the_gm_says():
    now, end = table()
    now.set("Hero", left=1)
    end()
    found = proposed(now, fate=(6, 1), death=(6,))
    assert found.questions[0].chosen == "killed"
    assert "characters" not in changes(found)["army", "sheet"] or not changes(found)["army", "sheet"]["characters"]
    assert proposed(now, fate=(6, 1), death=(5,)).questions[0].chosen == "captured"
    assert proposed(now, fate=(6, 6), death=(5,)).questions[0].chosen == "killed"
    key = found.questions[0].key
    assert proposed(now, {key: "captured"}, fate=(6, 1), death=(6,)).questions[0].chosen == "captured"
    with pytest.raises(InvalidInput, match="Choose one of: killed, captured"):
        proposed(now, {key: "promoted"}, fate=(6, 1), death=(6,))


@pytest.mark.parametrize(("survivors", "units"), [(0, ["Archers"]), (3, ["Own", "Archers"])])
def test_c_6_stands_left_of_a_destroyed_unit_are_those_of_the_battles_house(survivors, units):
    now, end = table()
    now.now(field=now.state.field.put(now.id("Own"), at="", gone="destroyed"))
    end()
    law = FantasyBattles(House(survivors=survivors))
    after = changes(law.aftermath(now.state, world(), {}, Loaded("")))["army", "sheet"]["units"]
    assert [unit["name"] for unit in after] == units
    assert survivors == 0 or after[0]["lost"] == 4 - survivors


@pytest.mark.parametrize(("start", "left", "lost"), [(2, 2, 0), (2, 1, 1), (6, 4, 2), (6, 1, 3)])
def test_c_6_lost_is_what_the_battle_took_where_the_gm_had_set_other_stands(start, left, lost):
    now, end = table()
    now.state = now.state.with_unit(now.id("Own"), start=start, stands=left)
    end()
    units = changes(proposed(now)).get(("army", "sheet"), DOCUMENT)["units"]
    assert units[0].get("lost", 0) == lost


def test_tf_9_a_captured_hero_is_told_without_dice_even_if_he_lost_resistance():
    now, end = table()
    now.set("Hero", left=1).now(field=now.state.field.put(now.id("Hero"), at="", gone="captured"))
    end()
    found = proposed(now)
    assert [str(note.text) for note in found.notes] == ["Hero is captured."]
    assert not found.rolls


def test_a_captured_commander_is_captured():
    now, end = table(1)
    now.put("Chief a", "D5").put("Archers", "A1").put("Own", "B1").now(side=1).set("Foe", activated=True).put(
        "Foe", "D6"
    )
    now.attack("Foe", "Chief a")
    now.do(c.FleeTo(now.id("Chief a"), "D5"))
    end()
    assert changes(proposed(now))["commander", "status"] == "captured"
    toll = LAW.tolls(now.state).armies
    assert (toll["a"].leader_lost, toll["a"].leader_captured) == (True, True)
    assert (toll["b"].leader_lost, toll["b"].leader_captured) == (False, False)


@pytest.mark.parametrize(("winner", "survivors"), [(0, 1), (1, 0)])
def test_c_4_the_summary_the_losses_and_the_aftermath_have_one_count(winner, survivors):
    """Summoned stands are in none of them; a destroyed unit's survivors are told by a remark."""
    mage = ContingentCharacter("Mage", "caster", points=20, cards=("dust-warriors",))
    now = Table(army("a", 0, "pike:Own", "bows:Archers", people=(mage,)), army("b", 1, "pike:Foe"),
                places={"Own": "E6", "Archers": "F6", "Mage": "D8", "Foe": "E3"} | CHIEFS, phase="spells")  # fmt: skip
    now.set("Mage", announced=True).cast("Mage", "dust-warriors", "D7")
    now.set("Own", stands=1).now(field=now.state.field.put(now.id("Archers"), at="", gone="destroyed"))
    now.now(field=replace(now.state.field, ended=Ended(winner, "enough-destroyed")))
    told = LAW.summary(now.state).armies["a"]
    assert (told.health, told.health_max) == (1, 8)
    assert "not counted" in str(told.besides)
    assert LAW.tolls(now.state).armies["a"].lost == Fraction(7, 8)
    sequel = proposed(now)
    assert changes(sequel)["army", "health"] == told.health + survivors
    assert [note.text.params for note in sequel.notes] == [{"unit": "Archers", "count": 1}][:survivors]
