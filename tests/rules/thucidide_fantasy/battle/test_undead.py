"""Undead (TF-5, T-10, T-11, T-33, T-77, T-79, T-81, T-92 … T-94)."""

from __future__ import annotations

from rules.adjustments import LastingAdjustment
from rules.hexbattle.field import Grave
from rules.hexbattle.ground import Timer, apart
from rules.thucidide_fantasy.battle.record import commands as c
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record import fold
from rules.thucidide_fantasy.battle.spells.aiming import choices, filled_up, why_not_aim
from rules.thucidide_fantasy.battle.undead import prey_of
from rules.thucidide_fantasy.contingent import ContingentCharacter
from tests.rules.thucidide_fantasy.fights import Table, army, open_ground

FAR = {"Chief a": "A11", "Chief b": "M1"}
CARDS = ("animate-dead", "dust-warriors", "army-of-the-dead", "turn", "counterspell")
MAGE = ContingentCharacter("Mage", "caster", points=20, cards=CARDS)
LICH = ContingentCharacter("Lich", "caster", points=20, cards=CARDS)


def table(*units, foes=("pike:Foe",), places, people=(MAGE,), rivals=(LICH,), phase="spells", adjusted=(), **more):
    mine, theirs = army("a", 0, *units, people=people), army("b", 1, *foes, people=rivals, adjustments=adjusted)
    places = FAR | {"Foe": "M2", "Lich": "M3", "Mage": "E8"} | places
    now = Table(mine, theirs, places=places, phase=phase, **more)
    return now.set("Mage", announced=True) if phase == "spells" else now


def test_undead_go_no_farther_than_4_hexes_from_their_master():
    """TF-5.1, TF-T 8."""
    now = table("skeleton-riders:Own", places={"Own": "E6"}, phase="movement")
    now.refused(now.moving("Own", "E3"), "within 4 hexes of their master")
    now.move("Own", "E4")


def test_t_92_undead_beyond_may_only_come_nearer_and_crumble_at_the_turns_end():
    now = table("skeletons:Own", places={"Own": "E2"}, phase="movement")
    now.refused(now.moving("Own", "F1"), "Undead too far from their master can only move closer")
    now.move("Own", "E3")
    now.end(2)
    assert now.gone("Own") == "crumbled"
    assert now.id("Own") in now.state.fallen[0]


def test_t_92_who_followed_stays():
    now = table("skeletons:Own", places={"Own": "E3"}, phase="movement")
    now.move("Own", "E4")
    now.end(2)
    assert now.gone("Own") == ""


def test_undead_vanish_when_their_master_leaves_the_table():
    """TF-5.1, T-10: a captured master has left it. T-18: they count for the enemy."""
    now = table("pike:Own", foes=("skeletons:Foe",), places={"Own": "E6", "Lich": "E5", "Foe": "E2"}, phase="combat")
    now.attack("Own", "Lich")
    now.do(c.FleeTo(now.id("Lich"), "E5"))
    assert now.gone("Lich") == "captured"
    assert now.gone("Foe") == "crumbled"
    assert now.state.fallen[1] == {now.id("Foe")}


def test_t_24_the_leash_stops_a_retreat():
    now = table("engine:Own", foes=("zombies:Foe",), places={"Own": "E9", "Foe": "E6", "Lich": "E10"}, phase="combat")
    now.state = now.state.but(options=now.state.options)
    from rules.thucidide_fantasy.battle.combat.retreat import step_home

    assert step_home(now.state, now.id("Foe"), "E6") == ""
    now.put("Lich", "E4")
    assert step_home(now.state, now.id("Foe"), "E6") != ""


# Raising (TF-5.3)


def dead(now, name="Foe", at="E6", seen=(True, True)):
    """A unit that was destroyed on a hex."""
    field = now.state.field.put(now.id(name), at="", gone="destroyed")
    from dataclasses import replace

    now.now(field=replace(field, graves=(Grave(at, now.id(name), seen),)))
    return now.set(name, stands=0)


