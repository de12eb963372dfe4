"""R-10 to R-17: the field."""

from __future__ import annotations

import pytest

from rules.core.dice import DiceNeeded, Typed
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Part
from tests.scenario import GM, Scenario, boss, has, hold, order, scenario, use


def test_darkness_replaces_dim_light() -> None:
    """R-10: one light level for an army."""
    s = scenario().army("A").army("B").condition("dim-light").condition("darkness", "A")
    assert (s.om("A"), s.om("B")) == (7, 8)


@pytest.mark.parametrize("winds, om", [(("strong", "severe"), 5), (("strong",), 7)])
def test_only_the_strongest_wind_counts(winds: tuple[str, ...], om: int) -> None:
    """R-10: rain and snow are severe wind; severe is nothing to engines."""
    s = scenario().army("A", ranged=True).army("B")
    for number, wind in enumerate(winds):
        s.condition("wind", *(("A",) * number), value=wind)
    assert s.om("A", "B", "shot") == om
    s.condition("rain").condition("snow")
    assert s.om("A", "B", "shot") == 5
    engines = (
        scenario().army("A", resources=["siege-engines"]).army("B").condition("rain").declared("engines_shoot", "A")
    )
    assert engines.om("A", "B", "shot") == 11


@pytest.mark.parametrize(
    "shooter, om",
    [({"abilities": ["breath-weapon"]}, 5), ({"abilities": ["bomb"]}, 5),
     ({"abilities": [has("spellcasting", 1, ranged=True)]}, 6), ({"abilities": ["rock-throwing"], "ranged": True}, 9),
     ({"resources": ["siege-engines", "ranged-weapons"]}, 7)],
)  # fmt: skip
def test_the_column_of_a_shot(shooter: dict[str, object], om: int) -> None:
    """R-11: rocks, else engines where the GM lets them shoot, else ordinary."""
    s = scenario().army("A", **shooter).army("B").condition("wind", value="severe")
    assert s.om("A", "B", "shot") == om


def test_weather_for_the_senses_is_wind_never_fog_or_impossible() -> None:
    """R-12."""
    s = scenario().army("A", abilities=["blindsight"], ranged=True).army("B").condition("fog")
    s.condition("wind", value="strong").ranged(A=order(), dice={"A attack": 15})
    assert (s.last(e.Attacked).check, s.last(e.Attacked).damage) == (24, 2)
    s = scenario().army("A", abilities=["blindsight"], ranged=True).army("B").condition("wind", value="windstorm")
    s.ranged(A=order())
    assert s.last(e.AttackLost).why == "wind"


def test_fog_halves_offense_checks_only_by_the_attackers_own_fog() -> None:
    """R-13: not bleeding, not the sandstorm's point."""
    s = scenario().army("A", abilities=["bleed"]).army("B").condition("fog", "A")
    s.melee(A=order(), B=order(), dice={"A attack": 14, "B attack": 14})
    assert (s.hp("B"), s.hp("A")) == (38, 36)
    s.melee(dice={"B bleed": 6})
    assert s.hp("B") == 32
    storm = scenario().army("A").army("B").condition("sandstorm").ranged()
    assert storm.hp("A") == 39


def test_tracking_leaves_three_quarters() -> None:
    """R-13: floor(7 × 3/4) = 5."""
    s = scenario().army("A", abilities=["track"]).army("B").condition("snow").melee(A=order(), dice={"A attack": 17})
    assert s.last(e.Attacked).damage == 5


def test_a_fortification_is_shared_and_so_is_its_wear() -> None:
    """R-14: one object for the armies inside."""
    s = (
        scenario()
        .army("A", resources=["siege-engines"])
        .army("B")
        .army("B2")
        .condition("fortification", "B", "B2", value=6)
    )
    s.melee(A=order("B"), dice={"A siege": 4, "A attack": 2})
    assert (s.dv("B", "A"), s.dv("B2", "A")) == (21, 21)


def test_two_fortifications_add() -> None:
    """R-14."""
    s = scenario().army("A").army("B").army("B2").condition("fortification", "B", value=4)
    s.condition("fortification", "B", "B2", value=2)
    assert (s.dv("B", "A"), s.dv("B2", "A")) == (25, 21)


