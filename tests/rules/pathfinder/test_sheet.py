"""PF-1: an army and its figures."""

from __future__ import annotations

from fractions import Fraction

import pytest

from rules.core.errors import InvalidInput
from rules.pathfinder.battle.orders.commands import Override
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import (
    SIZES,
    Acr,
    ArmySpec,
    MountSpec,
    TacticKnown,
    UnitSpec,
    army_rating,
    consumption_base,
    experience,
    hexes_per_day,
    hit_points,
    parse_cr,
    size_of,
)
from tests.rules.pathfinder.shown import shows
from tests.scenario import boss, has, scenario, spec

# slug: units, step, price factor, (Economy, Loyalty, Stability) lost by a defeat (PF-1.2)
SIZE_ROWS = {
    "fine": (1, -8, "1/8", (0, 0, 0)),
    "diminutive": (10, -6, "1/6", (0, -1, 0)),
    "tiny": (25, -4, "1/4", (-1, -1, 0)),
    "small": (50, -2, "1/2", (-1, -1, -1)),
    "medium": (100, 0, "1", (-2, -2, -2)),
    "large": (200, 2, "2", (-3, -2, -2)),
    "huge": (500, 4, "4", (-4, -2, -2)),
    "gargantuan": (1000, 6, "10", (-4, -2, -3)),
    "colossal": (2000, 8, "20", (-4, -3, -3)),
}


def levy(cr: str, count: int, **unit: object) -> ArmySpec:
    return ArmySpec("A", "A", UnitSpec("soldier", cr, **unit), count)  # type: ignore[arg-type]


def rating(cr: str, count: int) -> str:
    return str(LAW.sheet(levy(cr, count)).acr)


@pytest.mark.parametrize("step, cr", list(enumerate(["1/8", "1/6", "1/4", "1/3", "1/2", "1", "2", "3"])))
def test_the_ladder_of_challenge_ratings(step: int, cr: str) -> None:
    """PF-1.1: 1/8, 1/6, 1/4, 1/3, 1/2, 1, 2, 3, …"""
    assert parse_cr(cr) == Acr(step)
    assert str(Acr(step)) == cr


def test_a_third_and_four_steps_make_three() -> None:
    """PF-1.1: the example of the source, CR 1/3 with +4 → 3."""
    assert rating("1/3", 500) == "3"


@shows(*(f"size:{slug}" for slug in SIZE_ROWS))
@pytest.mark.parametrize("slug", SIZE_ROWS)
def test_each_size_moves_rating_price_and_the_cost_of_defeat(slug: str) -> None:
    """PF-1.2: the table."""
    units, step, factor, defeat = SIZE_ROWS[slug]
    size = SIZES[slug]
    assert (size.units, size.step, size.factor, size.defeat) == (units, step, Fraction(factor), defeat)
    assert rating("9", units) == str(9 + step)
    assert LAW.price(levy("9", units), "magic-weapons").bp == max(1, int(50 * Fraction(factor)))


@pytest.mark.parametrize(
    "count, slug",
    [(1, "fine"), (9, "fine"), (10, "diminutive"), (24, "diminutive"), (99, "small"), (100, "medium"),
     (199, "medium"), (499, "large"), (1999, "gargantuan"), (2000, "colossal"), (9_000_000, "colossal")],
)  # fmt: skip
def test_a_head_count_has_the_largest_row_it_fills(count: int, slug: str) -> None:
    """PF-1.2."""
    assert size_of(count).slug == slug


def test_the_higher_rating_of_rider_and_mount_counts() -> None:
    """PF-1.3."""
    rider = levy("2", 100)
    assert str(LAW.sheet(ArmySpec("A", "A", rider.unit, 100, mount=MountSpec("drake", cr="5"))).acr) == "5"
    assert str(LAW.sheet(ArmySpec("A", "A", rider.unit, 100, mount=MountSpec("pony", cr="1"))).acr) == "2"


def test_below_an_eighth_it_is_not_an_army() -> None:
    """PF-1.3: refused with the remedy, never clamped."""
    assert rating("1/3", 25 * 4) == "1/3"
    with pytest.raises(InvalidInput) as refused:
        LAW.sheet(levy("1/3", 25))
    assert "Add units until it reaches ACR 1/8" in str(refused.value)
    assert refused.value.field == "/count"


@pytest.mark.parametrize(
    "acr, die, points",
    [("9", "d8", 40), ("9", "d10", 49), ("9", "d12", 58), ("3", "d6", 10), ("3", "d4", 7), ("1/2", "d10", 2),
     ("1/8", "d4", 1)],
)  # fmt: skip
def test_hit_points_are_the_exact_rating_times_the_average_die(acr: str, die: str, points: int) -> None:
    """PF-1.4: floor, at least 1."""
    assert hit_points(parse_cr(acr), die) == points
    assert LAW.sheet(spec("A", acr=acr, hit_die=die)).hp_max == points


def test_a_lone_creature_is_a_fine_army() -> None:
    """PF-1.4."""
    sheet = LAW.sheet(levy("12", 1))
    assert (sheet.size.slug, str(sheet.acr)) == ("fine", "4")


def test_offense_is_the_rating_and_defense_ten_more() -> None:
    """PF-1.5, and a fraction counts 0 (R-6)."""
    assert (LAW.sheet(spec("A", acr=9)).om.total, LAW.sheet(spec("A", acr=9)).dv.total) == (9, 19)
    assert (LAW.sheet(spec("A", acr="1/3")).om.total, LAW.sheet(spec("A", acr="1/3")).dv.total) == (0, 10)


