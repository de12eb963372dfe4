"""PF-9: what an army does to others, and how it does not die."""

from __future__ import annotations

import pytest

from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.catalogue.traits import CANNIBAL
from rules.pathfinder.figures import compile_profile
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import MountSpec
from tests.rules.pathfinder.shown import shows
from tests.scenario import has, hold, order, scenario, spec, use

BLEEDING = ("ability-damage", "bleed", "burn", "discovery", "poison", "rogue-talent")


@shows(*(f"ability:{slug}" for slug in BLEEDING))
@pytest.mark.parametrize("slug", BLEEDING)
def test_bleeding_by_every_name(slug: str) -> None:
    """PF-9: melee damage leaves 1d6 at the start of the next phase, once; a shot leaves none."""
    s = scenario().army("A", abilities=[slug], ranged=True).army("B").ranged(A=order(), dice={"A attack": 11})
    s.melee(A=order(), dice={"A attack": 11})
    assert s.marks("B") == ["bleeding"]
    s.melee(dice={"B bleed": 5}).melee()
    assert (s.hp("B"), s.last(e.Wounded).cause) == (40 - 2 - 5, slug)


@shows("ability:breath-weapon", "ability:bomb")
@pytest.mark.parametrize("slug", ["breath-weapon", "bomb"])
def test_breath_shoots_and_deals_a_d4_more_in_every_phase(slug: str) -> None:
    """PF-9."""
    s = scenario().army("A", abilities=[slug]).army("B").ranged(A=order(), dice={"A attack": 14, "A extra": 4})
    s.melee(A=order(), dice={"A attack": 14, "A extra": 1}).melee(A=order(), dice={"A attack": 10})
    assert [hit.damage for hit in s.all(e.Attacked)] == [8, 5, 0]


@shows("ability:cannibalize")
def test_cannibals_are_known_to_those_who_pay_the_week() -> None:
    """PF-9: the permission the week's reckoning asks for."""
    army = spec("A", abilities=["cannibalize"])
    assert CANNIBAL in compile_profile(LAW, army, army.unit.abilities).traits
    assert CANNIBAL not in compile_profile(LAW, army, ()).traits


LIVING, UNDEAD, CONSTRUCT = {}, {"abilities": ["undead"]}, {"abilities": ["construct"]}


@shows("ability:channel-negative-energy", "ability:channel-positive-energy", "ability:lay-on-hands")
@pytest.mark.parametrize(
    "slug, foe, hurts",
    [("channel-negative-energy", LIVING, True), ("channel-negative-energy", UNDEAD, False),
     ("channel-negative-energy", CONSTRUCT, False), ("channel-positive-energy", UNDEAD, True),
     ("channel-positive-energy", LIVING, False), ("lay-on-hands", UNDEAD, True), ("lay-on-hands", LIVING, False)],
)  # fmt: skip
def test_channelled_energy_hurts_the_living_or_the_undead(slug: str, foe: dict[str, object], hurts: bool) -> None:
    """PF-9, R-41: +1d4 in melee."""
    s = scenario().army("A", abilities=[slug], ranged=True).army("B", **foe).ranged(A=order(), dice={"A attack": 16})
    s.melee(A=order(), dice={"A attack": 16} | ({"A extra": 3} if hurts else {}))
    shot, blow = s.all(e.Attacked)
    assert blow.damage - shot.damage == (3 if hurts else 0)


@pytest.mark.parametrize("slug", ["channel-positive-energy", "lay-on-hands"])
def test_positive_energy_heals_at_a_cost(slug: str) -> None:
    """PF-9, R-41: OM −floor(ACR/2), heal ACR; the damage is forgone; in ranged phases too; again next phase."""
    s = scenario().army("A", hp=10, abilities=[slug]).army("B", **UNDEAD).ranged(A=hold(use(slug)))
    assert s.hp("A") == 19
    s.melee(A=order("B", use(slug)), dice={"A attack": 20})
    assert (s.hp("A"), s.last(e.Attacked).check, s.last(e.Attacked).damage) == (28, 20 + 9 - 4, 4)
    assert s.om("A") == 9


def test_negative_energy_heals_only_the_undead() -> None:
    """PF-9: the refusal."""
    heal = use("channel-negative-energy")
    s = scenario().army("A", abilities=["channel-negative-energy"]).army("B").until("melee")
    assert "Only an undead army" in str(s.refusal(A=hold(heal)))
    s = scenario().army("A", hp=10, abilities=["channel-negative-energy", "undead"]).army("B").melee(A=hold(heal))
    assert s.hp("A") == 19


