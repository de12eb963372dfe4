"""PF-5: what the treasury buys for an army."""

from __future__ import annotations

import pytest

from rules.core.errors import IllegalCommand
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Part
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import MountSpec
from rules.registry import ruleset
from tests.rules.pathfinder.shown import shows
from tests.scenario import hold, order, scenario, spec, use

PRICES = {  # BP, Consumption of a medium army (PF-5)
    "ranged-weapons": (2, 1),
    "improved-armor": (3, 1),
    "magic-armor": (15, 2),
    "improved-weapons": (3, 1),
    "magic-weapons": (50, 2),
    "siege-engines": (15, 3),
    "mounts": (1, 1),
    "healing-potions": (10, 3),
}
BUILDINGS = {
    "ranged-weapons": set(),
    "improved-armor": {"foreign-quarter", "military-academy", "smithy"},
    "magic-armor": {"foreign-quarter", "military-academy", "smithy"},
    "improved-weapons": {"foreign-quarter", "military-academy", "smithy"},
    "magic-weapons": {"foreign-quarter", "military-academy", "smithy"},
    "siege-engines": {"academy", "foreign-quarter", "military-academy", "university"},
    "mounts": {"foreign-quarter", "stable", "stockyard"},
    "healing-potions": {
        "alchemist",
        "casters-tower",
        "cathedral",
        "herbalist",
        "magic-shop",
        "magical-academy",
        "temple",
    },
}
POTION = use("healing-potions", kind="resource")


@pytest.mark.parametrize("slug", PRICES)
def test_price_consumption_and_buildings(slug: str) -> None:
    """PF-5: the table, for a medium army."""
    price = LAW.price(spec("A"), slug)
    assert ((price.bp, price.consumption), set(LAW.resources[slug].buildings)) == (PRICES[slug], BUILDINGS[slug])


@pytest.mark.parametrize(
    "size, bp, consumption", [("fine", 1, 1), ("tiny", 3, 1), ("huge", 60, 8), ("colossal", 300, 40)]
)
def test_prices_scale_with_size_rounded_down_at_least_one(size: str, bp: int, consumption: int) -> None:
    """PF-5: magic armor 15 and +2, each times the size's factor."""
    price = LAW.price(spec("A", acr=12, size=size), "magic-armor")
    assert (price.bp, price.consumption) == (bp, consumption)


def test_siege_engines_are_never_scaled() -> None:
    """PF-5: 15 BP and +3 each, whatever the size."""
    for size in ("tiny", "colossal"):
        army = spec("A", acr=12, size=size, resources={"siege-engines": 3})
        price = LAW.price(army, "siege-engines", 3)
        assert (price.bp, price.consumption) == (45, 9)
        assert LAW.sheet(army).consumption.total == 6 + 9


@pytest.mark.parametrize("cr, bp", [(None, 1), ("1/2", 1), ("3", 3)])
def test_mounts_cost_their_rating(cr: str | None, bp: int) -> None:
    """PF-5, R-3: at least 1; of no stated CR, 1."""
    assert LAW.price(spec("A", mount=MountSpec("mount", cr=cr)), "mounts").bp == bp
    assert LAW.price(spec("A", acr=12, size="huge", mount=MountSpec("mount", cr=cr)), "mounts").bp == 4 * bp


@shows("resource:ranged-weapons")
def test_ranged_weapons_let_the_army_shoot() -> None:
    """PF-5."""
    s = scenario().army("A", resources=["ranged-weapons"]).army("A2").army("B")
    s.ranged(A=order(), A2=order(), dice={"A attack": 14})
    assert s.hp("B") == 36


FIGURES = {  # OM, DV
    "improved-armor": (0, 1),
    "magic-armor": (0, 2),
    "improved-weapons": (1, 0),
    "magic-weapons": (2, 0),
    "siege-engines": (2, 0),
    "mounts": (2, 2),
}


@shows(*(f"resource:{slug}" for slug in FIGURES))
@pytest.mark.parametrize("slug", FIGURES)
def test_what_a_resource_adds(slug: str) -> None:
    """PF-5, on the sheet as in battle."""
    om, dv = FIGURES[slug]
    sheet = LAW.sheet(spec("A", resources=[slug]))
    s = scenario().army("A", resources=[slug]).army("B")
    assert (sheet.om.total, sheet.dv.total) == (s.om("A", "B"), s.dv("A", "B")) == (9 + om, 19 + dv)


def test_magic_replaces_what_is_improved() -> None:
    """PF-5: no +3."""
    both = LAW.sheet(spec("A", resources=["improved-armor", "magic-armor", "improved-weapons", "magic-weapons"]))
    assert (both.om.total, both.dv.total) == (11, 21)