def test_t_81_901_gives_back_zombies_with_the_weapons_of_the_fallen():
    now = dead(table("pike:Own", foes=("crossbows:Foe", "pike:Rest"), places={"Own": "A9", "Rest": "M9"}))
    now.cast("Mage", "animate-dead", "E6", "Foe")
    risen = now.event(e.Summoned).unit
    assert (risen.own.type, risen.own.shot, risen.own.melee, risen.own.weight) == ("zombies", 2, 2, 3)
    assert risen.master == now.id("Mage")
    assert risen.summoned


def test_t_81_their_range_is_that_of_the_weapon_without_the_adjustment_of_the_fallens_army():
    adjusted = (LastingAdjustment("range", 3, "high ground"), LastingAdjustment("dice", 2, "blessed"))
    places = {"Own": "A9", "Rest": "M9"}
    now = dead(table("pike:Own", foes=("crossbows:Foe", "pike:Rest"), places=places, adjusted=adjusted))
    assert now.unit("Foe").own.range == 7
    now.cast("Mage", "animate-dead", "E6", "Foe")
    own = now.event(e.Summoned).unit.own
    assert (own.range, own.shot, own.adjustments) == (4, 2, ())  # TF-1.14


def test_901_where_nothing_died_and_t_11_each_grave_once():
    """TF-T 8."""
    now = dead(table("pike:Own", foes=("crossbows:Foe", "pike:Rest"), places={"Own": "A9", "Rest": "M9"}))
    now.refused(now.casting("Mage", "animate-dead", "E7", "Foe"), "No unit that could return was destroyed on this hex")
    now.cast("Mage", "animate-dead", "E6", "Foe")
    now.set("Mage", cast=False, cards=CARDS)
    now.refused(now.casting("Mage", "animate-dead", "E6", "Foe"), "isn’t empty")
    zombies = now.event(e.Summoned).token.id
    now.now(field=now.state.field.put(zombies, at="A1"))
    now.refused(now.casting("Mage", "animate-dead", "E6", "Foe"), "No unit that could return was destroyed on this hex")


def test_902_skeletons_appear_within_two_and_act_from_the_next_turn():
    now = table("pike:Own", places={"Own": "A9"})
    now.refused(now.casting("Mage", "dust-warriors", "E5"), "too far")
    now.refused(now.casting("Mage", "dust-warriors", "E8"), "isn’t empty")
    now.cast("Mage", "dust-warriors", "E6")
    token = now.event(e.Summoned).token
    assert (token.at, token.side, token.counted) == ("E6", 0, False)
    assert not now.state.units[token.id].doing.activated
    assert "dust-warriors" not in now.person("Mage").cards


def test_903_skeletons_on_four_hexes_in_a_chain():
    now = table("pike:Own", places={"Own": "A9"})
    now.refused(now.casting("Mage", "army-of-the-dead", "E7", "E6", "E5", "A1"), "too far|four empty")
    now.refused(now.casting("Mage", "army-of-the-dead", "E7", "E6", "E5", "G7"), "four empty")
    now.cast("Mage", "army-of-the-dead", "E7", "F7", "G7", "H7")
    assert len(now.all(e.Summoned)) == 4


def test_t_98_page_and_engine_player_find_the_same_chains():
    """A chain may grow at both ends, and turn."""
    rows = ["A" * 13] * 5 + [
        "A" * 4 + "..." + "A" * 6,
        "A" * 5 + "." + "A" * 7,
        "A" * 5 + "." + "A" * 7,
        *["A" * 13] * 3,
    ]
    now = table("pike:Own", places={"Own": "A9", "Mage": "F8", "Foe": "M2"}, map_=open_ground(terrain=rows))
    mage, spell = now.id("Mage"), "army-of-the-dead"
    filled = filled_up(now.state, mage, spell, ("F6",))
    assert len(filled) == 4
    assert why_not_aim(now.state, mage, spell, filled) is None
    assert filled in set(choices(now.state, mage, spell))


def test_h_8_ids_of_what_is_raised_tell_nothing():
    now = table("pike:Own", places={"Own": "A9"})
    before = set(now.state.field.tokens)
    now.cast("Mage", "dust-warriors", "E6")
    new = (set(now.state.field.tokens) - before).pop()
    assert new.startswith("a:")
    assert len(new) == len(now.id("Own"))


