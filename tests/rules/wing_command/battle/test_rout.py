"""Rout, end of the turn and of the battle: rulings W-12, W-13, W-31, W-36, W-41, W-49 to W-51, W-61."""

from __future__ import annotations

import pytest

from rules.hexbattle.common import Ended, PhaseEnded, Withdrawn
from rules.hexbattle.setup import Start
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import EXHAUSTED, FIT, FRESH, ROUTED, SHAKEN, WINDED
from rules.wing_command.spec import BattleOptions
from tests.rules.wing_command.fights import LAW, Table, army, deployed, open_ground, opening

FAR = {"Chief a": "H14", "Chief b": "P1", "Foe": "P2"}


def table(*troops, foes=("foot:Foe",), phase="rout", order="attack", options=None, **places):
    wings = army("a", 0, *(troops or ("foot:Reds",))), army("b", 1, *foes)
    return Table(*wings, places={**FAR, **places}, phase=phase, order=order, options=options)


def rout(now, **faces):
    return now.do(c.ResolveRout(), **faces)


# Flights (WC-9.6)


def test_a_routed_unit_flees_its_full_move_homeward():
    now = table(Reds="C8").set("Reds", morale=ROUTED)
    rout(now, rally=(6, 6))
    assert now.state.field.ground.from_home(0, now.at("Reds")) == 3
    assert now.unit("Reds").morale == ROUTED


def test_w_51_who_reaches_the_edge_with_a_point_left_leaves_in_the_same_flight():
    now = table("foot:Reds", "foot:Blues", Reds="C13", Blues="A8").set("Reds", morale=ROUTED)
    kinds = rout(now, demoralisation=(1, 1))
    assert now.gone("Reds") == "fled"
    assert kinds.index("Fled") < kinds.index("Withdrawn") < kinds.index("WingTested")


def test_w_51_adjacency_never_halts_a_flight_and_it_keeps_its_posture():
    rows = ["AA..AAAAAAAAAAAA"] * 14
    places = {"Reds": "C8", "Foe": "C10", "Chief a": "D2", "Chief b": "C1"}
    wings = army("a", 0, "riders:Reds"), army("b", 1, "foot:Foe")
    now = Table(*wings, places=places, phase="rout", map_=open_ground(terrain=rows))
    now.set("Reds", morale=ROUTED, posture="infiltrating")
    rout(now, rally=(6, 6))
    assert now.at("Reds") in ("C13", "D13")
    assert now.unit("Reds").posture == "infiltrating"


def test_w_41_the_flight_goes_round_hexes_next_to_enemies_if_it_can():
    now = table("riders:Reds", Reds="H9", Foe="H11").set("Reds", morale=ROUTED)
    rout(now, rally=(6, 6))
    path = now.event(e.Fled).path
    near = set(now.state.field.ground.around("H11"))
    assert not near & set(path)


def test_w_41_equal_ways_go_by_the_first_edge_hex_in_reading_order():
    now = table(Reds="H9").set("Reds", morale=ROUTED)
    rout(now, rally=(6, 6))
    again = table(Reds="H9").set("Reds", morale=ROUTED)
    rout(again, rally=(6, 6))
    assert now.event(e.Fled).path == again.event(e.Fled).path


def test_w_12_with_no_way_it_stays_and_through_friends_it_goes():
    now = table("foot:Reds", "foot:Blues", Reds="C8", Blues="C9").set("Reds", morale=ROUTED)
    rout(now, rally=(6, 6))
    assert now.at("Reds") != "C8"
    foes = [f"foot:F{n}" for n in range(6)]
    around = ("D8", "D7", "C7", "B8", "C9", "D9")
    shut = table(foes=foes, Reds="C8", **{f"F{n}": at for n, at in enumerate(around)}).set("Reds", morale=ROUTED)
    shut.set("F0", morale=FIT)
    rout(shut)
    assert shut.at("Reds") == "C8"


def test_w_49_who_failed_to_rally_by_order_does_not_flee_this_turn():
    now = table(Reds="C8").set("Reds", morale=ROUTED, freed=True, tested=True)
    rout(now)
    assert now.at("Reds") == "C8"
    unused = table(Reds="C8").set("Reds", morale=ROUTED, freed=True, special=True)
    rout(unused, rally=(6, 6))
    assert unused.at("Reds") != "C8"


