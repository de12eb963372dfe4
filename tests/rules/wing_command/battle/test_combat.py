"""Combat: rulings W-10, W-17, W-24 to W-27, W-38, W-43, W-47, and WC-8.1 to 8.6."""

from __future__ import annotations

import pytest

from rules.hexbattle.common import Destroyed
from rules.hexbattle.ground import BOTH, Timer
from rules.wing_command.battle.combat import Setting, sum_of
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record.state import END, EXHAUSTED, ROUTED, SHAKEN, WINDED
from rules.wing_command.wing import WingCharacter, WingTroop
from tests.rules.wing_command.fights import Table, army, open_ground

FAR = {"Chief a": "A14", "Chief b": "P1"}


def table(*troops, foes=("foot:Foe",), terrain=(), order="", characters=(), enemies=(), **places):
    own = army("a", 0, *(troops or ("foot:Reds",)), characters=characters)
    enemy = army("b", 1, *foes, characters=enemies)
    rows = {"map_": open_ground(terrain=terrain)} if terrain else {}
    return Table(own, enemy, places={**FAR, **places}, order=order, **rows)


def plain(**places):
    """Foot against foot next to each other: the sum is 0."""
    return table(**{"Reds": "C8", "Foe": "C7", **places})


def line(now, label, how="melee", one="Reds", other="Foe", **setting):
    found = sum_of(now.state, now.ids[one], now.ids[other], how, Setting(now.at(one), **setting))
    return next((line.value for line in found.lines if str(line.label) == label), 0)


# The sum (WC-8.1)


def test_states_count_in_the_sum():
    """WC-1.5, WC-8.1."""
    now = plain().set("Reds", morale=SHAKEN, fatigue=WINDED).set("Foe", morale=SHAKEN, fatigue=EXHAUSTED)
    assert line(now, "The attacker is shaken") == -1
    assert line(now, "The attacker is out of breath") == -1
    assert line(now, "The target is shaken or routed") == 1
    assert line(now, "The target is exhausted") == 1


def test_other_friendly_troops_support_at_most_twice():
    now = table(
        "foot:Reds", "foot:Two", "foot:Three", "foot:Four", Reds="C8", Foe="C7", Two="D7", Three="B7", Four="C6"
    )
    assert line(now, "Supported by other troops") == 2
    now.set("Two", morale=ROUTED).set("Three", morale=ROUTED)
    assert line(now, "Supported by other troops") == 1


def test_w_52_a_troop_supports_only_at_the_targets_height_and_once_it_is_seen():
    now = table("foot:Reds", "griffins:Two", Reds="C8", Foe="C7", Two="D7")
    assert line(now, "Supported by other troops") == 1
    now.set("Two", posture="high_flight")
    assert line(now, "Supported by other troops") == 0


def test_a_fit_leader_stacked_with_the_attacker_counts_once():
    now = plain(**{"Chief a": "C8"})
    assert line(now, "Leader with the attacker") == 1
    now.set("Chief a", morale=SHAKEN)
    assert line(now, "Leader with the attacker") == 0


def test_a_fit_troop_that_holds_and_has_not_moved_is_harder_to_beat():
    now = plain().wing("b", order="hold")
    assert line(now, "The target holds its ground") == -1
    assert line(now, "Charge bonus", charged=True) == 0
    now.set("Foe", moved=True)
    assert line(now, "The target holds its ground") == 0
    assert line(now, "Charge bonus", charged=True) == 1
    now.set("Foe", moved=False, freed=True)
    assert line(now, "The target holds its ground") == 0


def test_difficult_ground_shields_and_half_range_counts_in_shots():
    rows = ["................"] * 14
    rows[6] = "..w............."
    now = table("archers:Reds", terrain=rows, Reds="C9", Foe="C7")
    assert line(now, "Difficult ground", "missile") == -1
    assert line(now, "Beyond half range", "missile") == 0
    now.put("Reds", "C10")
    assert line(now, "Beyond half range", "missile") == -1


