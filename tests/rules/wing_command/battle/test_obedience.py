"""Obedience: rulings W-8, W-16, W-30, W-37, W-44, W-55, W-58."""

from __future__ import annotations

from rules.wing_command.battle.obedience import Nearness, duty_of
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record.state import FIT, ROUTED
from tests.rules.wing_command.fights import LAW, Table, army, open_ground, side_viewer

FAR = {"Chief a": "A14", "Chief b": "P1"}


def table(*troops, foes=("foot:Foe",), terrain=(), order="attack", **places):
    rows = {"map_": open_ground(terrain=terrain)} if terrain else {}
    wings = army("a", 0, *(troops or ("foot:Reds",))), army("b", 1, *foes)
    return Table(*wings, places={**FAR, **places}, order=order, **rows)


def duty(now, name="Reds"):
    return duty_of(now.state, now.ids[name])


# attack


def test_attack_a_unit_that_can_reach_nobody_must_end_nearer():
    now = table(Reds="C14", Foe="C4")
    assert duty(now).kind == "nearer"
    now.refused(now.act("Reds"), "closer to the nearest enemy")
    now.refused(now.act("Reds", "B14"), "closer to the nearest enemy")
    now.do(now.act("Reds", "C13"))


def test_w_30_if_it_can_reach_an_enemy_or_a_shot_it_must_attack_which_one_is_free():
    now = table(foes=("foot:Foe", "foot:Two"), Reds="C9", Foe="C7", Two="D7")
    assert duty(now).kind == "fight"
    now.refused(now.act("Reds", "C8"), "has to fight or shoot")
    assert "Attacked" in now.do(now.act("Reds", "C8", "Two"))
    archers = table("archers:Reds", Reds="C12", Foe="C6")
    archers.refused(archers.act("Reds", "C11"), "has to fight or shoot")


def test_w_30_reach_is_the_move_without_second_effort():
    now = table(Reds="C11", Foe="C6")
    assert duty(now).kind == "nearer"
    near = table(Reds="C10", Foe="C6")
    assert duty(near).kind == "fight"


def test_w_30_a_unit_left_until_last_is_named_by_end_wing():
    now = table(Reds="C14", Foe="C4")
    now.refused(c.EndWing(), "have to obey their order: Reds|has to obey its order: Reds")
    now.do(now.act("Reds", "C13"))
    now.do(c.EndWing())


def test_w_8_nearer_compares_path_costs_so_that_a_river_does_not_hold_a_host_fast():
    rows = ["................"] * 14
    rows[6] = "~~~~~~~~~~~~~~~="
    now = table("riders:Reds", terrain=rows, Reds="C8", Foe="C6")
    near = Nearness(now.state, now.ids["Reds"])
    assert near.of("H8") < near.start
    now.do(now.act("Reds", "H8"))


def test_w_58_by_distance_only_if_its_own_hex_has_no_way():
    rows = ["................"] * 14
    rows[6] = "~~~~~~~~~~~~~~~~"
    now = table(terrain=rows, Reds="C12", Foe="C4")
    near = Nearness(now.state, now.ids["Reds"])
    assert near.by_distance
    assert near.start == 8


def test_w_58_units_and_adjacency_do_not_count():
    now = table("foot:Reds", "foot:Blues", foes=("foot:Foe", "foot:Two"), Reds="C12", Blues="C11", Foe="C4", Two="P14")
    assert Nearness(now.state, now.ids["Reds"]).start == 8


def test_w_58_who_stands_beside_an_enemy_and_can_neither_strike_nor_shoot_obeys_by_standing():
    now = table(foes=("griffins:Foe",), Reds="C8", Foe="C7").set("Foe", posture="high_flight")
    assert not duty(now).compels
    now.do(now.act("Reds"))
    assert now.unit("Reds").acted


def test_w_8_a_bound_unit_beside_an_enemy_fights_or_steps_to_another_if_it_is_not_engaged():
    now = table(foes=("foot:Foe", "foot:Two"), Reds="C8", Foe="C7", Two="E8")
    assert "Attacked" in now.do(now.act("Reds", "D8", "Two"))
    engaged = table(foes=("foot:Foe", "foot:Two"), Reds="C8", Foe="C7", Two="E8").engage("Reds", "Foe")
    engaged.refused(engaged.act("Reds", "D8", "Two"), "engaged unit can’t move")


def test_if_it_cannot_obey_it_stays():
    rows = ["AAA" + "." * 13, "A.A" + "." * 13, "AAA" + "." * 13] + ["................"] * 11
    now = table(terrain=rows, Reds="B2", Foe="H8")
    assert duty(now).kind == "stay"
    now.refused(now.act("Reds", exit=True), "Only a wing ordered to retreat")
    now.do(now.act("Reds"))


