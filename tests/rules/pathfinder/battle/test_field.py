"""PF-4: conditions of the battlefield, wind and walls."""

from __future__ import annotations

import pytest

from rules.core.errors import InvalidInput
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import Part, SetCondition
from tests.rules.pathfinder.shown import shows
from tests.scenario import hold, order, scenario

FIGURES = {  # OM and DV of an army under the condition (PF-4)
    "advantageous-terrain": (0, 2),
    "battlefield-advantage": (2, 2),
    "darkness": (-2, -3),
    "dim-light": (-1, 0),
}
WINDS = {  # ordinary shots, engines and rocks; None: impossible (PF-4.1)
    "light": (0, 0),
    "moderate": (0, 0),
    "strong": (-2, 0),
    "severe": (-4, 0),
    "windstorm": (None, -4),
    "hurricane": (None, -8),
    "tornado": (None, None),
}


@shows(*(f"condition:{slug}" for slug in FIGURES))
@pytest.mark.parametrize("slug", FIGURES)
def test_conditions_of_plain_figures(slug: str) -> None:
    """PF-4: on the army named, not on the other."""
    om, dv = FIGURES[slug]
    s = scenario().army("A").army("B").condition(slug, "A")
    assert (s.om("A", "B"), s.dv("A", "B")) == (9 + om, 19 + dv)
    assert (s.om("B", "A"), s.dv("B", "A")) == (9, 19)


@pytest.mark.parametrize("slug", ["darkness", "dim-light"])
def test_a_condition_of_the_field_reaches_all_but_the_exempt(slug: str) -> None:
    """PF-4."""
    om, dv = FIGURES[slug]
    s = scenario().army("A").army("B").army("B2").condition(slug, exempt=("B2",))
    assert [(s.om(army), s.dv(army)) for army in ("A", "B", "B2")] == [(9 + om, 19 + dv)] * 2 + [(9, 19)]


@shows("condition:bright-light")
def test_bright_light_matters_to_the_light_sensitive_only() -> None:
    """PF-4."""
    s = scenario().army("A").army("B", abilities=["light-sensitivity"]).condition("bright-light")
    assert (s.om("A"), s.om("B")) == (9, 8)


@shows("condition:fog")
def test_fog_halves_damage_and_hides_withdrawals() -> None:
    """PF-4."""
    s = scenario().army("A").army("B").condition("fog").melee(A=order(), dice={"A attack": 15})
    assert (s.last(e.Attacked).damage, s.morale("A", "withdraw"), s.morale("A", "rout")) == (2, 2, 0)


@shows("condition:sandstorm")
def test_a_sandstorm_is_fog_and_costs_a_point_each_phase() -> None:
    """PF-4: in each ranged and melee phase, every army."""
    s = scenario().army("A").army("B").condition("sandstorm").ranged().melee(A=order(), dice={"A attack": 15})
    assert (s.hp("A"), s.hp("B"), s.morale("A", "withdraw")) == (38, 36, 2)


@shows("condition:snow")
def test_snow_shoots_as_rain_and_halves_damage() -> None:
    """PF-4."""
    s = scenario().army("A", ranged=True).army("B").condition("snow").ranged(A=order(), dice={"A attack": 20})
    assert (s.last(e.Attacked).check, s.last(e.Attacked).damage) == (25, 3)
    assert s.morale("A", "withdraw") == 0


@shows("condition:rain")
def test_rain_is_severe_wind_in_ranged_phases_only() -> None:
    """PF-4."""
    s = scenario().army("A", ranged=True).army("B").condition("rain")
    assert (s.om("A", "B", "shot"), s.om("A", "B", "melee")) == (5, 9)


def test_two_conditions_that_halve_damage_halve_it_once() -> None:
    """PF-4."""
    s = scenario().army("A").army("B").condition("fog").condition("snow").melee(A=order(), dice={"A attack": 18})
    assert s.last(e.Attacked).damage == 4


@shows("condition:fortification")
def test_a_fortification_without_a_figure_is_worth_eight() -> None:
    """PF-4: the army inside only."""
    s = scenario().army("A").army("B").army("B2").condition("fortification", "B")
    assert (s.dv("B", "A"), s.dv("B2", "A")) == (27, 19)
    s = scenario().army("A").army("B").condition("fortification", "B", value=3)
    assert s.dv("B", "A") == 22


@shows("condition:on-water")
def test_on_water_matters_to_the_aquatic() -> None:
    """PF-4."""
    s = scenario().army("A", abilities=["aquatic"]).army("B")
    before = s.om("A", "B")
    s.condition("on-water", "B")
    assert (before, s.om("A", "B")) == (7, 10)