def test_w_52_terrain_shields_nobody_in_high_flight():
    rows = ["................"] * 14
    rows[6] = "..w............."
    now = table("archers:Reds", foes=("griffins:Foe",), terrain=rows, Reds="C9", Foe="C7")
    now.set("Foe", posture="high_flight")
    assert line(now, "Difficult ground", "missile") == 0


def test_w_47_exhausted_counts_2_without_the_1_of_winded():
    now = plain().set("Reds", fatigue=EXHAUSTED)
    assert line(now, "The attacker is exhausted") == -2
    assert line(now, "The attacker is out of breath") == 0


def test_w_47_out_of_infiltration_only_if_it_infiltrated_before_this_action_and_until_the_blow():
    now = table("scouts:Reds", Reds="C9", Foe="C7").set("Reds", posture="infiltrating")
    kinds = now.do(now.act("Reds", "C8", "Foe"), melee=(3, 4))
    assert [one.value for one in now.event(e.Attacked).lines if str(one.label) == "Leaving infiltration"] == [1]
    assert now.unit("Reds").posture == "ground"
    assert kinds.index("Recoiled") < kinds.index("PostureTaken"), "it ends after the recoil"


@pytest.mark.parametrize("posture", ["ground", "infiltrating"])
def test_w_47_not_where_the_posture_is_taken_or_left_in_this_action(posture):
    start = "infiltrating" if posture == "ground" else "ground"
    now = table("scouts:Reds", Reds="C9", Foe="C7").set("Reds", posture=start)
    now.do(now.act("Reds", "C8", "Foe", posture=posture))
    assert not [one for one in now.event(e.Attacked).lines if str(one.label) == "Leaving infiltration"]


# Targets (WC-8.6)


def test_an_attack_meets_the_troop_of_the_hex_and_characters_only_where_there_is_none():
    now = table(enemies=(WingCharacter("Bo"),), Reds="C8", Foe="C7", Bo="C7")
    now.refused(now.act("Reds", target="Bo"), "Attack the troop in this hex instead")
    alone = table(enemies=(WingCharacter("Bo"), WingCharacter("Cy")), Reds="C8", Foe="P2", Bo="C7", Cy="C7")
    assert "Attacked" in alone.do(alone.act("Reds", target="Cy")), "the attacker chooses among them"


def test_a_shot_needs_range_and_sight():
    rows = ["................"] * 14
    rows[7] = "wwwwwwwwwwwwwwww"
    now = table("archers:Reds", terrain=rows, Reds="C9", Foe="C7", order="advance")
    now.refused(now.act("Reds", target="Foe", how="missile"), "out of sight")
    now.put("Foe", "C4")
    now.refused(now.act("Reds", target="Foe", how="missile"), "out of range")


def test_wc_8_6_who_has_no_shot_is_told_so_troop_or_character():
    now = table("foot:Reds", Reds="C9", Foe="C7", order="advance")
    now.refused(now.act("Reds", target="Foe", how="missile"), "This unit can’t shoot")


def test_w_9_a_stacked_character_attacks_only_by_duel_or_with_a_shot_of_their_own():
    now = plain(**{"Chief a": "C8"})
    now.refused(now.act("Chief a", target="Foe"), "A character in a stack can only attack in a duel")
    captain = table(characters=(WingCharacter("Kai", "archer-captain"),), Reds="C9", Foe="C7", Kai="C9")
    assert "Attacked" in captain.do(captain.act("Kai", target="Foe", how="missile"))


def test_w_17_attacks_are_never_answered_out_of_turn():
    now = plain()
    now.do(now.act("Reds", target="Foe"), melee=(3, 3))
    assert [type(event).__name__ for event in now.events].count("Attacked") == 1


# Results


RESULTS = [
    ((1, 1), "attacker-recoils"), ((3, 3), "none"), ((3, 4), "recoil"), ((4, 5), "shaken"), ((6, 5), "routed"),
]  # fmt: skip