def test_magic_weapons_strike_the_incorporeal() -> None:
    """PF-5: their attacks count as magic."""
    for resources, hp in ((["magic-weapons"], 38), (["improved-weapons"], 40)):
        s = scenario().army("A", resources=resources).army("B", abilities=["incorporeal"])
        s.melee(A=order(), dice={"A attack": 13})
        assert s.hp("B") == hp


def test_engines_give_two_whatever_their_number() -> None:
    """PF-5."""
    assert LAW.sheet(spec("A", resources={"siege-engines": 5})).om.total == 11


def test_each_engine_takes_a_d4_off_the_walls() -> None:
    """PF-5: cumulative for the battle, not below 0; moats unaffected."""
    wall, moat = Part("wall", "stone", 6), Part("moat", "water", 2)
    s = (
        scenario()
        .army("A", resources={"siege-engines": 2})
        .army("B")
        .condition("fortification", "B", parts=(wall, moat))
    )
    assert s.dv("B", "A") == 27
    s.melee(A=order(), dice={"A siege": [2, 3], "A attack": 2})
    assert (s.last(e.Attacked).against, s.dv("B", "A")) == (22, 22)
    s.melee(A=order(), dice={"A siege": [4, 4], "A attack": 2})
    assert s.dv("B", "A") == 21
    s.melee(A=order(), dice={"A attack": 2})


def test_engines_wear_nothing_down_in_a_ranged_phase() -> None:
    """PF-5: each melee phase."""
    s = (
        scenario()
        .army("A", resources=["siege-engines"], ranged=True)
        .army("B")
        .condition("fortification", "B", value=4)
    )
    s.ranged(A=order(), dice={"A attack": 2})
    assert s.all(e.FortWorn) == []


def test_mounts_of_a_higher_rating_raise_the_army() -> None:
    """PF-5, PF-1.3."""
    sheet = LAW.sheet(spec("A", resources=["mounts"], mount=MountSpec("drake", cr="11")))
    assert (str(sheet.acr), sheet.om.total, sheet.hp_max) == ("11", 13, 49)


@shows("resource:healing-potions")
def test_potions_heal_twice_the_rating_instead_of_attacking_twice_a_battle() -> None:
    """PF-5: 2 × ACR, no Offense check that phase, a third is refused."""
    s = scenario().army("A", hp=2, resources=["healing-potions"]).army("B")
    s.melee(A=order("B", POTION))
    assert (s.hp("A"), s.all(e.Attacked)) == (20, [])
    s.melee(A=hold(POTION))
    assert s.hp("A") == 38
    assert "already" in str(s.refusal(A=hold(POTION)))


def test_healing_never_passes_the_maximum() -> None:
    """PF-5."""
    s = scenario().army("A", hp=35, resources=["healing-potions"]).army("B").melee(A=hold(POTION))
    assert (s.hp("A"), s.last(e.Healed).amount) == (40, 5)


def test_the_mindless_and_animals_are_unfit() -> None:
    """PF-5.1: no engines for the mindless; no potions or weapons for animals."""
    with pytest.raises(IllegalCommand, match="This army can’t use"):
        LAW.refuse_resource(spec("A", abilities=["mindless"]), "siege-engines")
    LAW.refuse_resource(spec("A", abilities=["mindless"]), "improved-weapons")
    thinking = ruleset("combat-de-masse", {"overlay": {"abilities": {"mindless": {"off": True}}}})
    thinking.refuse_resource(spec("A", abilities=["mindless"]), "siege-engines")
    beasts = spec("A", creature_type="animal")
    for slug in ("healing-potions", "improved-weapons", "magic-weapons", "ranged-weapons"):
        with pytest.raises(IllegalCommand, match="This army can’t use"):
            LAW.refuse_resource(beasts, slug)
    LAW.refuse_resource(beasts, "improved-armor")


def test_a_resource_is_bought_once_but_engines_as_often_as_wanted() -> None:
    """PF-5: the refusals."""
    with pytest.raises(IllegalCommand, match="already has"):
        LAW.refuse_resource(spec("A", resources=["mounts"]), "mounts")
    with pytest.raises(IllegalCommand, match="This army already has something better"):
        LAW.refuse_resource(spec("A", resources=["magic-armor"]), "improved-armor")
    with pytest.raises(IllegalCommand, match="once"):
        LAW.refuse_resource(spec("A"), "mounts", 2)
    with pytest.raises(IllegalCommand, match="” not found"):
        LAW.refuse_resource(spec("A"), "balloons")
    LAW.refuse_resource(spec("A", resources=["siege-engines"]), "siege-engines", 3)