@shows("ability:create-sandstorm")
def test_a_sandstorm_is_raised_once_over_the_field_to_the_end() -> None:
    """PF-9: at once, for everybody."""
    s = scenario().army("A", abilities=["create-sandstorm"]).army("B")
    s.melee(A=order("B", use("create-sandstorm")), dice={"A attack": 14}).melee()
    assert (s.hp("A"), s.hp("B"), s.last(e.Attacked).damage) == (38, 36, 2)
    assert "already" in str(s.refusal(A=hold(use("create-sandstorm"))))


@shows("ability:create-spawn")
@pytest.mark.parametrize("size, heals", [("large", True), ("medium", True), ("small", False)])
def test_spawners_heal_on_destroying_an_army_of_their_size(size: str, heals: bool) -> None:
    """PF-9, R-54: 2 × ACR; of its size or larger."""
    s = scenario().army("A", hp=10, abilities=["create-spawn"]).army("B", hp=3, size=size).army("B2")
    s.melee(A=order("B"), dice={"A attack": 14})
    assert s.hp("A") == (28 if heals else 10)


def test_spawners_may_raise_a_smaller_army_instead() -> None:
    """PF-9, R-54: its type, two sizes smaller, on standard, acting from the next phase."""
    s = scenario().army("A", abilities=["create-spawn"]).army("B", hp=3).army("B2")
    s.melee(A=order("B", spawn="army"), dice={"A attack": 14})
    spawned = s.fighter("A~1")
    assert (spawned.spec.count, spawned.acr, spawned.hp, spawned.tactic, spawned.side) == (25, 5, 22, "standard", 0)
    s.melee(**{"A~1": order("B2")}, dice={"A~1 attack": 15})
    assert s.hp("B2") == 39


def test_nothing_spawns_from_the_lifeless() -> None:
    """PF-9: a living army; neither undead nor construct."""
    for foe in (UNDEAD, CONSTRUCT, {"creature_type": "undead"}):
        s = scenario().army("A", hp=10, abilities=["create-spawn"]).army("B", hp=1, **foe).army("B2")
        s.melee(A=order("B"), dice={"A attack": 14})
        assert (s.status("B"), s.hp("A")) == ("defeated", 10)


@shows("ability:disease")
def test_disease_befalls_the_damaged() -> None:
    """PF-9: a miss infects nobody."""
    s = scenario().army("A", abilities=["disease"]).army("B").melee(A=order(), dice={"A attack": 10})
    assert s.marks("B") == []
    s.melee(A=order(), dice={"A attack": 11}).play(c.End("dusk"))
    assert [ch.after for ch in s.aftermath().changes if ch.field == "ill"] == [True]


@shows("ability:energy-drain")
def test_energy_drain_adds_up() -> None:
    """PF-9, R-44: OM and DV −1 each time."""
    s = scenario().army("A", abilities=["energy-drain"]).army("B")
    s.melee(A=order(), dice={"A attack": 14}).melee(A=order(), dice={"A attack": 14})
    assert (s.om("B"), s.dv("B")) == (7, 17)


@shows("ability:fast-healing")
def test_fast_healing_mends_half_its_number_each_phase() -> None:
    """PF-9: floor(N/2), in ranged and melee phases, never above the maximum."""
    s = scenario().army("A", hp=34, abilities=["fast-healing 5"]).army("B").ranged().melee()
    assert s.hp("A") == 38
    s.melee().melee()
    assert s.hp("A") == 40


@shows("ability:fear")
@pytest.mark.parametrize("natural, afraid", [(18, True), (19, False)])
def test_fear_bars_the_next_attack(natural: int, afraid: bool) -> None:
    """PF-9: morale DC 10 + ACR or no Offense check next phase."""
    s = scenario().army("A", abilities=["fear"]).army("B")
    s.melee(A=order(), dice={"A attack": 14, "B fear": natural})
    assert (s.last(e.FearChecked).against, s.marks("B")) == (19, ["afraid"] if afraid else [])
    s.melee(B=order(), dice={} if afraid else {"B attack": 14})
    assert s.hp("A") == (40 if afraid else 36)


def test_failing_again_while_afraid_is_rout() -> None:
    """PF-9, R-45: whatever its hit points."""
    s = scenario().army("A", abilities=["fear"]).army("B")
    s.melee(A=order(), dice={"A attack": 14, "B fear": 1})
    s.melee(A=order(), dice={"A attack": 14, "B fear": 1, "A parting": 2})
    assert (s.status("B"), s.hp("B")) == ("routed", 32)


@shows("ability:ferocity")
def test_ferocity_acts_one_more_melee_phase() -> None:
    """PF-9, R-52: OM and DV −4, then its fate falls."""
    s = scenario().army("A").army("B", hp=3, abilities=["ferocity"]).melee(A=order(), dice={"A attack": 14})
    assert (s.status("B"), s.hp("B")) == ("fighting", 0)
    s.melee(A=order(), B=order(), dice={"A attack": 14, "B attack": 15})
    assert (s.last(e.Attacked, "A").against, s.last(e.Attacked, "B").check) == (15, 20)
    assert (s.hp("A"), s.status("B"), s.state.phase.kind) == (39, "defeated", "aftermath")