@shows("condition:suits-mobility")
def test_ground_for_mobility() -> None:
    """PF-4."""
    s = scenario().army("A", abilities=["mobility"]).army("B")
    before = s.om("A", "B")
    s.condition("suits-mobility")
    assert (before, s.om("A", "B"), s.om("B", "A")) == (9, 10, 9)


@shows("condition:heroes")
def test_heroes() -> None:
    """PF-4, PF-3.12."""
    s = scenario().army("A").army("B").condition("heroes", "A", value=-4)
    assert (s.om("A"), s.dv("A")) == (5, 15)


@shows("condition:wind")
@pytest.mark.parametrize("force", WINDS)
def test_wind_hinders_ordinary_shots(force: str) -> None:
    """PF-4.1: shots only; impossible ones are lost."""
    ordinary, _heavy = WINDS[force]
    s = scenario().army("A", ranged=True).army("B").condition("wind", value=force)
    assert s.om("A", "B", "melee") == 9
    s.ranged(A=order(), dice={} if ordinary is None else {"A attack": 2})
    if ordinary is None:
        assert s.last(e.AttackLost).why == "wind"
    else:
        assert s.last(e.Attacked).check == 11 + ordinary


@pytest.mark.parametrize("force", WINDS)
def test_wind_hinders_engines_and_rocks_less(force: str) -> None:
    """PF-4.1, R-11."""
    _ordinary, heavy = WINDS[force]
    for fields in ({"abilities": ["rock-throwing"]}, {"resources": ["siege-engines"]}):
        s = scenario().army("A", **fields).army("B").condition("wind", value=force).declared("engines_shoot", "A")
        s.ranged(A=order(), dice={} if heavy is None else {"A attack": 2})
        if heavy is None:
            assert s.last(e.AttackLost).why == "wind"
        else:
            assert s.last(e.Attacked).check == 11 + (2 if "resources" in fields else 0) + heavy


def test_the_gm_sets_and_lifts_conditions_during_the_battle() -> None:
    """PF-4: they last for the battle unless lifted."""
    s = scenario().army("A").army("B").until("melee").condition("darkness")
    assert s.om("A") == 7
    s.condition("darkness", lift=True)
    assert s.om("A") == 9
    assert "isn’t in force" in str(s.refused(c.ChangeCondition(SetCondition("darkness"), lift=True)))


WRONG = {
    "no such condition": (SetCondition("drizzle"), "/condition"),
    "army unknown": (SetCondition("fog", armies=("Z",)), "/armies"),
    "exempt unknown": (SetCondition("fog", exempt=("Z",)), "/except"),
    "army missing": (SetCondition("advantageous-terrain"), "/armies"),
    "no such wind": (SetCondition("wind", "breeze"), "/value"),
    "wind missing": (SetCondition("wind"), "/value"),
    "heroes of 3": (SetCondition("heroes", 3, ("A",)), "/value"),
    "fog with a value": (SetCondition("fog", 2), "/value"),
    "negative wall": (SetCondition("fortification", -1, ("A",)), "/value"),
    "absurd wall": (SetCondition("fortification", 10_000, ("A",)), "/value"),
    "parts of fog": (SetCondition("fog", parts=(Part(),)), "/parts"),
    "unknown part": (SetCondition("fortification", 1, ("A",), parts=(Part("roof", "stone", 1),)), "/parts/0/kind"),
    "unknown material": (
        SetCondition("fortification", 1, ("A",), parts=(Part("wall", "jam", 1),)),
        "/parts/0/material",
    ),
    "parts that do not add up": (SetCondition("fortification", 5, ("A",), parts=(Part("wall", "stone", 4),)), "/value"),
}


@pytest.mark.parametrize("why", WRONG)
def test_impossible_conditions_are_refused_in_setup_and_in_battle(why: str) -> None:
    """PF-4: the refusals, with their pointers."""
    condition, field = WRONG[why]
    s = scenario().army("A").army("B").until("melee")
    assert s.refused(c.ChangeCondition(condition)).field == field
    opening = scenario().army("A").army("B")
    opening.conditions.append(condition)
    with pytest.raises(InvalidInput) as refused:
        _ = opening.state
    assert refused.value.field == f"/conditions/0{field}"


def test_a_damaged_wall_still_shelters_by_what_is_left() -> None:
    """PF-5, R-14: engines wear it for the battle."""
    s = scenario().army("A", resources=["siege-engines"]).army("A2").army("B").condition("fortification", "B", value=5)
    s.melee(A=order(), dice={"A siege": 3, "A attack": 2}).melee(
        A=order(), A2=hold(), dice={"A siege": 4, "A attack": 2}
    )
    assert [event.amount for event in s.all(e.FortWorn)] == [3, 2]
    assert s.dv("B", "A2") == 19