def test_w_56_who_cannot_obey_in_the_posture_it_held_stays_even_if_it_could_fly_to_an_enemy():
    rows = ["AAA" + "." * 13, "A.A" + "." * 13, "AAA" + "." * 13] + ["................"] * 11
    now = table("griffins:Reds", terrain=rows, Reds="B2", Foe="E2")
    assert duty(now).kind == "stay"
    now.refused(now.act("Reds", "D2", "Foe", posture="close_flight"), "has to stay where it is")


def test_wc_9_4_who_walks_and_comes_back_has_not_stayed():
    rows = ["AAAA" + "." * 12, "A..A" + "." * 12, "AAAA" + "." * 12] + ["................"] * 11
    now = table(terrain=rows, Reds="C2", Foe="H8")
    assert duty(now).kind == "stay"
    now.refused(c.UnitAct(now.ids["Reds"], path=("B2", "C2")), "has to stay where it is")


def test_a_unit_with_a_special_order_does_as_it_likes():
    now = table(Reds="C9", Foe="C7").set("Reds", special=True, freed=True)
    assert duty(now).kind == "free"
    now.do(now.act("Reds", "C11"))
    assert "MarkerGone" in [type(event).__name__ for event in now.events]


def test_an_engaged_unit_moves_only_under_retreat_or_with_a_special_order():
    """WC-9.5."""
    free = table(Reds="C8", Foe="C7").engage("Reds", "Foe").set("Reds", special=True, freed=True)
    free.do(free.act("Reds", "C10"))
    assert free.unit("Reds").foes == frozenset()
    held = table(Reds="C8", Foe="C7", order="advance").engage("Reds", "Foe")
    held.refused(held.act("Reds", "C10"), "engaged unit can’t move")


# Wings


def two_wings():
    wings = army("a", 0, "foot:Reds"), army("x", 0, "foot:Blues"), army("b", 1, "foot:Foe")
    places = {"Reds": "C14", "Blues": "H14", "Foe": "C1", **FAR, "Chief x": "H14"}
    return Table(*wings, places=places, wing="")


def test_w_37_which_wing_is_next_is_free_each_owners_own_and_the_first_command_counts():
    now = two_wings()
    own = side_viewer(now.state, 0)
    assert now.legal(viewer=own).able
    x_only = type(own)(armies=frozenset({"x"}))
    assert LAW.allows(now.state, c.TakeWing("x"), x_only)
    assert not LAW.allows(now.state, c.TakeWing("a"), x_only), "the chief takes none of another's"
    now.do(c.TakeWing("x"))
    now.refused(c.TakeWing("a"), "A wing is acting")


def test_w_17_only_the_activated_wing_acts_and_a_wing_without_able_units_is_skipped():
    now = two_wings()
    now.refused(now.act("Reds"), "First choose a wing to act")
    now.do(c.TakeWing("x"))
    now.refused(now.act("Reds"), "Only units of the acting wing can act")
    now.do(now.act("Blues", "H13"))
    now.do(c.EndWing())
    assert now.state.side == 1, "the sides alternate"
    now.refused(c.TakeWing("a"), "It’s the other side’s turn to choose a wing")
    routed = two_wings().set("Reds", morale=ROUTED).set("Chief a", morale=ROUTED)
    routed.refused(c.TakeWing("a"), "No unit of this wing can act")


def test_w_55_end_wing_is_the_only_end_of_an_activation():
    now = two_wings()
    now.do(c.TakeWing("a"))
    now.do(now.act("Reds", "C13"))
    now.do(now.act("Chief a"))
    assert now.state.wing == "a"
    now.do(c.EndWing())
    assert now.state.wing == ""


def test_w_55_a_unit_freed_stays_free_for_the_whole_turn():
    now = table(Reds="C9", Foe="C7").set("Reds", special=True, freed=True)
    now.do(now.act("Reds"))
    assert not now.unit("Reds").special
    assert duty(now).kind == "free"


def test_a_side_without_wings_left_waits_and_then_comes_the_rout_phase():
    now = two_wings().wing("b", done=True)
    now.do(c.TakeWing("a"))
    now.do(now.act("Reds", "C13"))
    now.do(c.EndWing())
    assert (now.state.phase, now.state.side) == ("action", 0)
    now.do(c.TakeWing("x"))
    now.do(now.act("Blues", "H13"))
    now.do(c.EndWing())
    assert now.state.phase == "rout"
    assert now.unit("Reds").morale == FIT