def test_two_fortifications_of_the_same_army_add_when_the_battle_opens_with_both() -> None:
    """R-14: a fortress inside a town; set again in the battle it is one, and keeps the wear of both."""
    s = scenario().army("A", resources=["siege-engines"]).army("B").condition("fortification", "B", value=4)
    s.condition("fortification", "B", value=2)
    assert s.dv("B", "A") == 25
    s.melee(A=order("B"), dice={"A siege": 3, "A attack": 2})
    assert s.dv("B", "A") == 22
    s.condition("fortification", "B", value=9)
    assert s.dv("B", "A") == 25


def test_the_armies_of_a_fortification_may_be_named_in_any_order() -> None:
    """R-14: told again it is the same place, to change it or to lift it."""
    s = scenario().army("A").army("B").army("B2").condition("fortification", "B", "B2", value=4).until("melee")
    s.condition("fortification", "B2", "B", value=6)
    assert s.dv("B", "A") == 25
    s.condition("fortification", "B", "B2", lift=True)
    assert s.dv("B", "A") == 19


@pytest.mark.parametrize("part", [Part("force", "stone", 4), Part("wall", "force", 4), Part("moat", "water", 4)])
def test_nobody_climbs_a_moat_or_a_wall_of_force(part: Part) -> None:
    """PF-9, R-14."""
    s = scenario().army("A", abilities=["climb"]).army("B").condition("fortification", "B", parts=(part,))
    assert s.dv("B", "A") == 23


def test_an_army_is_behind_it_whatever_the_attacker_ignores() -> None:
    """R-14: Sharpshooter counts in melee too, until the value after wear is 0."""
    sharp = boss("sharpshooter")
    s = scenario().army("A", ranged=True, abilities=["flight"], resources=["siege-engines"], commander=sharp).army("B")
    s.condition("fortification", "B", parts=(Part("wall", "stone", 4),))
    assert (s.om("A", "B", "melee"), s.dv("B", "A")) == (13, 19)
    s.melee(A=order(), dice={"A siege": 3, "A attack": 2})
    assert s.om("A", "B", "melee") == 13
    s.melee(A=order(), dice={"A siege": 1, "A attack": 2})
    assert s.om("A", "B", "melee") == 11


def test_an_exempt_army_stands_outside() -> None:
    """PF-4, R-14."""
    s = scenario().army("A").army("B").army("B2").condition("fortification", "B", "B2", value=4, exempt=("B2",))
    assert (s.dv("B", "A"), s.dv("B2", "A")) == (23, 19)


def test_an_unstated_part_is_of_stone() -> None:
    """R-14: other, stone: earth gliders ignore it, flyers do not."""
    s = scenario().army("A", abilities=["earth-glide"]).army("A2", abilities=["flight"]).army("B")
    s.condition("fortification", "B", value=4)
    assert (s.dv("B", "A"), s.dv("B", "A2")) == (19, 23)


def test_climbers_count_what_is_left_after_wear() -> None:
    """R-14: three quarters of 8 − 3 = 5, rounded down."""
    s = scenario().army("A", resources=["siege-engines"], abilities=["climb"]).army("B").condition("fortification", "B")
    s.melee(A=order(), dice={"A siege": 3, "A attack": 2})
    assert s.last(e.Attacked).against == 19 + 3


def test_all_wear_comes_before_all_attacks() -> None:
    """R-15: the ally who strikes first in order already finds the wall lower."""
    s = scenario().army("A").army("A2", resources=["siege-engines"]).army("B").condition("fortification", "B", value=4)
    s.melee(A=order(), A2=order(), dice={"A2 siege": 4, "A attack": 2, "A2 attack": 2})
    assert [hit.against for hit in s.all(e.Attacked)] == [19, 19]


def walled_twice(*armies: str) -> Scenario:
    s = scenario()
    for army in armies:
        s.army(army, resources={"siege-engines": 2})
    s.army("B").condition("fortification", "B", value=3)
    return s.condition("fortification", "B", parts=(Part("moat", "water", 2), Part("wall", "stone", 6)))


