"""Moving: rulings W-20 to W-23, W-42, W-46, W-54, W-56, H-9, H-10."""

from __future__ import annotations

import pytest

from rules.hexbattle.common import Revealed
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import EXHAUSTED, FRESH, ROUTED, SHAKEN, WINDED
from rules.wing_command.wing import WingTroop
from tests.rules.wing_command.fights import Table, army, open_ground, side_viewer

FAR = {"Foe": "P1", "Chief b": "P1", "Chief a": "A14"}
ENEMY = army("b", 1, "foot:Foe")


def table(*troops, enemy=ENEMY, terrain=(), order="", wing=None, **places):
    own = wing or army("a", 0, *(troops or ("foot:Reds",)))
    rows = {"map_": open_ground(terrain=terrain)} if terrain else {}
    return Table(own, enemy, places={**FAR, **places}, order=order, **rows)


# W-20


def test_w_20_a_bound_troop_that_holds_moves_one_hex_even_next_to_an_enemy_and_then_fights():
    now = table(Reds="C9", Foe="C7", order="hold")
    assert "Attacked" in now.do(now.act("Reds", "C8", "Foe"))
    assert now.event(e.Attacked).charged is False


def test_w_20_refused_two_hexes_or_a_charge():
    now = table("riders:Reds", Reds="C10", Foe="C7", order="hold")
    now.refused(c.UnitAct(now.ids["Reds"], path=("C9", "C8")), "at most 1 hex")
    near = table("riders:Reds", Reds="C9", Foe="C7", order="hold")
    near.refused(near.act("Reds", "C8", "Foe", charge=True), "can’t charge")


def test_w_20_a_troop_that_holds_shoots():
    now = table("archers:Reds", Reds="C10", Foe="C7", order="hold")
    assert "Attacked" in now.do(now.act("Reds", target="Foe", how="missile"))


def test_w_20_advance_is_not_into_adjacency_and_fights_who_is_beside_without_charge():
    now = table(Reds="C9", Foe="C7", order="advance")
    now.refused(now.act("Reds", "C8"), "can’t reach")
    beside = table(Reds="C8", Foe="C7", order="advance")
    beside.do(beside.act("Reds", target="Foe"))
    assert not beside.event(e.Attacked).charged


def test_w_20_advance_comes_back_to_no_hex_beside_an_enemy():
    now = table(Reds="C8", Foe="C7", order="advance")
    now.refused(c.UnitAct(now.ids["Reds"], path=("C9", "C8")), "can’t")
    now.do(now.act("Reds", "C9"))


# W-21


def test_w_21_a_charge_is_a_melee_after_two_hexes_of_one_point_and_tires_after_the_blow():
    now = table("riders:Reds", Reds="C10", Foe="C7")
    kinds = now.do(now.act("Reds", "C8", "Foe"), melee=(3, 3))
    assert now.event(e.Attacked).charged
    assert [line.value for line in now.event(e.Attacked).lines if str(line.label) == "Charge bonus"] == [1]
    assert kinds.index("Attacked") < kinds.index("Tired")
    assert now.unit("Reds").fatigue == WINDED


def test_w_21_it_is_taken_unless_the_player_says_no():
    now = table("riders:Reds", Reds="C10", Foe="C7")
    now.do(now.act("Reds", "C8", "Foe", charge=False), melee=(3, 3))
    assert not now.event(e.Attacked).charged
    assert now.unit("Reds").fatigue == FRESH


@pytest.mark.parametrize(("start", "terrain"), [("C9", ()), ("C10", ("w",))])
def test_w_21_refused_after_one_hex_or_over_difficult_ground(start, terrain):
    rows = ["................"] * 14
    if terrain:
        rows[8] = "wwwwwwwwwwwwwwww"
    now = table("riders:Reds", terrain=rows, Reds=start, Foe="C7")
    now.refused(now.act("Reds", "C8", "Foe", charge=True), "can’t charge")


def test_w_21_a_routed_target_may_be_charged():
    now = table("riders:Reds", Reds="C10", Foe="C7").set("Foe", morale=ROUTED)
    now.do(now.act("Reds", "C8", "Foe", charge=True))
    assert now.event(e.Attacked).charged


# W-22


