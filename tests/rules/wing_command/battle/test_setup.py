"""Setup: placing, postures, orders, options, what is secret (WC-11, W-57, H-5)."""

from __future__ import annotations

import pytest

from rules.core.viewers import OMNISCIENT
from rules.hexbattle.setup import ChangeMap, Place, SetReady, Start
from rules.wing_command.battle.record import commands as c
from rules.wing_command.wing import WingCharacter, WingTroop
from tests.rules.wing_command.fights import LAW, Table, army, open_ground, opening, side_viewer

ROWS = ["................"] * 12 + ["t...~...........", "................"]


def table():
    wings = army("a", 0, WingTroop("scouts", "Reds"), "griffins:Wind", "foot:Blues"), army("b", 1, "foot:Foe")
    now = Table(*wings, places={}, wing="")
    zones = [[f"{letter}{row}" for letter in "ABCD" for row in rows] for rows in ((12, 13, 14), (1, 2, 3))]
    now.state = LAW.open(opening(*wings, map_=open_ground(terrain=ROWS) | {"zones": zones}))
    return now


def test_units_that_infiltrate_begin_so_and_stand_in_thickets():
    now = table()
    now.do(Place(now.ids["Reds"], "A13"))
    assert now.unit("Reds").posture == "infiltrating"
    now.refused(Place(now.ids["Blues"], "A13"), "can’t stand on A13")
    now.refused(c.SetPosture(now.ids["Reds"], "ground"), "can’t stand on A13")


def test_w_23_units_that_fly_may_start_in_any_posture():
    now = table()
    now.do(c.SetPosture(now.ids["Wind"], "high_flight"))
    assert now.unit("Wind").posture == "high_flight"
    now.refused(c.SetPosture(now.ids["Blues"], "high_flight"), "can’t take this posture")
    now.refused(Place(now.ids["Blues"], "A1"), "outside your side’s zone")


def test_w_57_ready_is_all_placed_and_all_orders_set():
    now = table()
    now.refused(SetReady(0), "aren’t placed yet")
    for name, at in (("Reds", "B13"), ("Wind", "C13"), ("Blues", "D14"), ("Chief a", "D14")):
        now.do(Place(now.ids[name], at))
    now.do(SetReady(0))
    now.refused(c.SetOrder("a", "hold"), "Your side is ready")
    now.refused(Start(), "isn't placed yet|aren’t placed yet")


def test_orders_and_placements_are_secret_until_both_sides_are_ready():
    now = table()
    now.do(c.SetOrder("a", "hold"))
    other = side_viewer(now.state, 1)
    assert LAW.witnessed(now.state, now.events[0], other) is None
    assert LAW.seen(now.state, other).wings["a"].order == ""
    assert LAW.seen(now.state, side_viewer(now.state, 0)).wings["a"].order == "hold"
    now.do(Place(now.ids["Blues"], "D14"))
    assert LAW.seen(now.state, other).token(now.ids["Blues"]).at == ""
    now.do(c.SetPosture(now.ids["Wind"], "high_flight"))
    assert LAW.witnessed(now.state, now.events[0], other) is None


@pytest.mark.parametrize(
    ("name", "value"), [("combat", "gm"), ("orders_to_characters", False), ("turn_limit", 8), ("break_share", 40)]
)
def test_the_gm_sets_options(name, value):
    now = table()
    now.do(c.SetOption(name, value))
    assert getattr(now.state.options, name) == value


@pytest.mark.parametrize(
    ("name", "value"), [("combat", "luck"), ("turn_limit", 5), ("turn_limit", True), ("weather", 1)]
)
def test_refused_options_the_law_does_not_have(name, value):
    table().refused(c.SetOption(name, value), "Choose one of|whole number")


def test_the_gm_names_the_army_leader_and_edits_units():
    now = table()
    now.do(c.NameArmyLeader(now.ids["Chief a"]))
    now.refused(c.NameArmyLeader(now.ids["Blues"]), "Choose a character")
    now.do(c.EditUnit(now.ids["Blues"], {"melee": 5, "profile": "irregular"}))
    assert (now.unit("Blues").own.melee, now.unit("Blues").own.profile) == (5, "irregular")
    now.refused(c.EditUnit(now.ids["Blues"], {"profile": "autonomous"}), "Choose one of")
    now.refused(c.EditUnit(now.ids["Blues"], {"melee": 99}), "whole number")
    now.refused(c.EditUnit(now.ids["Blues"], {}), "at least one figure")


