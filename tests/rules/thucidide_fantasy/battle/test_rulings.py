"""Rulings that run through several parts: order of a combat, flyers, fire and characters, free hexes, the GM's hand."""

from __future__ import annotations

import pytest

from rules.hexbattle.common import Destroyed, EffectBegan
from rules.hexbattle.ground import Timer
from rules.thucidide_fantasy.battle.paces import gait_of, reach_of
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.situation import flies, foe_beside, supported
from rules.thucidide_fantasy.contingent import ContingentCharacter
from rules.thucidide_fantasy.grimoire import SPELLS
from rules.thucidide_fantasy.spec import BorneTrait
from tests.rules.thucidide_fantasy.fights import LAW, Table, army, do, open_ground

FAR = {"Chief a": "A11", "Chief b": "M1"}
HERO = ContingentCharacter("Hero", "hero", "medium", melee=2, resistance=3)
MAGE = ContingentCharacter("Mage", "caster", points=500, cards=tuple(SPELLS))


def table(own=("pike:Own",), foes=("foot-medium:Foe",), people=(), rivals=(), places=None, **more):
    mine, theirs = army("a", 0, *own, people=people), army("b", 1, *foes, people=rivals)
    return Table(mine, theirs, places=FAR | {"Own": "E6", "Foe": "E5"} | (places or {}), **more)


def burn(now, at):
    """A hex burns, lit by the first side this turn."""
    timer = Timer("lit", (at,), now.id("Own"), 0, "spells", 3, ((at, "fire"),))
    now.now(field=now.state.field.timed((*now.state.field.timers, timer)))
    return now


def test_t_23_the_order_of_a_combat():
    """Dice, letters, confirmations, stands off, flags, retreat; then no riposte of who moved."""
    now = table(foes=("mammoth:Foe",)).set("Own", start="E9", stirred=True)
    kinds = now.attack("Own", "Foe", attack="rlf", confirm="g")
    assert kinds[:6] == ["CombatOpened", "DiceThrown", "CountersChanged", "DiceThrown", "Confirmed", "StandsLost"]
    assert kinds[6:8] == ["FlagsCounted", "Retreated"]
    assert now.at("Foe") == "E4"


def test_t_23_support_for_flags_counts_when_they_are_counted():
    """The surplus and the stands come first; a defender who is supported stays and strikes back."""
    now = table(foes=("foot-medium:Foe", "pike:L", "pike:R"), places={"L": "D5", "R": "F5"})
    kinds = now.attack("Own", "Foe", attack="fggg", riposte="ggg")
    assert kinds.count("CombatOpened") == 2


def test_flyers_and_ground_units_do_not_support_each_other():
    """TF-1.10."""
    now = table(("pike:Own", "pike:Mate", "dragon:Fly"), places={"Mate": "D6", "Fly": "F6"})
    assert not supported(now.state, now.id("Own"))
    now.set("Fly", traits=())
    assert supported(now.state, now.id("Own"))


def test_t_47_a_character_in_a_flyers_hex_is_carried_and_a_hero_with_trait_4_flies():
    now = table(("dragon:Own",), people=(HERO,), places={"Hero": "E6"}, phase="movement")
    assert flies(now.state, now.id("Hero"))
    now.move("Own", "E3")
    assert now.at("Hero") == "E3"
    now.put("Hero", "E9")
    assert not flies(now.state, now.id("Hero"))
    now.set("Hero", traits=(BorneTrait("flyer"),))
    assert gait_of(now.state, now.id("Hero")).air
    assert not any(spell.trait == "flyer" for spell in SPELLS.values())


def test_t_50_flyers_mind_neither_fire_nor_walls_nor_nature():
    rows = ["............."] * 4 + ["....w........"] + ["............."] * 6
    now = burn(table(("dragon:Own", "bows:Foot"), places={"Foe": "M9", "Foot": "F6"}, phase="movement",
                     map_=open_ground(terrain=rows)), "E5")  # fmt: skip
    assert "E5" in reach_of(now.state, now.id("Own"))
    assert "E5" not in reach_of(now.state, now.id("Foot"))