@pytest.mark.parametrize(("faces", "result"), RESULTS)
def test_the_columns_of_melee(faces, result):
    now = plain()
    now.do(now.act("Reds", target="Foe"), melee=faces)
    assert now.event(e.Attacked).result == result
    expected = {
        "attacker-recoils": ("C7", 0, WINDED), "none": ("C7", 0, 0), "recoil": ("C6", 0, 0),
        "shaken": ("C6", SHAKEN, 0), "routed": ("C6", ROUTED, 0),
    }[result]  # fmt: skip
    assert now.unit("Foe").morale == expected[1]
    assert now.unit("Reds").fatigue == expected[2]
    if result != "attacker-recoils":
        assert now.at("Foe") in (expected[0], "B6")
    else:
        assert now.at("Reds") != "C8"


def test_13_or_more_destroys():
    now = plain().set("Foe", morale=SHAKEN)
    now.do(now.act("Reds", target="Foe"), melee=(6, 6))
    assert now.gone("Foe") == "destroyed"


def test_shaken_twice_routs_and_a_routed_unit_that_is_shaken_is_destroyed():
    """WC-8.2."""
    now = plain().set("Foe", morale=SHAKEN)
    now.do(now.act("Reds", target="Foe"), melee=(4, 4))
    assert now.unit("Foe").morale == ROUTED
    routed = plain().set("Foe", morale=ROUTED)
    routed.do(routed.act("Reds", target="Foe"), melee=(4, 4))
    assert routed.gone("Foe") == "destroyed"


def cornered(result_faces, **foe):
    """A foe that can't recoil: lakes behind it."""
    rows = ["................"] * 14
    rows[5], rows[6] = "~~~~~~~~~~~~~~~~", "~~.............."
    now = (
        table(terrain=rows, Reds="C8", Foe="C7").set("Foe", **foe) if foe else table(terrain=rows, Reds="C8", Foe="C7")
    )
    now.do(now.act("Reds", target="Foe"), melee=result_faces)
    return now


def test_w_10_where_recoil_is_impossible_the_next_worse_result_alone_applies_in_place():
    assert cornered((3, 4)).unit("Foe").morale == SHAKEN
    assert cornered((4, 5)).unit("Foe").morale == ROUTED
    assert cornered((6, 5)).gone("Foe") == "destroyed"
    assert cornered((3, 4)).at("Foe") == "C7"
    assert cornered((3, 3), morale=SHAKEN).unit("Foe").morale == ROUTED


def test_an_attacker_who_cannot_recoil_stays():
    """WC-8.3."""
    rows = ["................"] * 14
    rows[7], rows[8] = "~~.~~~~~~~~~~~~~", "~~~~~~~~~~~~~~~~"
    now = table(terrain=rows, Reds="C8", Foe="C7")
    now.do(now.act("Reds", target="Foe"), melee=(1, 1))
    assert now.at("Reds") == "C8"
    assert now.unit("Reds").fatigue == WINDED


# W-24, W-43


def test_w_24_a_troop_recoils_onto_friendly_characters_never_onto_another_troop():
    foes = ("foot:Foe", "foot:Rear", "foot:Side", "foot:Flank")
    now = table(
        foes=foes, enemies=(WingCharacter("Bo"),), Reds="C8", Foe="C7", Rear="C6", Bo="B6", Side="B7", Flank="P3"
    )
    now.do(now.act("Reds", target="Foe"), melee=(3, 4))
    assert now.at("Foe") == "B6"
    full = table(foes=foes, Reds="C8", Foe="C7", Rear="C6", Side="B6", Flank="B7")
    full.do(full.act("Reds", target="Foe"), melee=(3, 4))
    assert (full.at("Foe"), full.unit("Foe").morale) == ("C7", SHAKEN)


def test_w_24_every_enemy_closes_the_hex_a_lone_character_too():
    characters = tuple(map(WingCharacter, ("Kai", "Bo", "Cy")))
    now = table(characters=characters, Reds="C8", Foe="C7", Kai="C6", Bo="B6", Cy="B7")
    now.do(now.act("Reds", target="Foe"), melee=(3, 4))
    assert (now.at("Foe"), now.unit("Foe").morale) == ("C7", SHAKEN)