def test_hx_9_3_who_stands_in_a_thicket_or_above_water_outside_its_zone_waits_again():
    """HX-9.3, H-2: the zone left them; water painted under a flyer doesn't drive it off."""
    now = table()
    now.do(c.SetPosture(now.ids["Wind"], "high_flight"))
    for name, at in (("Reds", "A13"), ("Wind", "C13"), ("Blues", "D14")):
        now.do(Place(now.ids[name], at))
    now.do(ChangeMap({"command": "paint", "hexes": ["C13"], "terrain": "lake"}))
    assert now.at("Wind") == "C13"
    now.do(ChangeMap({"command": "zone", "side": 0, "hexes": ["A13", "C13"], "add": False}))
    assert (now.at("Reds"), now.at("Wind"), now.at("Blues")) == ("", "", "D14")
    now.refused(Place(now.ids["Reds"], "A13"), "outside your side’s zone")


def test_wc_9_9_who_no_longer_infiltrates_or_flies_begins_on_the_ground():
    """WC-9.9, HX-9.3: units marked so; who can't stand there on the ground waits again, and the side isn't ready."""
    now = table()
    now.do(c.SetPosture(now.ids["Wind"], "high_flight"))
    for name, at in (("Reds", "A13"), ("Wind", "C13"), ("Blues", "D14"), ("Chief a", "D14")):
        now.do(Place(now.ids[name], at))
    now.do(SetReady(0))
    now.do(c.EditUnit(now.ids["Wind"], {"fly": False}))
    assert (now.unit("Wind").posture, now.at("Wind"), now.state.field.ready) == ("ground", "C13", {0})
    now.do(c.EditUnit(now.ids["Reds"], {"infiltrate": False}))
    assert (now.unit("Reds").posture, now.at("Reds"), now.state.field.ready) == ("ground", "", frozenset())
    assert not now.state.token(now.ids["Reds"]).hidden
    now.refused(Place(now.ids["Reds"], "A13"), "can’t stand on A13")


def test_w_62_generated_maps_have_two_rows_between_each_zone_and_its_edge():
    now = table()
    told = {
        "command": "generate_map", "columns": 16, "rows": LAW.generated_rows, "kind": "plain", "seed": "s",
        "symmetric": True, "river": False,
    }  # fmt: skip
    now.do(ChangeMap(told))
    ground = now.state.field.ground
    assert ground.rows == 18
    for side in (0, 1):
        rows = {ground.from_home(side, at) for at in ground.zone(side, LAW.zone_rows)}
        assert rows == {2, 3, 4}


def test_setup_is_over_once_the_battle_has_begun():
    now = Table(army("a", 0, "foot:Reds"), army("b", 1, "foot:Foe"), places={
        "Reds": "C8", "Foe": "C1", "Chief a": "C8", "Chief b": "C1",
    })  # fmt: skip
    now.refused(c.SetOrder("a", "hold"), "The battle has begun already")
    now.refused(c.SetOption("combat", "gm"), "The battle has begun already")


def test_what_is_legal_in_setup():
    now = table()
    legal = now.legal(viewer=OMNISCIENT)
    assert {"place", "ready", "set_order", "option"} <= set(legal.commands)
    picked = now.legal("Wind")
    assert {step.hex for step in picked.steps} >= {"C13"}
    assert "E13" not in {step.hex for step in picked.steps}, "zones have no impassable hexes"
    act = now.legal("Wind", "posture:close_flight")
    assert act.confirm.command == c.SetPosture(now.ids["Wind"], "close_flight")
    assert act.picked == (now.ids["Wind"], "", "", "posture:close_flight")
    assert [one.slug for one in picked.acts] == ["posture:close_flight", "posture:high_flight"]
    assert not now.legal("Blues").acts, "who has one posture chooses none"
    assert now.legal(viewer=OMNISCIENT).confirm is None, "ready and begin are every hex law's"


def line_up_of(now, *wings):
    now.do(c.LineUp(wings))
    return {unit.name: unit.at for unit in now.state.field.tokens.values()}


def test_a_wing_is_lined_up_in_one_command_fighters_in_front_and_its_leader_with_them():
    wings = army("a", 0, "foot:Reds", "archers:Bows", "foot:Blues", "riders:Horse"), army("b", 1, "foot:Foe")
    now = Table(*wings, places={}, wing="")
    now.state = LAW.open(opening(*wings))
    at = line_up_of(now, "a")
    rows = {name: now.state.field.ground.from_home(0, at[name]) for name in ("Reds", "Bows", "Blues", "Horse")}
    assert rows == {"Reds": 2, "Blues": 2, "Horse": 2, "Bows": 1}
    assert at["Chief a"] in {at["Reds"], at["Blues"], at["Horse"]}
    assert at["Foe"] == "", "nobody else is placed"
    now.do(SetReady(0))