# Rallies


def test_w_49_a_routed_unit_rallies_by_order_as_its_whole_action():
    now = table(phase="action", Reds="C8").set("Reds", morale=ROUTED, special=True, freed=True)
    now.do(c.RallyUnit(now.ids["Reds"]), rally=(1, 1))
    assert now.unit("Reds").morale == SHAKEN
    assert now.unit("Reds").acted
    assert not now.unit("Reds").special


@pytest.mark.parametrize(
    ("states", "words"),
    [
        ({"morale": SHAKEN, "special": True}, "Only routed units"),
        ({"morale": ROUTED}, "needs a special order"),
        ({"morale": ROUTED, "special": True, "tested": True}, "already made a test"),
    ],
)
def test_w_49_refused_nobody_else_rallies_so(states, words):
    now = table(phase="action", Reds="C8").set("Reds", **states)
    now.refused(c.RallyUnit(now.ids["Reds"]), words)


@pytest.mark.parametrize("states", [{}, {"posture": "high_flight"}])
def test_w_49_unrouted_enemies_beside_it_bar_the_rally_in_high_flight_too(states):
    now = table(phase="action", foes=("griffins:Foe",), Reds="C8", Foe="C7").set("Foe", **states)
    now.set("Reds", morale=ROUTED, special=True)
    now.refused(c.RallyUnit(now.ids["Reds"]), "An adjacent enemy prevents the unit from rallying")
    routed = table(Reds="C8", Foe="C7").set("Foe", morale=ROUTED).set("Reds", morale=SHAKEN)
    assert "Rallied" in rout(routed)


def test_rallies_count_the_wings_shaken_markers_and_a_missing_leader():
    now = table(Reds="C8").set("Reds", morale=SHAKEN).wing("a", shaken=2, leader="", morale=8)
    rout(now, rally=(3, 3))
    told = now.event(e.Rallied)
    assert sum(line.value for line in told.lines) == 3
    assert not told.success
    assert now.unit("Reds").morale == SHAKEN


def test_one_step_at_a_time_and_one_test_a_turn():
    now = table("heavy-foot:Reds", Reds="C8").set("Reds", morale=ROUTED)
    rout(now, rally=(1, 1))
    assert now.unit("Reds").morale == SHAKEN


def test_w_61_rallies_follow_the_order_of_sides_and_wings():
    now = table(Reds="C8", foes=("foot:Foe",)).set("Reds", morale=SHAKEN).set("Foe", morale=SHAKEN)
    now.state = now.state.but(first=1)
    rout(now)
    assert [event.unit for event in now.events if isinstance(event, e.Rallied)] == [now.ids["Foe"], now.ids["Reds"]]


# The end of the turn (WC-9.7)


def test_fatigue_mends_after_a_turn_without_moving_or_fighting():
    now = table("foot:Reds", "foot:Blues", Reds="C8", Blues="F8").set("Reds", fatigue=EXHAUSTED)
    now.set("Blues", fatigue=WINDED, stirred=True)
    rout(now)
    assert now.unit("Reds").fatigue == WINDED
    assert now.unit("Blues").fatigue == WINDED


def test_w_49_units_in_high_flight_do_not_mend_and_tire():
    """WC-9.9."""
    now = table("griffins:Reds", Reds="C8").set("Reds", posture="high_flight")
    rout(now)
    assert now.unit("Reds").fatigue == WINDED


def test_w_36_shaken_markers_go_for_calm_wings_that_still_have_a_unit():
    now = table(Reds="C8").wing("a", shaken=2).wing("b", shaken=1).set("Foe", morale=ROUTED).put("Foe", "P8")
    now.set("Foe", freed=True, tested=True)
    rout(now)
    assert now.state.wings["a"].shaken == 1
    assert now.state.wings["b"].shaken == 1, "a unit of it is routed"