def test_w_43_a_recoil_ends_engagement_and_following_makes_adjacent_not_engaged():
    now = plain()
    now.do(now.act("Reds", target="Foe", follow=True), melee=(3, 4))
    assert now.at("Reds") == "C7"
    assert now.unit("Reds").foes == now.unit("Foe").foes == frozenset()
    stays = plain()
    stays.do(stays.act("Reds", target="Foe", follow=False), melee=(3, 4))
    assert stays.at("Reds") == "C8"


def test_w_43_following_is_a_move_and_a_recoil_is_none():
    now = plain()
    now.do(now.act("Reds", target="Foe"), melee=(3, 4))
    assert now.unit("Reds").moved
    assert not now.unit("Foe").moved


def test_w_43_it_follows_after_a_destruction_and_under_hold_only_if_it_says_so():
    """WC-8.4."""
    now = plain().set("Foe", morale=ROUTED)
    now.do(now.act("Reds", target="Foe"), melee=(5, 5))
    assert now.at("Reds") == "C7"
    held = plain().wing("a", order="hold")
    held.do(held.act("Reds", target="Foe"), melee=(3, 4))
    assert held.at("Reds") == "C8"
    chosen = plain().wing("a", order="hold")
    chosen.do(chosen.act("Reds", target="Foe", follow=True), melee=(3, 4))
    assert chosen.at("Reds") == "C7"


def test_w_11_engagement_is_a_melee_not_adjacency():
    now = plain()
    now.do(now.act("Reds", target="Foe"), melee=(3, 3))
    assert now.unit("Reds").foes == {now.ids["Foe"]}
    assert now.unit("Foe").foes == {now.ids["Reds"]}


# W-25 to W-27


def rich(**places):
    """A troop with two characters beside a friendly troop."""
    return table(
        foes=("foot:Foe", "foot:Rear"), enemies=(WingCharacter("Bo"), WingCharacter("Cy")),
        **{"Reds": "C8", "Foe": "C7", "Bo": "C7", "Cy": "C7", "Rear": "C5", "Chief b": "C7", **places},
    ).set("Foe", morale=ROUTED)  # fmt: skip


def test_w_25_the_order_after_the_blow():
    now = rich()
    kinds = now.do(now.act("Reds", target="Foe"), melee=(4, 5), fate=(1, 1, 5, 5, 6, 6), demoralisation=(6, 6, 6, 6))
    assert [roll.name for roll in now.dice.rolled] == [
        "melee", "melee", "fate", "fate", "fate", "fate", "fate", "fate", "demoralisation", "demoralisation",
        "demoralisation", "demoralisation",
    ]  # fmt: skip
    steps = ["Attacked", "Destroyed", "FateDecided", "FollowedUp", "WingTested", "MoraleLowered"]
    assert sorted(steps, key=kinds.index) == steps
    fates = [event.unit for event in now.events if isinstance(event, e.FateDecided)]
    assert fates == [now.ids["Chief b"], now.ids["Bo"], now.ids["Cy"]], "the commander, then the characters"
    lost = [event.unit for event in now.events if isinstance(event, Destroyed)]
    tested = [event.unit for event in now.events if isinstance(event, e.WingTested)]
    assert lost == tested == [now.ids["Foe"], now.ids["Chief b"]], "the troop first"


def test_w_25_the_lost_leader_counts_in_the_test():
    """WC-5.2."""
    now = rich()
    now.do(now.act("Reds", target="Foe"), melee=(4, 5), fate=(1, 1, 5, 5, 6, 6), demoralisation=(3, 3, 3, 3))
    second = [event for event in now.events if isinstance(event, e.WingTested)][1]
    assert sum(one.value for one in second.lines) == 3, "wing leader and army leader"
    assert not second.success
    assert now.state.wings["b"].leader == ""
    assert now.state.leaders[1] == ""


