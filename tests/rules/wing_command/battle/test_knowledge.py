"""Knowledge: rulings W-52, W-56, H-5 to H-9, and the secrets of WC-11."""

from __future__ import annotations

from rules.core.viewers import ANYBODY, OMNISCIENT
from rules.hexbattle.common import Moved, Silence
from rules.hexbattle.field import unit_ids
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.situation import unseen
from rules.wing_command.wing import WingCharacter, WingTroop
from tests.rules.wing_command.fights import LAW, Table, army, side_viewer


def table(**places):
    wings = army("a", 0, "foot:Reds"), army("b", 1, WingTroop("scouts", "Foe"), characters=(WingCharacter("Bo"),))
    at = {"Reds": "C12", "Chief a": "A14", "Foe": "C6", "Bo": "P1", "Chief b": "P1", **places}
    return Table(*wings, places=at, side=1, wing="b").set("Foe", posture="infiltrating").wing("b", order="advance")


def test_w_52_an_infiltrating_unit_is_seen_within_2_hexes_whatever_lies_between():
    now = table()
    assert unseen(now.state, 0) == {now.ids["Foe"]}
    assert unseen(now.put("Foe", "C10").state, 0) == frozenset()
    assert unseen(table(**{"Chief a": "C8"}).state, 0) == frozenset(), "what one unit sees its side sees"


def test_what_is_not_seen_is_nowhere_in_the_state_of_the_viewer():
    now = table()
    seen = LAW.seen(now.state, side_viewer(now.state, 0))
    foe = now.ids["Foe"]
    assert foe not in seen.field.tokens
    assert foe not in seen.units
    assert foe in LAW.seen(now.state, side_viewer(now.state, 1)).units
    summary = LAW.summary(seen)
    assert foe not in summary.names


def test_h_6_an_event_says_itself_who_saw_it():
    now = table()
    now.do(now.act("Foe", "C7"))
    moved = now.event(Moved)
    other = side_viewer(now.state, 0)
    assert moved.seen[0] is None
    assert LAW.witnessed(now.state, moved, other) is None
    assert LAW.witnessed(now.state, now.event(e.Acted), other) is None
    assert LAW.witnessed(now.state, moved, side_viewer(now.state, 1)) == moved


def test_h_6_nobody_is_told_of_the_silences_after_what_was_not_seen():
    now = table()
    now.do(now.act("Foe", "C7"))
    assert Silence() in now.events
    for viewer in (side_viewer(now.state, 0), side_viewer(now.state, 1), ANYBODY, OMNISCIENT):
        assert LAW.witnessed(now.state, Silence(), viewer) is None


def test_h_6_the_part_of_a_path_that_is_seen_is_told():
    now = table(Foe="C7")
    now.do(now.act("Foe", "C10"))
    told = LAW.witnessed(now.state, now.event(Moved), side_viewer(now.state, 0))
    assert told.path == ("C10",)


def test_h_7_a_side_knows_the_name_of_a_unit_once_it_has_met_it():
    now = table(Foe="C7")
    now.do(now.act("Foe", "C10"))
    assert now.ids["Foe"] in now.state.field.met[0]
    now.put("Foe", "C2")
    seen = LAW.seen(now.state, side_viewer(now.state, 0))
    assert seen.field.names[now.ids["Foe"]] == "Foe"
    assert "Foe" in str(LAW.describe(seen, e.Shaken(now.ids["Foe"])).text)
    strange = table()
    seen = LAW.seen(strange.state, side_viewer(strange.state, 0))
    assert "An unseen unit" in str(LAW.describe(seen, e.Shaken(strange.ids["Foe"])).text)


def test_h_5_the_gm_moves_a_unit_with_its_sides_knowledge():
    now = table(Reds="C9", Foe="C5")
    now.state = now.state.but(side=0, wing="a").with_wing("a", order="advance")
    legal = now.legal("Reds")
    assert now.ids["Foe"] not in {target.target for target in legal.targets}


def test_h_8_ids_of_units_come_from_a_salt():
    now = table()
    expected = unit_ids("b", "salt", 3)
    assert [unit for unit in now.ids.values() if unit.startswith("b:")] == list(expected)


def test_an_attack_reveals_and_ends_infiltration_for_good():
    now = table(Reds="C8", Foe="C6", **{"Chief a": "P14"}).wing("b", order="attack")
    now.do(now.act("Foe", "C7", "Reds"), melee=(3, 3))
    assert now.unit("Foe").posture == "ground"
    assert not now.state.token(now.ids["Foe"]).hidden
    now.put("Foe", "C2")
    assert unseen(now.state, 0) == frozenset()


def test_every_event_of_a_unit_says_who_sees_it():
    for kind in e.BattleEvent.__args__:
        named = {"unit", "character"} & set(kind._fields)
        if named and kind not in (e.ArmyLeaderNamed, e.UnitEdited, e.WingTested):
            assert "seen" in kind._fields, kind