def test_wear_goes_on_to_the_next_fortification_of_the_army() -> None:
    """R-15, R-14, PF-5: 3 + 4 wear the first through and take 4 of the second; the moat stays."""
    s = walled_twice("A").melee(A=order(), dice={"A siege": [3, 4], "A attack": 2})
    worn = [(event.amount, event.left, [roll.value for roll in event.rolls]) for event in s.all(e.FortWorn)]
    assert worn == [(3, 0, [3, 4]), (4, 2, [])]
    assert s.last(e.Attacked).against == 19 + 2 + 2
    s.melee(A=order(), dice={"A siege": [4, 4], "A attack": 2})
    assert s.last(e.Attacked).against == 19 + 2
    s.melee(A=order(), dice={"A attack": 2})  # nothing is left that engines could wear


def test_the_next_engines_go_on_where_the_first_left_off() -> None:
    """R-15: in the same phase."""
    s = walled_twice("A", "A2")
    s.melee(A=order(), A2=order(), dice={"A siege": [1, 1], "A2 siege": [2, 2], "A attack": 2, "A2 attack": 2})
    assert [(event.army, event.amount) for event in s.all(e.FortWorn)] == [("A", 2), ("A2", 1), ("A2", 3)]


def test_wear_stays_with_the_fortifications_of_the_army_attacked() -> None:
    """R-15: what is left over does nothing to the walls of another."""
    s = scenario().army("A", resources={"siege-engines": 2}).army("B").army("B2")
    s.condition("fortification", "B", value=3).condition("fortification", "B2", value=3)
    s.melee(A=order("B"), dice={"A siege": [4, 4], "A attack": 2})
    assert (s.dv("B", "A"), s.dv("B2", "A")) == (19, 22)


@pytest.mark.parametrize("second, together", [("B", False), ("B2", True)])
def test_siege_dice_are_asked_for_as_long_as_a_wall_must_stand(second: str, together: bool) -> None:
    """R-15: against the same walls the second army waits: it may be that nothing is left for it to wear."""
    s = scenario().army("A", resources=["siege-engines"]).army("A2", resources=["siege-engines"]).army("B").army("B2")
    s.condition("fortification", "B", value=1).condition("fortification", "B", "B2", value=2)
    s.condition("fortification", "B2", value=1).until("melee")
    s.order("A", order("B")).order("A2", order(second)).order("B", hold()).order("B2", hold())
    with pytest.raises(DiceNeeded) as needed:
        decide(s.state, c.Resolve(), Typed((), ask=True), GM)
    asked = [(ask.army, ask.name) for ask in needed.value.asks]
    assert ("A", "siege") in asked
    assert (("A2", "siege") in asked) is together


def test_engines_wear_the_walls_of_their_target_only() -> None:
    """R-15."""
    s = scenario().army("A", resources=["siege-engines"]).army("B").army("B2")
    s.condition("fortification", "B2", value=4).melee(A=order("B"), dice={"A attack": 2})
    assert s.dv("B2", "A") == 23


def test_a_destroyed_engine_is_gone_with_its_bonus_from_the_next_phase() -> None:
    """R-15: the last one takes the OM +2 with it; this phase's attack still had it."""
    s = scenario().army("A", tactics=["siegebreaker"]).army("B", resources=["siege-engines"]).tactics(A="siegebreaker")
    s.melee(A=order(), B=order(), dice={"A attack": 14, "B attack": 2, "A siegebreaker": 20})
    assert (s.last(e.Attacked, "B").check, s.om("B")) == (2 + 11, 9)


def test_favored_terrain_works_against_its_owner_only() -> None:
    """R-16."""
    s = scenario().army("A", abilities=["favored-terrain"]).army("A2").army("B").condition("battlefield-advantage", "B")
    assert (s.om("B", "A"), s.om("B", "A2"), s.om("B")) == (10, 11, 11)


def test_mobility_needs_the_ground_of_field_or_army() -> None:
    """R-16."""
    s = scenario().army("A", abilities=["mobility"]).army("A2", abilities=["mobility"]).army("B")
    s.condition("suits-mobility", "A")
    assert (s.om("A", "B"), s.om("A2", "B")) == (10, 9)