def test_t_68_a_hero_alone_in_a_lit_hex_loses_one_and_all_leave():
    rows = ["............."] * 4 + ["....w........"] + ["............."] * 6
    now = table(people=(MAGE,), foes=("pike:Far",), rivals=(HERO, ContingentCharacter("Sage", "useful")),
                places={"Own": "A9", "Mage": "E8", "Far": "M9", "Hero": "E5", "Sage": "E5"}, phase="spells",
                map_=open_ground(terrain=rows))  # fmt: skip
    now.set("Mage", announced=True)
    now.cast("Mage", "rain-of-fire", "E5", spell="gagg")
    assert now.person("Hero").left == 2
    assert now.at("Hero") != "E5"
    assert now.at("Sage") != "E5"


def test_t_50_a_hero_who_flies_alone_minds_no_fire():
    """T-68: only who stands on the ground loses one and leaves."""
    rows = ["............."] * 4 + ["....w........"] + ["............."] * 6
    kai = HERO._replace(name="Kai", traits=("flyer",))
    now = table(people=(MAGE,), foes=("pike:Far",), rivals=(HERO, kai), phase="spells", map_=open_ground(terrain=rows),
                places={"Own": "A9", "Mage": "E8", "Far": "M9", "Hero": "E5", "Kai": "E5"})  # fmt: skip
    now.set("Mage", announced=True)
    now.cast("Mage", "rain-of-fire", "E5", spell="gagg")
    assert now.person("Hero").left == 2
    assert now.at("Hero") != "E5"
    assert (now.person("Kai").left, now.at("Kai")) == (3, "E5")


def test_a_lit_hex_burns_for_two_turns():
    """TF-1.14, T-36: of the side that lit it."""
    now = burn(table(places={"Foe": "M9"}), "E5")
    assert now.state.field.ground.terrain("E5").footing == "impassable"
    now.end(1)
    now.end(3)
    now.end(3)
    assert now.state.field.timers
    now.end(3)
    now.end(3)
    assert not now.state.field.timers
    assert now.state.field.ground.terrain("E5").footing == "clear"


def test_t_12_what_is_raised_needs_a_free_passable_hex():
    rows = ["............."] * 6 + ["....~........"] + ["............."] * 4
    now = table(people=(MAGE,), places={"Own": "F7", "Mage": "E8", "Foe": "M9"}, phase="spells",
                map_=open_ground(terrain=rows))  # fmt: skip
    now.set("Mage", announced=True)
    now.refused(now.casting("Mage", "dust-warriors", "E7"), "isn’t empty")
    now.refused(now.casting("Mage", "dust-warriors", "F7"), "isn’t empty")


def test_t_10_the_leash_is_checked_after_a_spell_moves_the_master():
    now = table(("skeletons:Own",), people=(MAGE,), places={"Own": "E6", "Mage": "E8", "Foe": "M9"}, phase="spells")
    now.do(c.Override(now.id("Mage"), "at", "A1", "carried off"))
    now.end()
    assert now.gone("Own") == "crumbled"


def test_t_8_a_flyer_beside_threatens_and_other_characters_do_not():
    now = table(people=(MAGE,), foes=("dragon:Foe",), places={"Own": "A9", "Mage": "E6", "Foe": "E5", "Chief b": "F6"})
    assert foe_beside(now.state, now.id("Mage"))
    now.put("Foe", "M9")
    assert not foe_beside(now.state, now.id("Mage"))


def test_t_18_what_its_own_sides_spell_destroys_counts_for_the_enemy():
    now = table(people=(MAGE,), places={"Own": "E6", "Mage": "E8", "Foe": "M9"}, phase="spells")
    now.set("Mage", announced=True).set("Own", stands=1)
    now.cast("Mage", "rain-of-fire", "E6", spell="rrgg")
    assert now.event(Destroyed).unit == now.id("Own")
    assert now.state.fallen[0] == {now.id("Own")}


def test_t_16_a_grove_covers_the_units_hex():
    """HX-5.4: it is a wood over the map, and blocks sight like one."""
    now = table(people=(MAGE,), places={"Own": "E6", "Mage": "E8"}, phase="spells").set("Mage", announced=True)
    now.cast("Mage", "grove", "Own")
    assert now.event(EffectBegan).effect.lays == (("E6", "wood"),)