def test_w_22_a_second_effort_is_half_the_move_again_and_tires():
    now = table(Reds="A14", **{"Chief a": "P14"})
    now.do(now.act("Reds", "E14", effort=True))
    assert now.at("Reds") == "E14"
    assert now.unit("Reds").fatigue == WINDED


def test_w_22_refused_where_it_is_not_needed_too_far_exhausted_or_ending_beside_an_enemy():
    now = table("archers:Reds", Reds="E10", Foe="E5")
    now.refused(now.act("Reds", "E8", effort=True), "doesn’t need a second effort")
    now.refused(now.act("Reds", "J10"), "can’t reach")
    now.refused(now.act("Reds", "E6", effort=True), "A second effort can’t end next to an enemy")
    now.set("Reds", fatigue=EXHAUSTED)
    now.refused(now.act("Reds", "E6", effort=True), "Exhausted units can’t make a second effort")


def test_w_22_it_may_end_with_a_shot_never_with_melee():
    now = table("archers:Reds", Reds="E12", Foe="E6", order="advance")
    kinds = now.do(now.act("Reds", "E8", "Foe", "missile", effort=True))
    assert kinds.index("Tired") < kinds.index("Attacked"), "it tires before the shot"
    assert any(str(line.label) == "The attacker is out of breath" for line in now.event(e.Attacked).lines)
    riders = table("riders:Reds", Reds="C14", Foe="C6")
    riders.refused(riders.act("Reds", "C7", "Foe", effort=True), "can’t end next to|in melee")


# W-23


GRIFFINS = army("a", 0, "griffins:Reds")


def test_w_23_a_posture_costs_nothing():
    now = table(wing=GRIFFINS, Reds="C14", Foe="C1", **{"Chief a": "P14"})
    now.do(now.act("Reds", "C8", posture="high_flight"))
    assert (now.at("Reds"), now.unit("Reds").posture) == ("C8", "high_flight")


def test_w_23_refused_who_cannot_fly_or_is_engaged():
    foot = table(Reds="C14")
    foot.refused(foot.act("Reds", "C13", posture="high_flight"), "can’t take this posture")
    engaged = table(wing=GRIFFINS, Reds="C8", Foe="C7", **{"Chief a": "P14"}).engage("Reds", "Foe")
    engaged.refused(engaged.act("Reds", target="Foe", posture="high_flight"), "can’t take this posture")


def test_w_23_all_units_of_a_hex_fly_high_or_none():
    now = table(wing=GRIFFINS, Reds="C14", Foe="C1", **{"Chief a": "C14"})
    now.refused(now.act("Reds", posture="high_flight"), "in this posture|nearer")
    now.do(now.act("Reds", "C9", posture="high_flight"))
    assert now.at("Chief a") == "C14", "who can’t fly stays"


def test_w_23_melee_is_at_one_height_and_shots_are_free():
    now = table(wing=GRIFFINS, Reds="C8", Foe="C7", **{"Chief a": "P14"}).set("Reds", posture="high_flight")
    now.refused(now.act("Reds", target="Foe"), "at the same height")
    archers = table("archers:Reds", Reds="C9", Foe="C7", enemy=army("b", 1, "griffins:Foe"))
    archers.set("Foe", posture="high_flight")
    assert "Attacked" in archers.do(archers.act("Reds", target="Foe", how="missile"))


def test_w_23_an_exhausted_unit_in_high_flight_lands_before_anything_else():
    now = table(wing=GRIFFINS, Reds="C8", Foe="P1", **{"Chief a": "P14"})
    now.set("Reds", posture="high_flight", fatigue=EXHAUSTED)
    now.refused(c.EndWing(), "have to obey")
    now.refused(now.act("Reds", "C7", posture="high_flight"), "has to land")
    now.do(now.act("Reds", "C7"))
    assert now.unit("Reds").posture == "ground"


def test_w_23_where_it_cannot_land_it_is_shaken_and_that_is_its_action():
    lake = ["~" * 16] * 14
    now = table(wing=GRIFFINS, terrain=lake, Reds="H8", Foe="P1", **{"Chief a": "P14"})
    now.set("Reds", posture="high_flight", fatigue=EXHAUSTED)
    now.do(now.act("Reds"))
    assert now.unit("Reds").morale == SHAKEN
    assert now.unit("Reds").acted
    again = table(wing=GRIFFINS, terrain=lake, Reds="H8", Foe="P1", **{"Chief a": "P14"})
    again.set("Reds", posture="high_flight", fatigue=EXHAUSTED, morale=SHAKEN).do(again.act("Reds"))
    assert again.unit("Reds").morale == ROUTED