def test_mobility_without_the_ground_protects_from_nothing() -> None:
    """R-16: the foe's mobility counts only where it is in force: by the field or by the ground it stands on itself."""
    s = scenario().army("A", abilities=["incorporeal"]).army("A2", abilities=["mobility"])
    s.army("B", abilities=["mobility"]).condition("suits-mobility", "A2")
    assert (s.om("A", "B"), s.om("A2", "B")) == (10, 10)
    s.condition("suits-mobility", "B")
    assert (s.om("A", "B"), s.om("A2", "B"), s.om("B", "A2")) == (9, 9, 9)


@pytest.mark.parametrize("exempt", ["A", "B"])
def test_an_army_exempt_from_the_ground_is_not_mobile_there(exempt: str) -> None:
    """R-16."""
    s = scenario().army("A", abilities=["mobility"]).army("B", abilities=["mobility"])
    s.condition("suits-mobility", exempt=(exempt,))
    other = "B" if exempt == "A" else "A"
    assert (s.om(exempt, other), s.om(other, exempt)) == (9, 10)


def test_every_army_not_on_water_is_on_land() -> None:
    """R-16."""
    s = scenario().army("A", abilities=["aquatic"]).army("B").condition("on-water", "A")
    assert (s.om("A", "B"), s.dv("A", "B")) == (7, 19)


def test_an_ambush_uses_conditions_boons_and_abilities() -> None:
    """R-17: but no tactic, strategy or wind; one d20 for each ambusher and target."""
    s = scenario().army("A", abilities=["pounce"]).army("A2").army("B", commander=boss("defensive-tactics"))
    s.condition("darkness", "A").condition("wind", value="severe").condition("heroes", "B", value=4)
    s.ambush("A", "B").ambush("A2", "B").setup(dice={"A ambush": 10, "A2 ambush": 20})
    assert [(event.check, event.against) for event in s.all(e.Ambushed)] == [(10 + 8, 25), (29, 25)]
    assert [event.success for event in s.all(e.Ambushed)] == [False, True]


def test_heroes_are_a_condition_of_an_army() -> None:
    """R-17."""
    s = scenario().army("A").army("B").until("melee").condition("heroes", "B", value=4)
    assert (s.om("B"), s.dv("B"), s.om("A")) == (13, 23, 9)


def test_heroes_named_for_two_armies_and_for_one_of_them_count_once() -> None:
    """R-17, PF-3.12: their army has +4, however often it is told; a failure beside it counts as well."""
    s = scenario().army("A").army("A2").army("B")
    s.condition("heroes", "A", "A2", value=4).condition("heroes", "A", value=4)
    assert (s.om("A", "B"), s.om("A2", "B")) == (13, 13)
    s = scenario().army("A").army("A2").army("B")
    s.condition("heroes", "A", "A2", value=4).condition("heroes", "A", value=-4)
    assert (s.om("A", "B"), s.om("A2", "B")) == (9, 13)


def test_lifting_one_fortification_leaves_the_others_their_own() -> None:
    """R-14: wear goes to the one attacked, whatever was lifted before."""
    s = scenario().army("A", resources=["siege-engines"]).army("B").army("B2").army("B3").until("melee")
    s.condition("fortification", "B", value=4).condition("fortification", "B2", value=4)
    s.condition("fortification", "B", value=4, lift=True).condition("fortification", "B3", value=4)
    s.melee(A=order("B3"), dice={"A siege": 3, "A attack": 2})
    assert (s.dv("B", "A"), s.dv("B2", "A"), s.dv("B3", "A")) == (19, 23, 20)


def test_who_dug_under_one_fortification_has_not_dug_under_the_next() -> None:
    """R-14: one fortification is an object; another, set after the first was lifted, stands before the digger."""
    s = scenario().army("A", abilities=["burrow"]).army("B").army("B2").condition("fortification", "B", value=4)
    s.melee(A=order("B", use("burrow", target="B"))).until("melee")
    s.condition("fortification", "B", lift=True).condition("fortification", "B2", value=4)
    assert (s.dv("B", "A"), s.dv("B2", "A")) == (19, 23)
