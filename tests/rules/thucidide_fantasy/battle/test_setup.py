"""Setup of thucidide-fantasy: options, figures, traits, cards, attaching, start, reinforcements (TF-9, T-35, T-97)."""

from __future__ import annotations

from dataclasses import replace

import pytest

from rules.core.errors import InvalidInput
from rules.core.viewers import OMNISCIENT, Viewer
from rules.hexbattle.ground import Timer, apart
from rules.hexbattle.setup import Place, SetReady, Start
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.contingent import DARK_CARDS, REALM_CARDS, ContingentCharacter, ContingentUnit
from rules.thucidide_fantasy.spec import BorneTrait
from tests.rules.thucidide_fantasy.fights import (
    LAW,
    Loaded,
    Table,
    army,
    begun,
    deployed,
    do,
    open_ground,
    opening,
    side_viewer,
)

MAGE = ContingentCharacter("Mage", "caster")


def setup(*units, people=(MAGE,), rivals=(MAGE,), **more):
    mine = army("a", 0, *(units or ("pike:Own", "bows:Other")), people=people)
    return LAW.open(opening(mine, army("b", 1, "pike:Foe", people=rivals), **more))


def named(state, name, side=0):
    return next(one for one, token in state.field.tokens.items() if str(token.name) == name and token.side == side)


def refused(state, command, words):
    with pytest.raises(Exception, match=words):
        do(state, command)


def test_zones_are_two_rows_deep():
    """H-2."""
    state = setup()
    own = named(state, "Own")
    state, _events = do(state, Place(own, "E10"))
    refused(state, Place(own, "E9"), "outside your side’s zone")


def test_hx_6_1_a_line_up_uses_all_the_room_of_a_small_zone():
    """HX-6.1, TF-1.1: a unit joins a character who stands there alone; a second unit finds no room."""
    state = setup("pike:Own", "bows:Other", map_=open_ground() | {"zones": [["E11"], ["E1"]]})
    state, _events = do(state, Place(named(state, "Mage"), "E11"))
    state, _events = do(state, c.DeployArmies(("a",)))
    assert sorted(state.token(named(state, name)).at for name in ("Own", "Other")) == ["", "E11"]
    refused(state, c.DeployArmies(("a",)), "no room")


def test_t_97_the_map_is_at_least_9_by_12():
    with pytest.raises(InvalidInput, match="The map needs at least 9 hexes in one direction and 12 in the other"):
        setup(map_=open_ground(11, 11))
    setup(map_=open_ground(9, 12))


def test_options_are_checked_and_kept():
    state = setup()
    state, _events = do(state, c.SetOption("combat", "table"))
    assert state.options.combat == "table"
    refused(state, c.SetOption("combat", "cards"), "Choose one of: engine, table")
    refused(state, c.SetOption("turn_limit", 2), "from 4 to 30")
    refused(state, c.SetOption("moon", 2), "Choose one of")


def test_figures_and_traits_by_the_gm():
    state = setup()
    own = named(state, "Own")
    state, _events = do(state, c.EditUnit(own, {"stands": 6, "melee": 5}))
    assert (state.units[own].stands, state.units[own].start, state.units[own].own.melee) == (6, 6, 5)
    state, _events = do(state, c.GrantTrait(own, "invulnerable", object="Old shield"))
    assert state.units[own].own.traits[-1].object == "Old shield"
    refused(state, c.GrantTrait(own, "fanatic"), "Choose one of")
    refused(state, c.GrantTrait(own, "invulnerable"), "Choose one of")
    refused(state, c.GrantTrait(own, "armour", on=False), "Choose one of: invulnerable")
    state, (taken, *_silences) = do(state, c.GrantTrait(own, "invulnerable", on=False))
    assert str(LAW.describe(state, taken).text) == "The GM takes a trait away from Own: Invulnerability."
    assert state.units[own].own.traits == ()
    refused(state, c.GrantTrait(own, "invulnerable", on=False), "Nothing to remove")
    refused(state, c.EditUnit(own, {"melee": 99}), "from 0 to 12")


