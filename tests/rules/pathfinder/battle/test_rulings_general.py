"""R-1 to R-7: what holds everywhere."""

from __future__ import annotations

import pytest

from rules.pathfinder.battle.state import events as e
from rules.pathfinder.figures import half as halved
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import MountSpec
from tests.scenario import boss, has, hold, order, scenario, spec, use


def test_a_mechanic_counts_once_under_however_many_names() -> None:
    """R-1: bleed and poison leave one mark; companion and eidolon give one +1."""
    s = scenario().army("A", abilities=["bleed", "poison", "animal-companion", "eidolon"]).army("B")
    s.melee(A=order(), dice={"A attack": 13})
    assert (s.last(e.Attacked).check, s.marks("B")) == (13 + 10, ["bleeding"])


def test_of_one_mechanic_with_two_numbers_the_higher_counts() -> None:
    """R-1: channelling under two names heals once; one breath die under two names."""
    s = scenario().army("A", abilities=["breath-weapon", "bomb"]).army("B")
    s.melee(A=order(), dice={"A attack": 14, "A extra": 2})
    assert s.last(e.Attacked).damage == 6


def test_differently_described_bonuses_add() -> None:
    """R-1."""
    assert LAW.sheet(spec("A", abilities=["pounce", "trample", "powerful-charge"])).om.total == 12


def test_the_same_inspiration_counts_once_but_two_hunters_bonds_add() -> None:
    """R-1: across armies."""
    bond = has("hunters-bond", choice="companions")
    s = scenario().army("A", abilities=["inspire-courage", bond]).army("A2", abilities=["inspire-courage", bond])
    s.army("A3").army("B")
    uses = (use("inspire-courage", target="A3"), use("hunters-bond", target="A3"))
    s.melee(A=hold(uses[0]), A2=hold(uses[0]))
    assert (s.om("A3"), s.morale("A3", "rout")) == (10, 2)
    s.melee(A=hold(uses[1]), A2=hold(uses[1]))
    assert s.om("A3") == 12
    s.melee(A=hold(use("inspire-courage", target="A2")))
    assert s.om("A2") == 10


@pytest.mark.parametrize("whole, half", [(-3, -1), (-1, 0), (-4, -2), (3, 1), (1, 0)])
def test_halving_rounds_the_size_down(whole: int, half: int) -> None:
    """R-2."""
    assert halved(whole) == half


def test_the_minimum_of_one_is_for_damage_and_healing_only() -> None:
    """R-2: an army of ACR 1 heals 1 by triage; channelling costs it no OM."""
    s = scenario().army("A", acr=1, hp=1, commander=boss("triage"), abilities=["channel-positive-energy"])
    s.army("B", acr=1).melee(A=hold(use("triage", kind="boon")))
    assert s.hp("A") == 2
    s.melee(A=order("B", use("channel-positive-energy")), dice={"A attack": 2})
    assert s.last(e.Attacked).check == 2 + 1


def test_a_mounted_army_moves_as_its_mounts() -> None:
    """R-3: hit die and abilities stay the unit's; ACR and what follows are the raised ones."""
    sheet = LAW.sheet(spec("A", acr=4, hit_die="d6", speed_m=6, mount=MountSpec("drake", cr="6", speed_m=18)))
    assert (sheet.speed.total, str(sheet.acr), sheet.hp_max, sheet.tactics_max) == (4, "6", 21, 3)
    assert (sheet.consumption.total, sheet.xp, sheet.mounted) == (3, 2400, True)


@pytest.mark.parametrize("how", [{"resources": ["mounts"]}, {"mount": MountSpec("pony")}, {"abilities": ["mount"]}])
def test_what_counts_as_mounted(how: dict[str, object]) -> None:
    """R-3: mounts, an army mount, the ability; in both clauses of cavalry experts."""
    s = (
        scenario()
        .army("A", tactics=["cavalry-experts"], **how)
        .army("B", **how)
        .army("B2")
        .tactics(A="cavalry-experts")
    )
    assert s.om("A", "B2") - s.om("A", "B") == 2


def test_immunity_is_by_printed_name() -> None:
    """R-4: to poison is not to bleed, to paralysis is not to petrification."""
    to = has("immunity", to=["poison", "paralysis"])
    s = scenario().army("A", abilities=["poison", "paralysis"]).army("A2", abilities=["bleed", "petrification"])
    s.army("B", abilities=[to]).melee(A=order(), dice={"A attack": 14})
    assert s.marks("B") == []
    s.melee(A2=order(), dice={"A2 attack": 14})
    assert sorted(s.marks("B")) == ["bleeding", "paralysed"]


def test_immunity_to_fear_stops_every_cause_of_it() -> None:
    """R-4: unnatural aura too."""
    s = scenario().army("A", abilities=["unnatural-aura"])
    s.army("B", creature_type="animal", abilities=[has("immunity", to=["fear"])])
    s.melee(A=order(), dice={"A attack": 14})
    assert s.all(e.FearChecked) == []


def test_immunity_to_spellcasting_leaves_the_shot() -> None:
    """R-4: its OM and DV are cancelled in that pairing."""
    s = scenario().army("A", abilities=[has("spellcasting", 3, ranged=True)])
    s.army("B", abilities=[has("immunity", to=["spellcasting"])]).army("B2")
    assert (s.om("A", "B"), s.dv("A", "B"), s.om("A", "B2"), s.dv("A", "B2")) == (9, 19, 12, 22)
    s.ranged(A=order("B"), dice={"A attack": 14})
    assert s.hp("B") == 36


def test_the_sheet_shows_what_needs_no_target_phase_or_declaration() -> None:
    """R-5: inspire courage yes, flurry no; conditions of a field only when asked."""
    sheet = LAW.sheet(spec("A", abilities=["inspire-courage", "flurry-of-blows", "spell-resistance", "shield-ally"]))
    assert (sheet.om.total, sheet.dv.total) == (10, 20)


def test_below_one_the_rating_counts_nothing() -> None:
    """R-6: in DCs (fear DC 10), bonuses, and such armies make no rout check."""
    s = scenario().army("A", acr="1/2", abilities=["fear"]).army("B", acr="1/2", hit_die="d12", hp=2)
    s.melee(A=order(), dice={"A attack": 11, "B fear": 10})
    assert (s.last(e.FearChecked).against, s.last(e.FearChecked).success) == (10, True)
    assert (s.hp("B"), s.all(e.RoutChecked)) == (1, [])


def test_a_notorious_commander_enters_checks_never_the_stored_morale() -> None:
    """R-7."""
    s = scenario().army("A", morale=1, commander=boss(notorious=True)).army("B")
    assert (s.morale("A", "rout"), s.fighter("A").morale) == (0, 1)


def test_a_dormant_boon_wakes_with_leadership() -> None:
    """R-7."""
    for level, dv in ((4, 19), (5, 21)):
        assert LAW.sheet(spec("A", commander=boss("defensive-tactics", level=level))).dv.total == dv