def test_a_hidden_unit_of_the_same_name_tells_nothing_and_a_joined_wing_is_named():
    now = table(Foe="C2")
    own, foe = now.ids["Reds"], now.ids["Foe"]
    hidden = now.state.but(field=now.state.field.put(foe, name="Reds"))
    assert hidden.told_name(own) == "Reds (Wing a)", "the GM knows both"
    assert LAW.seen(hidden, side_viewer(hidden, 0)).told_name(own) == "Reds", "its side has never met the other"
    joined = LAW.fold(now.state, [e.WingJoined(army("c", 0, "foot:Reds"))])
    other = next(unit for unit, token in joined.field.tokens.items() if token.army == "c" and token.name == "Reds")
    for state in (joined, LAW.thaw(joined.opening, LAW.freeze(joined))):
        assert [state.name_in_side(unit) for unit in (own, other)] == ["Reds (Wing a)", "Reds (Wing c)"]


def high_flyers(order, *places):
    """Griffins in high flight that the enemy's hidden scouts can surprise, and foot both sides know of."""
    wings = army("a", 0, "griffins:Reds"), army("b", 1, WingTroop("scouts", "Foe"), WingTroop("foot", "Blues"))
    at = dict(zip(("Reds", "Foe", "Blues"), places, strict=True)) | {"Chief a": "A14", "Chief b": "P1"}
    return Table(*wings, places=at, order=order).set("Reds", posture="high_flight").set("Foe", posture="infiltrating")


def test_h_9_who_is_surprised_in_high_flight_flies_on_from_beside_an_enemy_on_the_ground():
    """H-9, W-42: adjacency ends no move in high flight; on foot the unit is refused to go on."""
    now = high_flyers("attack", "C10", "C6", "D7")
    now.do(c.UnitAct(now.ids["Reds"], path=("C9", "C8", "C7", "C6")))
    assert (now.at("Reds"), now.state.going.left) == ("C7", 3)
    assert "B6" in {step.hex for step in now.legal("Reds").steps}
    now.do(now.act("Reds", "B6"))
    assert now.at("Reds") == "B6"
    foot = high_flyers("attack", "C10", "C6", "P2").set("Reds", posture="ground")
    foot.do(c.UnitAct(foot.ids["Reds"], path=("C9", "C8", "C7", "C6")))
    foot.refused(foot.act("Reds", "B8"), "Next to the enemy this unit can only fight")


def test_w_56_who_advances_in_high_flight_and_is_surprised_stops_in_front_of_the_enemy():
    """W-56, H-9: not bound in that action, it doesn't fall back from beside an enemy; unsurprised it is refused to end
    there.
    """
    now = high_flyers("advance", "C11", "C6", "B7")
    now.refused(now.act("Reds", "C7"), "can’t reach")
    now.do(c.UnitAct(now.ids["Reds"], path=("C10", "C9", "C8", "C7", "C6")))
    assert (now.at("Reds"), now.state.going.left) == ("C7", 2)


def test_hx_10_5_why_not_is_told_also_by_a_side_that_has_met_an_enemy_in_hiding_again():
    """HX-10.5, H-7: the refusal of a hidden unit's act, from what its side sees, is told and names no unseen unit."""
    wings = army("a", 0, WingTroop("scouts", "Reds")), army("b", 1, WingTroop("scouts", "Foe"))
    now = Table(*wings, places={"Reds": "C9", "Foe": "C7", "Chief a": "A14", "Chief b": "P1"}, order="hold")
    for name in ("Reds", "Foe"):
        now.set(name, posture="infiltrating")
    now.do(now.act("Reds", "C10"))
    now.set("Reds", acted=False, moved=False).put("Foe", "C3")
    now.state = now.state.but(field=now.state.field.knowing(now.ids["Foe"], (0,)))
    viewer = side_viewer(now.state, 0)
    seen = LAW.seen(now.state, viewer)
    assert LAW.seen(seen, viewer) == seen
    assert "at most 1 hex" in str(LAW.why_not(seen, viewer, (now.ids["Reds"], "C13")))


def test_h_7_the_enemy_does_not_know_infiltrators_among_reinforcements():
    """H-7, HX-10.5, W-32: neither in the reserve nor by the event; their own side does."""
    now = table()
    now.do(c.Reinforce(army("r", 1, "scouts:Late", "foot:Open"), 1))
    own, enemy = side_viewer(now.state, 1), side_viewer(now.state, 0)
    assert {"Late", "Open"} <= names_seen(now.state, own)
    for viewer in (enemy, ANYBODY):
        assert names_seen(now.state, viewer) & {"Late", "Open"} == {"Open"}
        told = LAW.witnessed(LAW.seen(now.state, viewer), now.event(e.WingJoined), viewer)
        assert [unit.name for unit in told.army.units] == ["Open", "Chief r"]
        assert len(told.army.ids) == 2
        assert LAW.summary(LAW.seen(now.state, viewer)).armies["r"].health == 1
    late = next(unit for unit, token in now.state.field.tokens.items() if token.name == "Late")
    assert late not in now.state.field.met[0]


def names_seen(state, viewer):
    return {token.name for token in LAW.seen(state, viewer).field.tokens.values()}