def test_t_35_cards_stay_chosen_when_the_gm_sets_figures_as_far_as_the_points_go():
    state = setup()
    mage = named(state, "Mage")
    state, _events = do(state, c.ChooseCards(mage, ("fear", "terror")))
    state, _events = do(state, c.EditUnit(mage, {"move": 4}))
    assert (state.people[mage].cards, state.people[mage].own.move) == (("fear", "terror"), 4)
    state, _events = do(state, c.EditUnit(mage, {"points": 3}))
    assert state.people[mage].cards == ("fear", "terror")
    state, _events = do(state, c.EditUnit(mage, {"points": 2}))
    assert (state.people[mage].cards, state.people[mage].points) == ((), 2)
    state, _events = do(deployed(state), Start(), Loaded(lot=(6, 1)))
    assert state.people[mage].cards, "who has none at the start gets a set"


def test_tf_8_a_commander_is_a_hero_or_a_caster_too_where_the_gm_says_so():
    """TF-8, TF-4.2, T-48: with resistance a hero, with points a caster, without a rank no leader."""
    state = setup()
    chief = named(state, "Chief a")
    assert state.generals[0] == chief
    state, _events = do(state, c.EditUnit(chief, {"resistance": 4, "points": 5}))
    own = state.people[chief].own
    assert (own.hero, own.melee, own.weight, own.move, own.casts) == (True, 2, 3, 2, True)
    assert (state.people[chief].left, state.people[chief].rank, own.kind) == (4, "general", "leader")
    state, _events = do(state, c.ChooseCards(chief, ("fear", "terror")))
    state, _events = do(state, c.EditUnit(chief, {"rank": None}))
    assert (state.people[chief].rank, state.people[chief].own.kind, state.generals[0]) == ("", "hero", "")
    assert state.people[chief].cards == ("fear", "terror")
    state, _events = do(state, c.EditUnit(chief, {"rank": "general", "level": "great", "resistance": 0}))
    assert (state.generals[0], state.people[chief].own.hero) == (chief, False)
    refused(state, c.EditUnit(chief, {"rank": "emperor"}), "general, sub-general, senior-officer")
    refused(state, c.EditUnit(chief, {"points": 99}), "from 0 to 20")


def test_t_84_setting_figures_makes_no_second_general():
    armies = army("a", 0, "pike:Own"), army("c", 0, "pike:More"), army("b", 1, "pike:Foe")
    state = LAW.open(opening(*armies))
    second = named(state, "Chief c")
    assert state.people[second].rank == "sub-general"
    state, _events = do(state, c.EditUnit(second, {"move": 5}))
    assert (state.people[second].rank, state.generals[0]) == ("sub-general", named(state, "Chief a"))


def test_a_hindrance_that_is_granted_likes_troops_of_the_battle():
    """T-22."""
    state = setup()
    own = named(state, "Own")
    like = state.units[own].own.type
    state, _events = do(state, c.GrantTrait(own, "hindrance", (like,)))
    assert state.units[own].own.traits[-1].likes == (like,)
    refused(state, c.GrantTrait(own, "invulnerable", (like,)), "Only hindrance can have affinities")
    refused(state, c.GrantTrait(own, "hindrance", ("dragons-of-nowhere",)), "Choose one of")


def test_characters_are_attached_and_put_back():
    """T-97, TF-4.1."""
    state = setup()
    own, mage = named(state, "Own"), named(state, "Mage")
    refused(state, c.AttachCharacter(mage, own), "Place the unit first")
    state, _events = do(state, Place(own, "E11"))
    state, _events = do(state, c.AttachCharacter(mage, own))
    assert state.at(mage) == "E11"
    found = LAW.legal(state, OMNISCIENT, (mage, "", "", "reserve"))
    assert found.confirm.command == Place(mage, "")
    assert [act.slug for act in LAW.legal(state, OMNISCIENT, (own,)).acts] == ["reserve"]
    state, _events = do(state, c.AttachCharacter(mage, None))
    assert state.at(mage) == ""
    assert "reserve" not in [act.slug for act in LAW.legal(state, OMNISCIENT, (mage,)).acts]
    refused(state, c.AttachCharacter(mage, named(state, "Foe", 1)), "Choose a unit of your side")