def test_t_18_summoned_units_count_for_nothing():
    now = table("pike:Own", places={"Own": "A9"})
    now.cast("Mage", "dust-warriors", "E6")
    raised = now.event(e.Summoned).token.id
    now.do(c.Override(raised, "stands", 0, "dust"))
    assert now.state.fallen[0] == frozenset()


# Turning (904)


def turned(**places):
    spots = {"Mage": "E8", "Own": "A9", "Foe": "E6", "Mate": "E5", "Lich": "M3"} | places
    return table("pike:Own", foes=("skeletons:Foe", "bows:Mate"), places=spots)


def test_t_33_904_attacks_a_former_friend_at_once_and_in_two_spell_phases():
    now = turned(Lich="C5")
    now.put("Lich", "K6")
    now.cast("Mage", "turn", "Foe", attack="gb")
    assert now.unit("Mate").stands == 2
    assert now.state.side_of(now.id("Foe")) == 0
    now.end()
    assert now.state.side == 1
    now.end(3)
    now.end(3)
    assert now.state.phase == "spells"
    now.refused(c.EndPhase(), "must act first")
    now.do(c.TurnAttack(now.id("Foe"), now.id("Mate")), attack="fl")
    now.end()
    assert now.gone("Foe") == ""
    now.end(3)
    now.put("Mate", "M9")
    now.end(3)
    now.end()
    assert now.gone("Foe") == "crumbled"
    assert now.state.fallen[1] == {now.id("Foe")}


def test_904_goes_for_the_former_master_if_he_is_near():
    """TF-5.3, T-77: who is with a unit is attacked through it."""
    now = turned(Lich="E4")
    now.refused(now.casting("Mage", "turn", "Foe", now.id("Mate")), "valid target")
    now.cast("Mage", "turn", "Foe")
    assert now.state.fight.asks == "flee"
    now = turned(Lich="E5")
    now.cast("Mage", "turn", "Foe", attack="gg")
    assert now.event(e.CombatOpened).target == now.id("Mate")


def test_t_77_turned_undead_walk_up_to_three_hexes_as_an_assault():
    now = turned(Mate="E3")
    now.put("Lich", "K6")
    now.cast("Mage", "turn", "Foe", attack="aa")
    assert now.at("Foe") in ("E4", "D4", "F4")
    assert now.unit("Mate").stands == 2


def test_t_77_it_is_an_assault_too_where_they_walked_round_a_wall():
    """HX-2.3: over the wall there is no melee, though the hexes are beside each other."""
    walled = open_ground() | {"edges": [{"between": ["E5", "E6"], "obstacle": "wall"}]}
    for map_, stands in ((walled, 2), (open_ground(), 4)):
        now = table("pike:Own", foes=("skeletons:Foe", "bows:Mate"), map_=map_,
                    places={"Own": "A9", "Foe": "E6", "Mate": "E5", "Lich": "K6"})  # fmt: skip
        now.cast("Mage", "turn", "Foe", attack="aa")
        assert (now.at("Foe") != "E6") == (stands == 2)
        assert now.unit("Mate").stands == stands


def test_904_goes_on_when_the_former_master_is_gone():
    """TF-5.3, T-93: turned undead have no master who could leave them."""
    now = turned(Lich="E7")
    now.put("Lich", "K6")
    now.cast("Mage", "turn", "Foe", attack="gg")
    now.do(c.AppealByGm(now.id("Lich")), divine=[4, 5])
    assert now.gone("Lich")
    assert not now.gone("Foe")


def test_t_79_904_names_undead_of_the_enemy_only():
    now = turned()
    now.refused(now.casting("Mage", "turn", "Mate"), "valid target")
    now.refused(now.casting("Mage", "turn", "Own"), "valid target")


def test_t_93_counterspell_on_904_gives_it_back_or_it_crumbles():
    for lich, gone in (("C6", ""), ("M3", "crumbled")):
        now = turned(Lich="K6")
        now.cast("Mage", "turn", "Foe", attack="gg")
        now.put("Lich", lich).set("Mage", cast=False)
        now.cast("Mage", "counterspell", "Foe", "turn")
        assert now.gone("Foe") == gone
        assert now.state.side_of(now.id("Foe")) == 1