# W-42


def test_w_42_adjacency_halts_all_but_high_flight_at_every_hex_entered():
    now = table("riders:Reds", Reds="C9", Foe="D7")
    now.refused(c.UnitAct(now.ids["Reds"], path=("C8", "C7", "C6")), "has to end its move on C8")
    high = table(wing=GRIFFINS, Reds="C9", Foe="D7", **{"Chief a": "P14"})
    high.set("Reds", freed=True)
    high.do(c.UnitAct(high.ids["Reds"], path=("C8", "C7", "C6"), posture="high_flight"))
    assert high.at("Reds") == "C6"


@pytest.mark.parametrize("states", [{"morale": ROUTED}, {"posture": "high_flight"}])
def test_w_42_routed_enemies_and_those_in_high_flight_halt_nobody(states):
    now = table("riders:Reds", Reds="C9", Foe="D7", order="advance").set("Foe", **states)
    now.do(c.UnitAct(now.ids["Reds"], path=("C8", "C7", "C6")))
    assert now.at("Reds") == "C6"


# W-46


def test_w_46_bound_by_retreat_no_shots_and_it_leaves_from_its_edge():
    now = table("archers:Reds", Reds="C12", Foe="C9", order="retreat")
    now.refused(now.act("Reds", "C13", "Foe", "missile"), "can’t shoot")
    now.refused(now.act("Reds"), "closer to its home edge")
    edge = table(Reds="C14", order="retreat")
    edge.refused(edge.act("Reds"), "has to leave the map")
    edge.do(edge.act("Reds", exit=True))
    assert edge.gone("Reds") == "withdrawn"


def test_w_46_it_fights_only_if_still_engaged_after_its_move():
    now = table(Reds="C8", Foe="C7", order="retreat").engage("Reds", "Foe")
    now.refused(now.act("Reds", target="Foe"), "closer to its home edge|engaged")
    now.refused(now.act("Reds", "C9", "Foe"), "isn’t next to the unit|only while it is engaged")
    now.do(now.act("Reds", "C9"))


def test_w_46_refused_leaving_without_the_order_to_retreat():
    now = table(Reds="C14", order="advance")
    now.refused(now.act("Reds", exit=True), "Only a wing ordered to retreat can leave the map")


# W-54


def test_w_54_a_character_goes_along_unless_they_stay_or_have_acted_and_may_still_attack():
    now = table(Reds="C12", **{"Chief a": "C12"})
    now.do(now.act("Reds", "C9"))
    assert now.at("Chief a") == "C9"
    assert now.unit("Chief a").moved
    assert not now.unit("Chief a").acted


def test_w_54_stay_names_who_stays():
    now = table(Reds="C12", **{"Chief a": "C12"})
    now.do(now.act("Reds", "C9", stay=("Chief a",)))
    assert now.at("Chief a") == "C12"
    other = table(Reds="C12", **{"Chief a": "D12"})
    other.refused(other.act("Reds", "C9", stay=("Chief a",)), "isn’t in the unit’s hex")


@pytest.mark.parametrize("states", [{"morale": ROUTED}, {"acted": True}])
def test_w_54_who_is_routed_or_has_acted_stays(states):
    now = table(Reds="C12", **{"Chief a": "C12"}).set("Chief a", **states)
    now.do(now.act("Reds", "C9"))
    assert now.at("Chief a") == "C12"


def test_w_54_characters_go_along_only_where_they_could_stand():
    rows = ["................"] * 14
    rows[9] = "tttttttttttttttt"
    scouts = army("a", 0, WingTroop("scouts", "Reds"))
    now = table(wing=scouts, terrain=rows, Reds="C12", **{"Chief a": "C12"}).set("Reds", posture="infiltrating")
    now.do(now.act("Reds", "C10"))
    assert (now.at("Reds"), now.at("Chief a")) == ("C10", "C12")


# W-56