def test_wings_are_lined_up_beside_each_other_the_first_in_the_middle():
    wings = *(army(key, 0, *(f"foot:{key}{n}" for n in range(4))) for key in "abc"), army("d", 1, "foot:Foe")
    now = Table(*wings, places={}, wing="")
    now.state = LAW.open(opening(*wings))
    at = line_up_of(now, "a", "b", "c")
    columns = {key: sum(ord(at[f"{key}{n}"][0]) for n in range(4)) / 4 for key in "abc"}
    assert columns["b"] < columns["a"] < columns["c"]
    assert len({at[f"{key}{n}"] for key in "abc" for n in range(4)}) == 12


def test_a_line_up_leaves_alone_what_is_placed_and_is_refused_where_nothing_waits():
    now = table()
    now.do(Place(now.ids["Blues"], "A14"))
    at = line_up_of(now, "a")
    assert at["Blues"] == "A14"
    assert all(at[name] for name in ("Reds", "Wind", "Chief a"))
    now.refused(c.LineUp(("a",)), "already placed")
    now.refused(c.LineUp(("nobody",)), "isn’t in the battle")
    now.refused(c.LineUp(()), "at least one wing")
    now.do(SetReady(0))
    now.refused(c.LineUp(("a",)), "Your side is ready")


def test_casters_are_lined_up_alone():
    mages = [WingCharacter("Merle", "mage", art="fire", level=3), WingCharacter("Sten", "champion")]
    wings = army("a", 0, "foot:Reds", "archers:Bows", characters=mages), army("b", 1, "foot:Foe")
    now = Table(*wings, places={}, wing="")
    now.state = LAW.open(opening(*wings))
    at = line_up_of(now, "a")
    assert list(at.values()).count(at["Merle"]) == 1
    assert at["Sten"] in (at["Reds"], at["Bows"])


def test_hx_6_1_a_line_up_uses_all_the_room_of_a_small_zone():
    """HX-6.1, WC-1.6: one troop and any characters share a hex; a second troop finds no room."""
    mages = [WingCharacter("Merle", "mage", art="fire", level=3)]
    wings = army("a", 0, "foot:Reds", "foot:Blues", characters=mages), army("b", 1, "foot:Foe", "foot:Last")
    now = Table(*wings, places={}, wing="")
    now.state = LAW.open(opening(*wings, map_=open_ground() | {"zones": [["A14", "B14"], ["A1"]]}))
    now.do(Place(now.ids["Merle"], "B14"))
    at = line_up_of(now, "a")
    assert {at["Reds"], at["Blues"]} == {"A14", "B14"}, "beside the mage too"
    now.do(Place(now.ids["Merle"], ""))
    assert line_up_of(now, "a")["Merle"]
    now.do(SetReady(0))
    at = line_up_of(now, "b")
    assert sorted((at["Foe"], at["Last"])) == ["", "A1"]
    now.refused(c.LineUp(("b",)), "no room")


def test_a_line_up_in_a_zone_without_room_is_refused():
    wings = army("a", 0, "foot:Reds", "foot:Blues"), army("b", 1, "foot:Foe")
    now = Table(*wings, places={}, wing="")
    now.state = LAW.open(opening(*wings, map_=open_ground() | {"zones": [["A14"], ["A1", "B1"]]}))
    at = line_up_of(now, "a")
    assert (at["Reds"], at["Blues"]) == ("A14", ""), "as many as find room"
    now.refused(c.LineUp(("a",)), "no room")


def test_only_who_runs_a_wing_lines_it_up_and_may_take_it_back():
    now = table()
    own, other = side_viewer(now.state, 0), side_viewer(now.state, 1)
    assert LAW.allows(now.state, c.LineUp(("a",)), own)
    assert not LAW.allows(now.state, c.LineUp(("a",)), other)
    assert not LAW.allows(now.state, c.LineUp(("a", "b")), own)
    assert not LAW.allows(now.state, c.LineUp(()), own)
    assert "line_up" in LAW.legal(LAW.seen(now.state, own), own).commands
    line_up_of(now, "a")
    assert LAW.revocable(c.LineUp(("a",)), now.events)
    assert "line_up" not in LAW.legal(LAW.seen(now.state, own), own).commands