def test_m_5_a_wing_that_loses_its_leader_keeps_its_order():
    """WC-6. What is left of it still obeys: no leader is there to change it."""
    foes = ("foot:Foe", "foot:Rear", "foot:Side", "foot:Flank")
    at = {"Reds": "C8", "Foe": "C7", "Chief b": "C7", "Rear": "C5", "Side": "P5", "Flank": "P7"}
    now = table(foes=foes, **at).set("Foe", morale=ROUTED).wing("b", order="hold")
    now.do(now.act("Reds", target="Foe"), melee=(4, 5), fate=(1, 1), demoralisation=(1, 1, 1, 1))
    assert now.state.wings["b"].leader == ""
    assert now.state.wings["b"].order == "hold"


def test_w_26_a_saved_character_joins_the_nearest_friendly_troop_in_their_move():
    now = rich()
    now.do(now.act("Reds", target="Foe"), melee=(4, 5), fate=(5, 5, 5, 5, 5, 5), demoralisation=(1, 1))
    assert {now.at("Bo"), now.at("Cy"), now.at("Chief b")} == {"C5"}


def test_w_26_without_one_they_recoil_or_are_lost():
    now = rich(Rear="P8")
    now.do(now.act("Reds", target="Foe"), melee=(4, 5), fate=(5, 5, 5, 5, 5, 5), demoralisation=(1, 1))
    assert now.at("Bo") in ("C6", "B6")
    shut = table(
        enemies=(WingCharacter("Bo"),), terrain=["~" * 16] * 6 + ["~~.............."] + ["." * 16] * 7,
        Reds="C8", Foe="C7", Bo="C7",
    ).set("Foe", morale=ROUTED)  # fmt: skip
    shut.do(shut.act("Reds", target="Foe"), melee=(4, 5), fate=(5, 5), demoralisation=(1, 1, 1, 1))
    assert shut.gone("Bo") == "destroyed"


def test_w_27_who_commands_types_all_dice_of_the_command():
    """Each die bears the unit or wing it falls for; all of them belong to one command."""
    now = rich()
    now.do(now.act("Reds", target="Foe"), melee=(4, 5), fate=(1, 1, 5, 5, 6, 6), demoralisation=(3, 3, 3, 3))
    whose = [roll.army for roll in now.dice.rolled]
    assert whose[:2] == [now.ids["Reds"]] * 2
    assert whose[2:4] == [now.ids["Chief b"]] * 2
    assert set(whose[8:]) == {"b"}


def test_a_troop_that_routs_shakes_fit_characters_with_it():
    """WC-8.5."""
    now = table(enemies=(WingCharacter("Bo"),), Reds="C8", Foe="C7", Bo="C7")
    now.do(now.act("Reds", target="Foe"), melee=(6, 5))
    assert now.unit("Bo").morale == SHAKEN
    assert now.at("Bo") == now.at("Foe"), "they share its first recoil"


def test_w_3_every_wing_tests_for_the_army_leader_and_empty_ones_do_not():
    """WC-5.1."""
    enemy = [army("b", 1, "foot:Foe"), army("d", 1, "foot:Two"), army("f", 1, "foot:Three")]
    places = {"Reds": "C8", "Chief a": "A14", "Foe": "P2", "Chief b": "C7", "Two": "P3", "Chief d": "P3"}
    now = Table(army("a", 0, "foot:Reds"), *enemy, places=places)
    gone = now.state.field
    for name in ("Three", "Chief f"):
        gone = gone.put(now.ids[name], at="", gone="destroyed")
    now.state = now.state.but(field=gone).with_unit(now.ids["Chief b"], morale=ROUTED)
    now.do(now.act("Reds", target="Chief b"), melee=(5, 5))
    assert now.gone("Chief b") == "destroyed"
    assert [event.wing for event in now.events if isinstance(event, e.WingTested)] == ["b", "d"]


def test_a_failed_test_lowers_the_marker_to_4_at_least_and_shakes_the_wing():
    """WC-5.3."""
    now = plain().set("Foe", morale=ROUTED).wing("b", morale=4)
    now.put("Chief b", "P2")
    now.do(now.act("Reds", target="Foe"), melee=(5, 5), demoralisation=(6, 6))
    wing = now.state.wings["b"]
    assert (wing.morale, wing.shaken) == (4, 1)