def test_w_36_markers_of_special_orders_go_first_side_first():
    now = table(Reds="C8").set("Reds", special=True, freed=True).set("Foe", special=True, freed=True)
    now.state = now.state.but(first=1)
    rout(now)
    gone = [event.unit for event in now.events if isinstance(event, e.MarkerGone)]
    assert gone == [now.ids["Foe"], now.ids["Reds"]]
    assert not now.unit("Reds").freed
    kinds = [type(event) for event in now.events]
    assert kinds.index(PhaseEnded) > kinds.index(e.MarkerGone)


def test_a_new_turn_begins_with_the_initiative():
    """WC-9.1."""
    now = table(Reds="C8").set("Reds", acted=True, moved=True, stirred=True, activated=True)
    rout(now)
    assert (now.state.turn, now.state.phase) == (2, "initiative")
    reds = now.unit("Reds")
    assert not (reds.acted)
    assert not (reds.moved)
    assert not (reds.stirred)
    assert not (reds.activated)


# Broken wings and victory (WC-9.8)


def test_half_the_troops_lost_break_a_wing():
    now = table("foot:Reds", "foot:Blues", Reds="C13", Blues="C8").set("Reds", morale=ROUTED)
    rout(now, demoralisation=(1, 1))
    wing = now.state.wings["a"]
    assert (wing.broken, wing.order) == (True, "retreat")


def test_w_31_lost_half_is_of_the_troops_at_the_start():
    now = table("foot:Reds", "foot:Blues", "foot:Three", Reds="C13", Blues="C8", Three="D8").set("Reds", morale=ROUTED)
    rout(now, demoralisation=(1, 1))
    assert not now.state.wings["a"].broken


def test_w_31_start_is_refused_while_all_wings_of_a_side_retreat():
    state = deployed(LAW.open(opening(army("a", 0, "foot"), army("b", 1, "foot"))))
    state = state.with_wing("a", order="retreat")
    now = Table(army("a", 0, "foot:Reds"), army("b", 1, "foot:Foe"), places={**FAR, "Reds": "C8"})
    now.state = state
    now.refused(Start(), "All wings of South have the order to retreat")


def test_w_50_victory_is_looked_at_when_a_command_is_complete():
    now = Table(army("a", 0, "foot:Reds"), army("b", 1, "foot:Foe"), places={**FAR, "Reds": "C8"}, phase="command")
    now.set("Chief a", special=True)
    now.do(c.ChangeOrder(now.ids["Chief a"], "retreat"), command=(1, 1))
    assert now.state.field.ended == Ended(1, "all-lost")
    now.refused(c.PassCommand(0), "The battle is over")


def test_w_50_in_the_rout_phase_after_all_flights():
    now = table(Reds="C13", Foe="C2").set("Reds", morale=ROUTED).set("Foe", morale=ROUTED)
    kinds = rout(now, demoralisation=(1, 1, 1, 1))
    assert kinds.count("Fled") == 2
    assert now.state.field.ended.winner is None, "both are out: a draw"


def test_w_13_units_that_leave_after_the_end_are_not_lost():
    now = table(Reds="C13").set("Reds", morale=ROUTED)
    rout(now, demoralisation=(1, 1))
    assert now.state.field.ended.winner == 1
    now.refused(c.ResolveRout(), "The battle is over")


def test_at_the_turn_limit_the_smaller_share_of_losses_wins():
    now = table("foot:Reds", "foot:Blues", Reds="C8", Blues="D8", foes=("foot:Foe", "foot:Two", "foot:Three"),
                Two="P3", Three="P4", options=BattleOptions(turn_limit=6, break_share=100))  # fmt: skip
    now.state = now.state.but(turn=6, field=now.state.field.put(now.ids["Foe"], at="", gone="destroyed"))
    rout(now)
    assert now.state.field.ended == Ended(0, "turn-limit")


def test_a_withdrawn_unit_causes_no_test_but_counts_as_lost():
    """W-3."""
    now = table("foot:Reds", "foot:Blues", phase="action", order="retreat", Reds="C14", Blues="C8")
    kinds = now.do(now.act("Reds", exit=True))
    assert isinstance(now.event(Withdrawn), Withdrawn)
    assert "WingTested" not in kinds
    assert now.state.wings["a"].broken
    assert now.unit("Blues").fatigue == FRESH