def test_w_56_flyers_end_over_anything_in_close_flight_not_in_a_fire():
    rows = ["................"] * 14
    rows[9] = "~~~~~~~~~~~~~~~~"
    now = table(wing=GRIFFINS, terrain=rows, Reds="C12", **{"Chief a": "P14"}, order="advance")
    now.do(now.act("Reds", "C10", posture="close_flight"))
    assert now.at("Reds") == "C10"
    low = table(wing=GRIFFINS, terrain=rows, Reds="C12", **{"Chief a": "P14"}, order="advance")
    low.refused(low.act("Reds", "C10"), "can’t reach")


# H-9, H-10


def hidden(*troops, order="advance", **places):
    scouts = army("b", 1, "scouts:Foe")
    return table(*troops, enemy=scouts, order=order, **places).set("Foe", posture="infiltrating")


def test_h_9_who_stumbles_on_an_unseen_enemy_stops_before_it_and_goes_on_with_the_points_left():
    now = hidden("riders:Reds", Reds="C12", Foe="C8")
    now.do(c.UnitAct(now.ids["Reds"], path=("C11", "C10", "C9", "C8")))
    assert isinstance(now.event(Revealed), Revealed)
    assert now.at("Reds") in ("C9", "C10")
    assert not now.unit("Reds").acted
    going = now.state.going
    assert going.left >= 1
    now.refused(now.act("Reds", "C10", posture="infiltrating"), "keeps its posture")
    now.refused(now.act("Reds", target="Foe", effort=True), "second effort")


def test_h_9_it_goes_on_before_any_other_unit_does_and_end_wing_lets_it_stand():
    now = hidden("riders:Reds", "foot:Blues", Reds="C12", Foe="C8", Blues="P14")
    now.do(c.UnitAct(now.ids["Reds"], path=("C11", "C10", "C9", "C8")))
    now.refused(now.act("Blues"), "Reds met a hidden enemy and must finish moving first")
    assert now.legal().able == (now.ids["Reds"],)
    now.do(c.EndWing())
    assert now.unit("Reds").acted


def test_h_9_a_unit_revealed_from_afar_does_not_stop_a_last_hex():
    now = hidden("foot:Reds", Reds="C11", Foe="C8")
    now.do(c.UnitAct(now.ids["Reds"], path=("C10", "C9")))
    assert now.at("Reds") == "C9"
    assert now.unit("Reds").acted


def test_h_9_hexes_already_walked_count_for_a_charge():
    now = hidden("riders:Reds", order="attack", Reds="C12", Foe="C8")
    now.do(c.UnitAct(now.ids["Reds"], path=("C11", "C10", "C9", "C8")))
    assert now.at("Reds") == "C9"
    now.do(now.act("Reds", target="Foe"))
    assert now.event(e.Attacked).charged


def test_h_10_to_stands_for_the_cheapest_path_over_what_the_side_knows():
    rows = ["................"] * 14
    rows[11] = "..w............."
    now = table("riders:Reds", terrain=rows, Reds="C14", order="advance")
    now.do(now.act("Reds", "C10"))
    assert now.at("Reds") == "C10"
    now = hidden("riders:Reds", Reds="C14", Foe="C11")
    legal = now.legal("Reds", viewer=side_viewer(now.state, 0))
    assert "C11" in {step.hex for step in legal.steps}


def test_w_56_landing_and_surprised_units_are_not_bound_in_that_action():
    now = hidden("riders:Reds", Reds="C12", Foe="C8", order="advance")
    now.do(c.UnitAct(now.ids["Reds"], path=("C11", "C10", "C9", "C8")))
    assert now.at("Reds") == "C9"
    now.refused(now.act("Reds", "D9"), "Next to the enemy this unit can only fight")
    now.do(now.act("Reds", target="Foe"))
    assert now.event(e.Attacked).charged
    lands = table(wing=GRIFFINS, Reds="C9", Foe="C7", **{"Chief a": "P14"}, order="advance")
    lands.set("Reds", posture="high_flight", fatigue=EXHAUSTED)
    assert "Attacked" in lands.do(lands.act("Reds", "C8", "Foe"))


# What a second reading of the law found


