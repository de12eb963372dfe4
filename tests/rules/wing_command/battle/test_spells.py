"""Spells: rulings W-7, W-28, W-29, W-53, and WC-7."""

from __future__ import annotations

from dataclasses import replace
from random import Random

import pytest

from rules.core.dice import Rolled
from rules.hexbattle.ground import BOTH, Timer
from rules.wing_command.battle.combat import Setting, sum_of
from rules.wing_command.battle.player import next_command
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import END, FIT, ROUTED, SHAKEN
from rules.wing_command.battle.run import Run
from rules.wing_command.battle.spells import casting_test, spell_targets
from rules.wing_command.battle.turn import commanders, end_turn
from rules.wing_command.wing import WingCharacter
from tests.rules.wing_command.fights import LAW, Table, army, open_ground, side_viewer


def table(art, *, spell="", foes=("foot:Foe",), terrain=(), level=6, **places):
    ash = WingCharacter("Ash", "mage", art=art, level=level)
    wings = army("a", 0, "foot:Reds", characters=(ash,)), army("b", 1, *foes)
    at = {"Reds": "A14", "Chief a": "A14", "Ash": "C10", "Foe": "C6", "Chief b": "P1", **places}
    rows = {"map_": open_ground(terrain=terrain)} if terrain else {}
    now = Table(*wings, places=at, phase="command", **rows)
    return now.set("Ash", spell=spell) if spell else now


def cast(now, target, **faces):
    now.do(c.CastSpell(now.ids["Ash"]), spell=(1, 1))
    now.do(c.Aim(now.ids.get(target, target)), **faces)
    return now


def targets(now, spell):
    names = {unit: name for name, unit in now.ids.items()}
    return {names.get(one, one) for one in spell_targets(now.state, now.ids["Ash"], spell)}


def test_aptitude_is_level_minus_difficulty_plus_pentacle():
    """WC-7.2."""
    now = table("fire", level=3)
    assert casting_test(now.state, now.ids["Ash"], "fire-wall").limit == 5
    assert casting_test(now.state, now.ids["Ash"], "firebolt").limit == 7


def test_w_7_choosing_and_casting_need_two_turns():
    now = table("fire")
    now.do(c.ChooseSpell(now.ids["Ash"], "firebolt"))
    now.refused(c.CastSpell(now.ids["Ash"]), "already acted this turn")


def test_w_7_enemies_in_high_flight_count_as_adjacent_infiltrating_ones_only_if_seen():
    now = table("fire", foes=("griffins:Foe",), Foe="C9").set("Foe", posture="high_flight")
    now.refused(c.ChooseSpell(now.ids["Ash"], "firebolt"), "An enemy is next to the caster")


def test_w_53_routed_enemies_count_as_adjacent_for_a_caster():
    now = table("fire", Foe="C9").set("Foe", morale=ROUTED)
    now.refused(c.ChooseSpell(now.ids["Ash"], "firebolt"), "An enemy is next to the caster")


def test_refused_a_spell_of_another_art_or_by_a_shaken_caster():
    now = table("fire")
    now.refused(c.ChooseSpell(now.ids["Ash"], "courage"), "Choose one of: firebolt, fire-wall")
    now.set("Ash", morale=SHAKEN)
    now.refused(c.ChooseSpell(now.ids["Ash"], "firebolt"), "Shaken and routed characters")


def test_w_28_a_cast_that_succeeds_waits_for_its_target_and_nothing_else_goes_on():
    now = table("fire", spell="firebolt")
    now.do(c.CastSpell(now.ids["Ash"]), spell=(1, 1))
    assert now.state.aiming.spell == "firebolt"
    now.refused(c.PassCommand(0), "A spell is waiting for its target")
    now.refused(c.Aim(now.ids["Reds"]), "This isn’t a valid target for the spell")
    (pending,) = LAW.pending(now.state, side_viewer(now.state, 0))
    assert [slug for slug, _name in pending.options] == [now.ids["Foe"]]
    assert LAW.pending(LAW.seen(now.state, side_viewer(now.state, 1)), side_viewer(now.state, 1)) == ()


def test_wc_7_3_on_failure_the_token_stays_and_without_a_target_there_is_no_try():
    now = table("fire", spell="firebolt")
    now.do(c.CastSpell(now.ids["Ash"]), spell=(6, 6))
    assert now.unit("Ash").spell == "firebolt"
    assert now.state.aiming is None
    far = table("fire", spell="firebolt", Foe="C1")
    far.refused(c.CastSpell(far.ids["Ash"]), "has no target now")


def test_w_29_firebolt_is_a_shot_in_all_things():
    now = cast(table("fire", spell="firebolt", Foe="C6"), "Foe", missile=(6, 6))
    told = now.event(e.Attacked)
    assert told.bolt
    labels = {str(line.label): line.value for line in told.lines}
    assert (labels["Shot"], labels["Beyond half range"]) == (4, -1)
    assert now.unit("Ash").spell == ""
    assert now.unit("Ash").stirred
    assert not now.unit("Ash").acted, "it isn't the action's attack"


def test_w_29_courage_names_who_is_shaken_or_routed():
    now = table("spirit", spell="courage", Reds="C12")
    assert targets(now, "courage") == set()
    now.set("Reds", morale=ROUTED).set("Chief a", morale=SHAKEN)
    assert targets(now, "courage") == {"Reds", "Chief a"}
    assert cast(now, "Reds").unit("Reds").morale == SHAKEN
    again = table("spirit", spell="courage", Reds="C12").set("Reds", morale=SHAKEN)
    assert cast(again, "Reds").unit("Reds").morale == FIT


