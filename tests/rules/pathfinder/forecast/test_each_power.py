"""Each thing arrays keep of an army, where it decides the battle: arrays and engine tell of the same future."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from rules.core.odds import AboutOdds
from rules.pathfinder.forecast.simulate import Pace, thrown_by_engine
from tests.everyday import at_most
from tests.rules.pathfinder.forecast.alike import apart, thrown_by_arrays
from tests.scenario import Scenario, boss, has, order, scenario, use

PHASES = 4
TIMID = {"morale": -2, "hit_die": "d12"}


def two_against_two(*abilities: object, tactic: str = "standard", **fields: object) -> Scenario:
    s = scenario()
    for name in ("A", "A2", "B", "B2"):
        s.army(name, abilities=abilities, tactics=[tactic], **fields)
    return s.tactics(**dict.fromkeys(("A", "A2", "B", "B2"), tactic)).until("melee")


def sung_for() -> Scenario:
    """R-25: the bards of A sing for A2, which is hit harder once they are gone."""
    s = scenario().army("A", abilities=["inspire-courage"], acr=5).army("A2").army("B").army("B2").until("melee")
    return s.order("A", order("B", use("inspire-courage", target="A2")))


def withdrawing() -> Scenario:
    """PF-3.10, R-29, R-31: A leaves, A2 keeps its distance, both grabbed at and tripped; B can shoot, B2 cannot."""
    s = scenario().army("A", ranged=True).army("A2")
    s.army("B", abilities=["grab", "trip"], ranged=True).army("B2", abilities=["grab"]).until("melee")
    s.order("A", order("B", tactic="withdraw")).order("B2", order("A2"))
    return s.order("A2", order("B2", tactic="withdraw", withdraw="range"))


def slipping_away() -> Scenario:
    """PF-3.10, R-29: three who grab hold fast what would leave."""
    s = scenario().army("A", morale=2)
    for name in ("B", "B2", "B3"):
        s.army(name, abilities=["grab"])
    return s.until("melee").order("A", order("B", tactic="withdraw"))


def natural_ones() -> Scenario:
    """PF-3.6: two blows fell B whatever they show, unless the first is a 1 and the second does not fall."""
    s = scenario().army("A", abilities=["mindless"]).army("B", abilities=["mindless"]).until("melee")
    return s.override("A", "om", 30)


def parting() -> Scenario:
    """R-46, PF-3.9: B runs, hurt by no more than the sand; the strong A may not strike after it, barred by a 1."""
    s = scenario().condition("sandstorm").army("A").army("B", morale=-4).until("melee")
    return s.melee(dice={"A attack": 1}, A=order("B")).override("A", "om", 30).override("B", "hp", 9)


def spawning() -> Scenario:
    """R-54: ghouls feast on the weak, two of three at a time."""
    s = scenario().army("A", abilities=["create-spawn"], hp=20).army("B", acr=9, hp=9).army("B2", acr=9, hp=9)
    return s.army("B3", acr=9, hp=9).until("melee")


def overhead() -> Scenario:
    """R-26: after a natural 1 a flyer hovers; who has no wings seeks another."""
    s = scenario().army("A", abilities=["flight"]).army("A2").army("B").army("B2", abilities=["flight"])
    return s.until("melee").melee(dice={"A attack": 1}, A=order("B"))


def bloodied() -> Scenario:
    """PF-2.9: better when half dead; and the line is held."""
    led = {"commander": boss("bloodied-but-unbroken", "hold-the-line")}
    s = scenario().army("A", **led).army("B", **led).until("melee")
    return s.order("A", order("B", hold_the_line=True))


FIELDS: dict[str, Callable[[], Scenario]] = {
    "fear": lambda: two_against_two("fear", tactic="taunt", **TIMID),
    "unnatural aura": lambda: two_against_two("unnatural-aura", creature_type="animal", **TIMID),
    "ferocity": lambda: two_against_two("ferocity"),
    "ferocity of the regenerating": lambda: two_against_two("ferocity", has("regeneration", 4)),
    "regeneration": lambda: two_against_two(has("regeneration", 6), hp=12),
    "bleeding": lambda: two_against_two("poison", has("poison-resistance", 9), has("fast-healing", 2)),
    "energy drain and paralysis": lambda: two_against_two("energy-drain", "paralysis"),
    "breath and energy": lambda: two_against_two("breath-weapon", "channel-negative-energy", "evasion"),
    "taunts": lambda: two_against_two(tactic="taunt", **TIMID),
    "storm": lambda: scenario().army("A", abilities=["create-sandstorm"], hp=15).army("B", hp=15).until("melee")
    .order("A", order("B", use("create-sandstorm"))),
    "song": sung_for,
    "withdrawal": withdrawing,
    "held fast": slipping_away,
    "natural 1": natural_ones,
    "parting shots": parting,
    "spawn": spawning,
    "flight": overhead,
    "bloodied": bloodied,
    "three sides": lambda: scenario().army("A").army("B", abilities=["fear"]).army("C", ranged=True).until("ranged"),
    "no way out": lambda: scenario().declared("cannot_leave", "A").army("A", hp=12).army("B", hp=12).until("melee"),
}  # fmt: skip


@pytest.mark.parametrize("field", FIELDS)
def test_arrays_and_engine_agree_where_it_matters(field: str) -> None:
    battle, about = FIELDS[field]().state, AboutOdds(battles=8000, phases=PHASES)
    thrown = thrown_by_arrays(battle, about, 1)
    assert thrown is not None
    played = thrown_by_engine(battle, about, PHASES, 1, Pace(at_most(50, full=250)))
    assert apart(battle, thrown, played)[0] < (4.5, ""), field