def test_w_54_being_carried_is_the_characters_move_of_the_turn():
    now = table(Reds="C12", **{"Chief a": "C12"})
    now.do(now.act("Reds", "C9"))
    now.refused(now.act("Chief a", "C10"), "This character moved with their troop and can’t move again this turn")
    assert [step.hex for step in now.legal("Chief a").steps] == ["C9"]
    now.do(now.act("Chief a"))
    assert now.unit("Chief a").acted


def test_w_23_who_is_in_high_flight_does_not_land_with_the_troop_that_carried_them():
    own = army("a", 0, "griffins:Reds", fly=True)
    now = table(wing=own, Reds="C12", **{"Chief a": "C12"})
    now.set("Reds", posture="high_flight", fatigue=EXHAUSTED).set("Chief a", posture="high_flight")
    now.do(now.act("Reds", "C9"))
    assert (now.at("Reds"), now.at("Chief a")) == ("C9", "C12")
    assert now.unit("Reds").posture == "ground"


def test_w_56_a_flyer_takes_the_ground_only_where_it_could_stand():
    lake = ["................"] * 9 + ["..~............."] + ["................"] * 4
    now = table("griffins:Reds", terrain=lake, Reds="C10").set("Reds", posture="close_flight", freed=True)
    now.refused(now.act("Reds", "C11", posture="ground"), "can’t take this posture")
    now.do(now.act("Reds", "C11"))


def test_w_42_in_high_flight_too_advance_is_not_into_adjacency():
    now = table("griffins:Reds", Reds="C10", Foe="C7", order="advance").set("Reds", posture="high_flight")
    now.refused(now.act("Reds", "C8"), "can’t reach|can’t stop|friend|hex")
    now.do(now.act("Reds", "C5"))
    assert now.at("Reds") == "C5"


def test_hx_6_3_who_is_halted_beside_an_enemy_on_the_edge_does_not_leave_in_the_same_move():
    edge = table("riders:Reds", Reds="C13", Foe="D14", order="retreat")
    edge.refused(c.UnitAct(edge.ids["Reds"], path=("C14",), exit=True), "This move ends next to an enemy")
    edge.do(c.UnitAct(edge.ids["Reds"], path=("B14",), exit=True))
    assert edge.gone("Reds") == "withdrawn"


def test_h_10_w_20_to_is_the_one_hex_a_troop_that_holds_may_go():
    rows = ["................"] * 14
    rows[8] = "..w............."  # C9, dear at once; round it costs the same
    now = table(terrain=rows, Reds="C10", Foe="C3", order="hold")
    assert {step.hex for step in now.legal("Reds").steps if step.why_not is None} >= {"C9", "C10"}
    now.do(now.act("Reds", "C9"))
    assert now.at("Reds") == "C9"


def test_h_9_a_second_effort_begun_leaves_no_points_and_the_unit_still_shoots():
    wings = army("a", 0, "scouts:Reds"), army("b", 1, "scouts:Foe")
    now = Table(*wings, places={"Reds": "E14", "Foe": "E8", "Chief a": "A14", "Chief b": "P1"})
    now.set("Reds", posture="ground", freed=True).set("Foe", posture="infiltrating")
    now.do(c.UnitAct(now.ids["Reds"], path=("E13", "E12", "E11", "E10", "E9", "E8"), effort=True))
    assert (now.at("Reds"), now.unit("Reds").fatigue, now.state.going.left) == ("E9", WINDED, 0)
    assert {target.how for target in now.legal("Reds").targets} == {"missile"}
    now.refused(now.act("Reds", target="Foe"), "Units can’t fight in melee after a second effort")
    assert "Attacked" in now.do(now.act("Reds", target="Foe", how="missile"))


def test_w_56_a_road_leads_through_a_thicket_where_nobody_but_infiltrators_stops():
    rows = ["................"] * 14
    rows[9] = "..t............."  # C10
    map_ = open_ground(terrain=rows) | {"roads": [["C11", "C10", "C9"]]}
    now = Table(army("a", 0, "foot:Reds"), ENEMY, places={**FAR, "Reds": "C11"}, map_=map_).set("Reds", freed=True)
    assert "C10" not in {step.hex for step in now.legal("Reds").steps}
    now.refused(now.act("Reds", "C10"), "can’t")
    now.do(c.UnitAct(now.ids["Reds"], path=("C10", "C9")))
    assert now.at("Reds") == "C9"