def test_t_35_a_caster_chooses_cards_within_their_points():
    state = setup()
    mage = named(state, "Mage")
    refused(state, c.ChooseCards(mage, ("army-of-the-dead", "fear")), "cost 7 points; the caster has 6")
    refused(state, c.ChooseCards(mage, ("abracadabra",)), "Spell not found")
    refused(state, c.ChooseCards(named(state, "Own"), ()), "Choose a caster")
    state, events = do(state, c.ChooseCards(mage, ("fear", "fear", "terror")))
    assert state.people[mage].cards == ("fear", "fear", "terror")
    assert LAW.witnessed(state, events[0], side_viewer(state, 1)) is None


def test_t_35_who_has_no_cards_has_a_starter_set_by_side():
    state = deployed(setup())
    state, _events = do(state, Start(), Loaded(lot=(6, 1)))
    assert state.people[named(state, "Mage")].cards == REALM_CARDS
    assert state.people[named(state, "Mage", 1)].cards == DARK_CARDS


def test_t_35_who_chose_no_card_has_the_set_too_and_no_one_where_spells_cost_points():
    state = setup()
    mage = named(state, "Mage")
    state, _events = do(state, c.ChooseCards(mage, ("fear",)))
    state, _events = do(state, c.ChooseCards(mage, ()))
    with_cards, _events = do(deployed(state), Start(), Loaded(lot=(6, 1)))
    assert with_cards.people[mage].cards == REALM_CARDS
    state, _events = do(state, c.SetOption("supply", "points"))
    with_points, _events = do(deployed(state), Start(), Loaded(lot=(6, 1)))
    assert (with_points.people[mage].cards, with_points.people[mage].points) == ((), 6)


def test_t_41_the_gm_says_how_many_units_win():
    state = setup()
    refused(state, c.SetVictory(0, 2), "from 1 to 1")
    state, _events = do(state, c.SetVictory(1, 2))
    state = deployed(state)
    state, _events = do(state, Start(), Loaded(lot=(6, 1)))
    assert state.victory == (1, 2)


def test_all_are_placed_before_a_side_is_ready():
    state = setup()
    refused(state, SetReady(0), "placed yet")
    refused(state, Start(), "placed yet")


def test_t_35_and_t_42_unlike_sides_are_warned_of():
    alike = setup("pike:Own", rivals=(MAGE,))
    assert not LAW.doubts(alike)
    assert any("casters" in str(doubt) for doubt in LAW.doubts(setup("pike:Own", rivals=())))
    many = LAW.open(opening(army("a", 0, *["pike"] * 10), army("b", 1, *["pike"] * 9)))
    assert any("activates more units" in str(doubt) for doubt in LAW.doubts(many))


def test_setup_is_over_once_the_battle_has_begun():
    state = begun(army("a", 0, "pike:Own"), army("b", 1, "pike:Foe"))
    refused(state, c.SetOption("combat", "table"), "has begun already")


def test_an_undead_unit_has_a_master():
    """C-3: unnamed the first caster, else the commander."""
    state = setup("skeletons:Own")
    assert state.units[named(state, "Own")].master == named(state, "Mage")
    state = LAW.open(opening(army("a", 0, "skeletons:Own", chief="Chief"), army("b", 1, "pike")))
    assert state.units[named(state, "Own")].master == named(state, "Chief")


def test_tf_5_1_undead_are_lined_up_within_reach_of_their_master():
    state = LAW.open(opening(army("a", 0, "skeletons:Own", "zombies:More", people=(MAGE,)), army("b", 1, "pike")))
    mage = named(state, "Mage")
    state, _events = do(state, Place(mage, "A11"))
    lined, _events = do(state, c.DeployArmies(("a",)))
    assert all(apart(lined.at(named(lined, one)), "A11") <= 4 for one in ("Own", "More"))
    state, _events = do(state, Place(mage, ""))
    state, _events = do(state, Place(named(state, "Own"), "M11"))
    lined, _events = do(state, c.DeployArmies(("a",)))
    assert apart(lined.at(mage), "M11") <= 4