def test_w_29_dread_names_no_routed_troop_and_needs_sight():
    now = table("spirit", spell="dread")
    assert cast(now, "Foe").unit("Foe").morale == SHAKEN
    shaken = table("spirit", spell="dread").set("Foe", morale=SHAKEN)
    assert cast(shaken, "Foe").unit("Foe").morale == ROUTED
    routed = table("spirit", spell="dread").set("Foe", morale=ROUTED)
    assert targets(routed, "dread") == set()
    rows = ["................"] * 14
    rows[7] = "wwwwwwwwwwwwwwww"
    assert targets(table("spirit", terrain=rows), "dread") == set()


def test_w_29_ward_and_tailwind_are_for_friends_the_caster_too_and_do_not_add():
    now = table("spirit", spell="ward", Reds="C12")
    assert {"Ash", "Reds"} <= targets(now, "ward")
    cast(now, "Reds")
    assert [timer.effect for timer in now.state.field.timers] == ["ward"]
    now.put("Foe", "C11")
    twice = now.state.field.timers * 2
    once = sum_of(now.state, now.ids["Foe"], now.ids["Reds"], "melee", Setting("C11")).total
    now.state = now.state.but(field=now.state.field.timed(twice))
    assert sum_of(now.state, now.ids["Foe"], now.ids["Reds"], "melee", Setting("C11")).total == once == -2


def test_w_29_a_wall_of_fire_on_a_free_hex_closes_it_to_all_but_high_flight():
    now = table("fire", spell="fire-wall", Reds="C12")
    assert "C12" not in targets(now, "fire-wall")
    assert "C9" in targets(now, "fire-wall")
    cast(now, "C9")
    assert now.state.field.ground.terrain("C9").slug == "fire"
    now.state = now.state.but(phase="action", wing="a")
    now.refused(now.act("Ash", "C9"), "can’t reach")


def test_w_29_mire_makes_clear_ground_difficult_and_nothing_easier():
    rows = ["................"] * 14
    rows[7] = "~~~~~~~~~~~~~~~~"
    now = cast(table("nature", spell="mire", terrain=rows), "C9")
    ground = now.state.field.ground
    assert ground.terrain("C9").slug == "mire"
    assert ground.terrain("C8").slug == "lake"


def test_h_1_a_mire_stays_in_force_on_a_road_and_no_fire_makes_way_for_it():
    rows = ["................"] * 14
    rows[8] = "..w............."  # C9, with a road through it
    roads = {"roads": [["C10", "C9", "C8"]]}
    now = table("nature", spell="mire", Ash="D12")
    field = now.state.field
    ground = field.ground.changed({"terrain": rows, **roads})
    now.state = now.state.but(field=replace(field, ground=ground))
    now.put("Reds", "C10")
    now.state = now.state.but(phase="action", wing="a")
    assert next(step.cost for step in now.legal("Reds").steps if step.hex == "C9") == 1
    now.state = now.state.but(phase="command", wing="")
    cast(now, "C9")
    now.state = now.state.but(phase="action", wing="a")
    assert next(step.cost for step in now.legal("Reds").steps if step.hex == "C9") == 2
    fire = Timer("fire-wall", ("C8",), "", BOTH, END, 1, (("C8", "fire"),))
    burnt = now.state.field.timed((fire, *now.state.field.timers))
    assert burnt.ground.terrain("C8").slug == "fire"
    assert burnt.timed(now.state.field.timers).ground.terrain("C8").slug == "mire"


def turn_ends(now):
    run = Run(now.state.but(phase="rout"), Rolled())
    end_turn(run)
    now.state = run.state
    return now


@pytest.mark.parametrize(("art", "spell", "target", "turns"), [
    ("spirit", "ward", "Ash", 2), ("nature", "tailwind", "Ash", 1), ("fire", "fire-wall", "C9", 2),
])  # fmt: skip
def test_w_29_effects_act_on_both_sides_and_end_with_the_end_phase_named(art, spell, target, turns):
    now = cast(table(art, spell=spell), target)
    for _turn in range(turns):
        assert now.state.field.timers
        turn_ends(now)
    assert not now.state.field.timers


def test_tailwind_adds_2_to_the_move():
    now = cast(table("nature", spell="tailwind"), "Ash")
    now.state = now.state.but(phase="action", wing="a")
    now.do(now.act("Ash", "J10"))
    assert now.at("Ash") == "J10"


def test_wc_11_a_chosen_spell_is_its_owners_secret():
    now = table("fire")
    now.do(c.ChooseSpell(now.ids["Ash"], "firebolt"))
    own, other = side_viewer(now.state, 0), side_viewer(now.state, 1)
    told = now.event(e.SpellChosen)
    assert LAW.witnessed(now.state, told, own).spell == "firebolt"
    assert LAW.witnessed(now.state, told, other).spell == ""
    assert LAW.seen(now.state, other).units[now.ids["Ash"]].spell == ""
    assert LAW.seen(now.state, own).units[now.ids["Ash"]].spell == "firebolt"
    tried = e.SpellTried(now.ids["Ash"], "firebolt", (), (), 9, False)
    assert LAW.witnessed(now.state, tried, other)[1:5] == ("", (), (), 0)


def test_wc_9_3_a_caster_whose_arts_spells_are_all_switched_off_has_nothing_to_do_in_the_command_phase():
    """WC-9.3, WC-HOUSE: refused to prepare a spell, and their side passes by itself."""
    now = table("fire")
    now.state = now.state.but(options=now.state.options._replace(difficulties={"ward": 1}))
    now.refused(c.ChooseSpell(now.ids["Ash"], "firebolt"), "This character can’t cast spells")
    assert now.ids["Ash"] not in commanders(now.state, 0)
    assert isinstance(next_command(now.state, side_viewer(now.state, 0), Random(0)), c.Distribute | c.PassCommand)