@shows("ability:grab")
def test_grab_holds_in_rout_and_withdrawal() -> None:
    """PF-9, R-29: −2 on morale checks against rout and to withdraw, for each."""
    s = scenario().army("A", abilities=["grab"]).army("A2", abilities=["grab"]).army("B", hp=14)
    s.melee(A=order(), A2=order(), dice={"A attack": 14, "A2 attack": 11, "B rout": 19})
    assert s.last(e.RoutChecked).check == 19 - 4
    s.melee(A=order(), B=hold(tactic="withdraw"), dice={"A attack": 2, "A withdraw": 9, "B withdraw": 10})
    assert s.last(e.WithdrawalOpposed).check == 8


@shows("ability:paralysis", "ability:petrification", "ability:stunning-fist", "ability:whirlwind")
@pytest.mark.parametrize("slug", ["paralysis", "petrification", "stunning-fist", "whirlwind"])
def test_paralysis_by_every_name_adds_up(slug: str) -> None:
    """PF-9, R-44: DV −1 each time it damages, for the battle; shots too."""
    s = scenario().army("A", abilities=[slug], ranged=True).army("B").ranged(A=order(), dice={"A attack": 14})
    s.melee(A=order(), dice={"A attack": 14}).melee(A=order(), dice={"A attack": 2})
    assert (s.dv("B"), s.om("B")) == (17, 9)


@shows("ability:vortex")
def test_a_vortex_needs_water() -> None:
    """PF-9: as paralysis, against targets on water."""
    s = scenario().army("A", abilities=["vortex"]).army("B").army("B2").condition("on-water", "B")
    s.melee(A=order("B"), dice={"A attack": 14}).melee(A=order("B2"), dice={"A attack": 14})
    assert (s.dv("B"), s.dv("B2")) == (18, 19)


@shows("ability:regeneration")
def test_regeneration_mends_and_rises_again_unless_an_enemy_stands() -> None:
    """PF-9, R-53: heals floor(N/2) each phase; at 0 hp it falls only before an enemy."""
    s = scenario().army("A").army("B", hp=3, abilities=["regeneration 4"]).army("C", hp=3).until("melee")
    assert s.hp("B") == 5
    s.melee(A=order("B"), B=order("C"), dice={"A attack": 20, "B attack": 14})
    assert (s.status("C"), s.status("B")) == ("defeated", "defeated")
    s = scenario().army("A", hp=3).army("B", hp=3, abilities=["regeneration 4"])
    s.melee(A=order(), B=order(), dice={"A attack": 20, "B attack": 14})
    assert (s.status("A"), s.status("B"), s.state.result.winner) == ("defeated", "fighting", 1)  # type: ignore[union-attr]


@shows("ability:trip")
def test_trip_lowers_its_targets_defense_for_the_phase() -> None:
    """PF-9, R-29: DV −1 against every attacker, for each tripping army that attacks it in melee."""
    s = scenario().army("A", abilities=["trip"]).army("A2", abilities=["trip"]).army("A3").army("B")
    s.melee(A=order(), A2=order(), A3=order(), dice={"A attack": 2, "A2 attack": 2, "A3 attack": 2})
    assert [hit.against for hit in s.all(e.Attacked)] == [17, 17, 17]
    assert s.dv("B") == 19
    s.melee(A3=order(), dice={"A3 attack": 2})
    assert s.last(e.Attacked).against == 19


@shows("ability:unnatural-aura")
@pytest.mark.parametrize(
    "foe, frightened",
    [({}, False), ({"creature_type": "animal"}, True), ({"resources": ["mounts"]}, True),
     ({"mount": MountSpec("horses")}, True), ({"mount": MountSpec("golems", creature_type="construct")}, False),
     ({"mount": MountSpec("wyverns", creature_type="dragon"), "resources": ["mounts"]}, False),
     ({"mount": MountSpec("wyverns", creature_type="dragon"), "abilities": ["mount"]}, False),
     ({"abilities": ["mount"]}, True), ({"abilities": ["animal-companion"]}, True), ({"abilities": ["eidolon"]}, False),
     ({"abilities": [has("hunters-bond", choice="animal")]}, True),
     ({"creature_type": "animal", "abilities": ["aura-of-courage"]}, False)],
)  # fmt: skip
def test_an_unnatural_aura_frightens_animals(foe: dict[str, object], frightened: bool) -> None:
    """PF-9, R-4, R-45: a mount whose kind is stated is an animal only if it is one."""
    s = scenario().army("A", abilities=["unnatural-aura"]).army("B", **foe)
    s.melee(A=order(), dice={"A attack": 18} | ({"B fear": 1} if frightened else {}))
    assert ("afraid" in s.marks("B")) is frightened