# The GM's hand (TF-9)


def test_overrides_set_a_state_with_a_reason():
    now = table()
    own = now.id("Own")
    now.do(c.Override(own, "stands", 2, "rain"))
    assert now.unit("Own").stands == 2
    now.do(c.Override(own, "at", "B2", "lost"))
    assert now.at("Own") == "B2"
    now.do(c.Override(own, "melee", 6, "blessed"))
    assert now.unit("Own").own.melee == 6
    now.do(c.Override("1", "counters", 9, "found"))
    assert now.state.counters == (0, 9)
    now.do(c.Override(own, "fought", True, "tired"))
    assert now.unit("Own").doing.fought


def test_overrides_make_leaders_and_heroes_and_give_points_in_the_battle():
    """TF-9: what a hero has lost stays lost; of a caster the points left are set."""
    mage = ContingentCharacter("Mage", "caster", points=20)
    now = table(people=(mage,), places={"Mage": "E8"})
    chief, caster = now.id("Chief a"), now.id("Mage")
    now.do(c.Override(caster, "points", 7, "tired"))
    assert (now.state.people[caster].points, now.state.people[caster].own.points) == (7, 20)
    now.do(c.Override(caster, "resistance", 3, "a charm"))
    now.do(c.Override(caster, "left", 1, "hurt"))
    now.do(c.Override(caster, "resistance", 5, "a better charm"))
    hero = now.state.people[caster]
    assert (hero.own.hero, hero.start, hero.left, hero.points) == (True, 5, 3, 7)
    now.do(c.Override(chief, "level", "great", "inspired"))
    assert now.state.people[chief].own.level == "great"
    now.do(c.Override(chief, "rank", "", "disgraced"))
    assert (now.state.people[chief].rank, now.state.people[chief].own.level) == ("", "")
    assert now.event(e.Overridden).seen == (True, False), "its enemies aren't told whom it makes a leader"
    now.refused(c.Override(chief, "points", 3, "why"), "This character can’t cast spells")
    now.refused(c.Override(chief, "level", "great", "why"), "give them a rank first")
    now.refused(c.Override(caster, "rank", "king", "why"), "Choose one of")


@pytest.mark.parametrize(
    ("what", "field", "value", "words"),
    [("Own", "stands", 9, "from 0 to 4"), ("Own", "stands", 2.5, "from 0 to 4"), ("Own", "moon", 1, "Unknown field"),
     ("Own", "at", "E5", "occupied"), ("Own", "at", "Z99", "isn’t on the map"),
     ("nobody", "stands", 1, "Choose a unit"),
     ("2", "counters", 1, "side 0 or 1"), ("Own", "fought", 3, "true or false"),
     ("Own", "temper", "brave", "Choose one")],
)  # fmt: skip
def test_overrides_that_are_refused(what, field, value, words):
    now = table()
    now.refused(c.Override(now.id(what), field, value, "why"), words)
    now.refused(c.Override(now.id("Own"), "stands", 1, " "), "1 to 300 characters")


def test_the_gm_ends_a_battle():
    from rules.hexbattle.ending import End

    now = table()
    state, _events = do(now.state, End(1, "It is late."))
    assert state.field.ended.winner == 1
    assert LAW.outcome(state).reason == "It is late."


def test_a_unit_that_is_gone_is_not_overridden():
    now = table()
    now.do(c.Override(now.id("Foe"), "stands", 0, "gone"))
    now.refused(c.Override(now.id("Foe"), "stands", 1, "back"), "has left the battle")
    assert now.event(e.Overridden).reason == "gone"


def test_t_45_and_t_65_are_told_with_their_rules():
    """Every line of a combat names its rule for the codex."""
    now = table()
    now.attack("Own", "Foe", attack="rgl")
    told = [LAW.describe(now.state, event) for event in now.events]
    assert [entry.rule for entry in told if entry.type == "combat-opened"] == ["TF-1.8"]
    assert any(entry.type == "counters-changed" and entry.rule == "TF-1.13" for entry in told)