def test_t_94_who_is_with_a_turned_unit_leaves_it():
    rival = ContingentCharacter("Rival", "hero", "medium", melee=2, resistance=3)
    now = table("pike:Own", foes=("skeletons:Foe", "bows:Mate"), rivals=(LICH, rival),
                places={"Own": "A9", "Foe": "E6", "Mate": "E4", "Rival": "E6", "Lich": "K6"})  # fmt: skip
    now.cast("Mage", "turn", "Foe", attack="gg")
    assert now.at("Rival") not in ("E6", "")


def test_t_94_a_hero_who_flies_leaves_over_any_ground():
    """T-50: homeward first, over water too."""
    rival = ContingentCharacter("Rival", "hero", "medium", melee=2, resistance=3, traits=("flyer",))
    water = open_ground(terrain=["............."] * 4 + ["~~~~~~~~~~~~~"] + ["............."] * 6)
    now = table("pike:Own", foes=("skeletons:Foe",), rivals=(LICH, rival), map_=water,
                places={"Own": "A9", "Foe": "E6", "Rival": "E6", "Lich": "K6"})  # fmt: skip
    now.cast("Mage", "turn", "Foe")
    assert now.at("Rival") == "F5"


def test_tf_5_3_turned_undead_retreat_without_the_leash_of_their_former_master():
    """T-33: they have no master anymore."""
    lich = LICH._replace(cards=("vade-retro",))
    places = {"Own": "A8", "Mage": "A9", "Foe": "E7", "Lich": "E4"}
    now = table("pike:Own", foes=("skeletons:Foe",), rivals=(lich,), places=places)
    now.state = fold.after(now.state, e.Turned(now.id("Foe"), now.id("Mage"), 3))
    now.now(side=1).set("Lich", announced=True)
    now.cast("Lich", "vade-retro", "Foe")
    assert (now.at("Foe"), apart("D9", "E4")) == ("D9", 5)


def test_tf_7_turned_undead_under_a_gods_bell_do_nothing():
    now = turned(Lich="K6")
    now.cast("Mage", "turn", "Foe", attack="gg")
    now.end(7)
    foe = now.id("Foe")
    assert (now.state.side, now.state.phase, bool(prey_of(now.state, foe, 0))) == (0, "spells", True)
    now.now(field=now.state.field.timed([Timer("divine-bell", (now.at("Foe"),), "", 1, "spells", 2)]))
    now.refused(c.TurnAttack(foe, now.id("Mate")), "Choose one of")
    now.end()


def test_t_33_no_order_moves_turned_undead():
    """They stand until they attack."""
    now = turned(Lich="K6")
    now.cast("Mage", "turn", "Foe", attack="gg")
    now.end()
    now.end(3)
    assert (now.state.side, now.state.phase) == (0, "command")
    now.now(counters=(9, 9))
    for kind in ("forced-march", "woodsman", "courier"):
        now.refused(c.GiveOrder(kind, now.id("Foe")), "This unit is turned against its own side")


def test_turned_undead_are_activated_by_nobody():
    now = turned(Lich="K6")
    now.cast("Mage", "turn", "Foe", attack="gg")
    now.end()
    now.refused(c.ActivateUnits(now.id("Chief b"), (now.id("Foe"),)), "characters on the map")


def test_tf_5_3_who_is_with_undead_is_not_named_as_their_prey():
    """T-94: they leave before it attacks."""
    now = turned(Lich="E6")
    foe = now.id("Foe")
    now.refused(now.casting("Mage", "turn", "Foe", foe), "valid target")
    assert foe not in {prey for _unit, *preys in choices(now.state, now.id("Mage"), "turn") for prey in preys}


def test_t_77_undead_that_may_be_turned_walk_as_the_side_that_turns_them():
    """TF-6.3: over its nature, not over that of their former side."""
    now = turned(Mate="E4", Lich="M3")
    foe, mate = now.id("Foe"), now.id("Mate")
    row = tuple(f"{column}5" for column in "ABCDEFGHIJKLM")
    assert mate in prey_of(now.state, foe, 0)
    now.now(field=now.state.field.timed([Timer("allied-nature", row, "", 1, "spells", 2)]))
    assert prey_of(now.state, foe, 0) == ()