# W-38


def test_w_38_a_routed_unit_beside_an_enemy_may_be_attacked_and_does_nothing_itself():
    now = plain().set("Reds", morale=ROUTED)
    now.refused(now.act("Reds", target="Foe"), "A routed unit can only rally")
    hit = plain().set("Foe", morale=ROUTED)
    assert "Attacked" in hit.do(hit.act("Reds", target="Foe"))


def test_w_14_an_unseen_unit_is_never_a_target():
    now = table(foes=(WingTroop("scouts", "Foe"),), characters=(WingCharacter("Kai", "archer-captain"),), Reds="P14",
                Foe="C7", Kai="C11", order="advance").set("Foe", posture="infiltrating")  # fmt: skip
    now.refused(now.act("Kai", target="Foe", how="missile"), "isn’t a valid target")
    now.refused(c.UnitAct(now.ids["Reds"], attack=c.Strike("nobody")), "isn’t a valid target")


# What a second reading of the law found


def thrown(places, posture="ground", **map_):
    """Foe, with a wall or a lake behind it in the north-west, is thrown back."""
    foe = army("b", 1, "griffins:Foe")
    land = open_ground(terrain=map_.pop("terrain", ())) | map_
    at = {"Reds": "C8", "Foe": "C7", "Chief a": "A14", "Chief b": "P1", **places}
    now = Table(army("a", 0, "foot:Reds"), foe, places=at, map_=land).set("Foe", posture=posture)
    now.set("Reds", posture=posture)
    now.do(now.act("Reds", target="Foe"), melee=(5, 4))
    assert now.event(e.Attacked).result == "recoil"
    return now.at("Foe")


WALLS = [{"between": ["C7", behind], "obstacle": "wall"} for behind in ("B6", "C6", "B7")]


def test_hx_2_3_nobody_on_foot_is_thrown_back_over_a_wall():
    assert thrown({}) == "C6"
    assert thrown({}, edges=WALLS) == "C7"
    assert thrown({}, "close_flight", edges=WALLS) == "C6"


def test_w_23_only_in_high_flight_a_recoil_ends_over_impassable_ground():
    lakes = [".." * 8] * 5 + [".~~.............", ".~.............."] + [".." * 8] * 7
    assert thrown({}, "close_flight", terrain=lakes) == "C7"
    assert thrown({}, "high_flight", terrain=lakes) == "C6"


def test_w_54_who_stays_by_choice_stays_when_the_troop_follows():
    at = {"Reds": "C8", "Foe": "C7", "Chief a": "C8", "Chief b": "P1"}
    for stay, end in (((), "C7"), (("Chief a",), "C8")):
        now = Table(army("a", 0, "foot:Reds"), army("b", 1, "foot:Foe"), places=at)
        now.do(now.act("Reds", target="Foe", stay=stay), melee=(4, 4))
        assert (now.at("Reds"), now.at("Chief a")) == ("C7", end)


def test_w_26_a_tailwind_counts_for_the_move_to_a_friendly_troop():
    own = army("a", 0, "trolls:Reds")
    foe = army("b", 1, "levy:Foe", "foot:Rear", move=2)
    at = {"Reds": "C8", "Foe": "C7", "Chief b": "C7", "Rear": "C3", "Chief a": "A14"}
    ends = []
    for windy in (False, True):
        now = Table(own, foe, places=at)
        if windy:
            wind = Timer("tailwind", (now.ids["Chief b"],), "", BOTH, END, 1)
            now.state = now.state.but(field=now.state.field.timed((wind,)))
        now.do(now.act("Reds", target="Foe", charge=False), melee=(6, 6), fate=(6, 6))
        ends.append(now.at("Chief b"))
    assert now.gone("Foe") == "destroyed"
    assert ends[1] == "C3"
    assert ends[0] != "C3"