def test_t_97_reinforcements_enter_on_their_base_line_in_own_command_phases():
    now = Table(army("a", 0, "pike:Own"), army("b", 1, "pike:Foe"),
                places={"Own": "E6", "Foe": "E2", "Chief a": "A11", "Chief b": "M1"}, phase="command")  # fmt: skip
    now.do(c.Reinforce(army("c", 0, "bows:Late", leads=False), 0))
    refused(now.state, c.Reinforce(army("c", 0, "bows:Late", leads=False), 0), "already in the battle")
    late = named(now.state, "Late")
    refused(now.state, Place(late, "E6"), "base line")
    now.do(Place(late, "E11"))
    assert now.state.at(late) == "E11"
    assert now.state.victory == (99, 99)
    now.end()
    now.do(c.Reinforce(army("d", 0, "bows:Later", leads=False), 0))
    refused(now.state, Place(named(now.state, "Later"), "F11"), "own command phase")
    assert now.event(e.ArmyJoined).army.id == "d"


def test_t_97_reinforcements_enter_no_hex_that_an_effect_closes():
    """TF-6.3: the nature that is the enemy's ally."""
    now = Table(army("a", 0, "pike:Own"), army("b", 1, "pike:Foe"),
                places={"Own": "E6", "Foe": "E2", "Chief a": "A11", "Chief b": "M1"}, phase="command")  # fmt: skip
    now.do(c.Reinforce(army("c", 0, "bows:Late", leads=False), 0))
    timer = Timer("allied-nature", ("E11", "F11"), now.id("Chief b"), 1, "spells", 2)
    now.now(field=replace(now.state.field, timers=(timer,)))
    late = named(now.state, "Late")
    refused(now.state, Place(late, "E11"), "can’t stand")
    now.do(Place(late, "G11"))


def test_victory_at_once_and_nothing_follows():
    """TF-1.16, T-41."""
    now = Table(army("a", 0, "riders-medium:Own"), army("b", 1, "pike:Foe", "pike:Next"), victory=1,
                places={"Own": "E6", "Foe": "E5", "Next": "D4", "Chief a": "A11", "Chief b": "M1"})  # fmt: skip
    now.set("Foe", stands=1)
    now.attack("Own", "Foe", attack="rr")
    assert now.state.field.ended.winner == 0
    assert now.state.fight is None
    now.refused(c.EndPhase(), "battle is over")


def test_tf_9_a_character_is_attached_by_whoever_owns_them_not_by_the_units_owner():
    mine, ally = army("a", 0, "pike:Own"), army("c", 0, "pike:Other", people=(MAGE,))
    state = deployed(LAW.open(opening(mine, ally, army("b", 1, "pike:Foe"))))
    command = c.AttachCharacter(named(state, "Mage"), named(state, "Own"))
    assert not LAW.allows(state, command, Viewer(armies=frozenset({"a"})))
    assert LAW.allows(state, command, Viewer(armies=frozenset({"c"})))


def test_hx_6_1_a_flyer_enters_over_any_ground():
    """T-50, T-97."""
    rows = ["............."] * 10 + ["....A........"]
    birds = ContingentUnit("tigers", "Birds", traits=(BorneTrait("flyer"),))
    now = Table(army("a", 0, "pike:Own"), army("b", 1, "pike:Foe"), map_=open_ground(terrain=rows),
                places={"Own": "E6", "Foe": "E2", "Chief a": "A11", "Chief b": "M1"}, phase="command")  # fmt: skip
    now.do(c.Reinforce(army("c", 0, "bows:Late", birds, leads=False), 0))
    refused(now.state, Place(named(now.state, "Late"), "E11"), "can’t stand")
    now.do(Place(named(now.state, "Birds"), "E11"))
    assert now.at("Birds") == "E11"


def test_t_70_who_would_enter_on_a_grove_finds_it_and_waits():
    now = Table(army("a", 0, "pike:Own"), army("b", 1, "pike:Foe"),
                places={"Own": "E6", "Foe": "E11", "Chief a": "A11", "Chief b": "M1"}, phase="command")  # fmt: skip
    now.do(c.Reinforce(army("c", 0, "bows:Late", leads=False), 0))
    grove = Timer("grove", (now.id("Foe"),), "", -1, "grove", 99, (("E11", "wood"),))
    now.now(field=now.state.field.timed([grove]).put(now.id("Foe"), hidden=True))
    kinds = now.do(Place(named(now.state, "Late"), "E11"))
    assert kinds == ["EffectEnded", "Revealed"]
    assert not now.at("Late")