def test_a_fortification_is_part_of_the_defense() -> None:
    """PF-1.5, in a battle only (R-5)."""
    s = scenario().army("A").army("B").condition("fortification", "A", value=4)
    assert (s.dv("A"), LAW.sheet(s.specs["A"]).dv.total) == (23, 19)


@pytest.mark.parametrize(
    "acr, xp",
    [("1/8", 50), ("1/6", 65), ("1/4", 100), ("1/3", 135), ("1/2", 200), ("1", 400), ("2", 600), ("3", 800),
     ("4", 1200), ("5", 1600), ("6", 2400), ("7", 3200), ("8", 4800), ("20", 307_200), ("25", 1_638_400)],
)  # fmt: skip
def test_experience_of_a_rating(acr: str, xp: int) -> None:
    """PF-1.6."""
    assert experience(parse_cr(acr)) == xp


@pytest.mark.parametrize("acr, bp", [("1/8", 1), ("1", 1), ("2", 1), ("3", 1), ("4", 2), ("9", 4), ("20", 10)])
def test_consumption_is_half_the_rating_at_least_one(acr: str, bp: int) -> None:
    """PF-1.7, in BP a week."""
    assert consumption_base(parse_cr(acr)) == bp
    assert LAW.sheet(spec("A", acr=acr)).consumption.total == bp


def test_resources_add_to_consumption() -> None:
    """PF-1.7, PF-5: +1 and +2 at the factor 4 of a huge army; potions only in weeks they are drunk."""
    plain, equipped = (LAW.sheet(spec("A", acr=8, size="huge", resources=r)).consumption.total
                       for r in ((), ("mounts", "magic-armor", "healing-potions")))  # fmt: skip
    assert (plain, equipped) == (4, 4 + 4 + 8)


@pytest.mark.parametrize(
    "metres, hexes", [("1.5", 1), ("4.5", 1), ("6", 1), ("9", 2), ("12", 2), ("13.5", 3), ("18", 4)]
)
def test_speed_in_hexes_a_day(metres: str, hexes: int) -> None:
    """PF-1.8: max(1, floor(4 × metres ÷ 18))."""
    assert hexes_per_day(Fraction(metres)) == hexes
    assert LAW.sheet(spec("A", speed_m=float(metres))).speed.total == hexes


@pytest.mark.parametrize("acr, room", [("1/2", 0), ("1", 0), ("2", 1), ("5", 2), ("9", 4)])
def test_an_army_has_room_for_half_its_rating_in_tactics(acr: str, room: int) -> None:
    """PF-1.10."""
    assert LAW.sheet(spec("A", acr=acr)).tactics_max == room


def test_a_new_army_knows_only_what_is_always_known() -> None:
    """PF-1.10: standard and withdraw."""
    assert LAW.tactics_of(spec("A")) == ("standard", "withdraw")
    assert LAW.learn_tactic_refusal(spec("A"), "withdraw") is not None


def test_granted_tactics_take_no_room() -> None:
    """PF-1.10: GM-granted, commander's and tactician's tactics are not counted."""
    told = spec("A", acr=2, tactics=("taunt", "full-defense"), abilities=[has("tactician", tactic="cavalry-experts")],
                commander=boss("bonus-tactic:siegebreaker"))  # fmt: skip
    sheet = LAW.sheet(told)
    assert (sheet.tactics_counted, sheet.tactics_max) == (0, 1)
    assert set(LAW.tactics_of(told)) == {
        "standard", "withdraw", "taunt", "full-defense", "cavalry-experts", "siegebreaker"
    }  # fmt: skip
    assert LAW.learn_tactic_refusal(told, "defensive-wall") is None


def test_no_room_no_tactic() -> None:
    """PF-1.10: the refusal."""
    full = ArmySpec("A", "A", UnitSpec("soldier", "2"), 100, tactics=(TacticKnown("taunt"),))
    assert "room for 1 tactic" in str(LAW.learn_tactic_refusal(full, "defensive-wall"))
    assert LAW.learn_tactic_refusal(full, "defensive-wall", granted=True) is None
    assert "already knows Taunt" in str(LAW.learn_tactic_refusal(full, "taunt"))
    assert LAW.learn_tactic_refusal(full, "no-such") is not None


def test_the_mindless_learn_nothing_and_are_granted_nothing() -> None:
    """PF-9, PF-1.10: only the standard tactic."""
    dead = spec("A", acr=9, abilities=["mindless"])
    for granted in (False, True):
        assert "only use the standard tactic" in str(LAW.learn_tactic_refusal(dead, "taunt", granted))


def test_army_rating_is_the_same_through_every_door() -> None:
    """PF-1.3: the ladder, the sheet and the battle agree."""
    acr = army_rating(parse_cr("1/2"), SIZES["large"])
    s = scenario().army("A", acr="2", size="large").army("B")
    assert (str(acr), s.fighter("A").acr, s.fighter("A").hp_max) == ("2", 2, 9)


@pytest.mark.parametrize("alignment", ["LG", "N", "CE"])
def test_alignment_changes_no_figure(alignment: str) -> None:
    """PF-1.12: only for abilities that name it (Smite Evil)."""
    s = scenario().army("A", alignment=alignment).army("B")
    assert (s.om("A", "B"), s.dv("A", "B"), s.morale("A")) == (9, 19, 0)


def test_morale_runs_from_minus_four_to_four() -> None:
    """PF-1.9: the GM's hand too is held to it."""
    s = scenario().army("A", morale=3).army("B").override("A", "morale", 4)
    assert s.morale("A") == 4
    assert s.refused(Override("A", "morale", 5, "?")).field == "/value"
    assert s.refused(Override("A", "morale", -5, "?")).field == "/value"
