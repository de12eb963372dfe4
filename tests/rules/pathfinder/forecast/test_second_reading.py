"""The forecast read a second time: against duels reckoned from the printed rules alone, and worlds that look alike."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.odds import AboutOdds, Odds
from rules.core.text import say
from rules.law import Viewer
from rules.pathfinder.battle.orders.commands import GiveOrder
from rules.pathfinder.battle.state.battle_state import (
    Adjustment,
    ArmyInBattle,
    BattleState,
    Mark,
    Opening,
    Order,
    Part,
    SetCondition,
    changed,
)
from rules.pathfinder.figures import compile_profile
from rules.pathfinder.forecast import knowledge
from rules.pathfinder.forecast.forecast_law import BELIEVED, Prospects
from rules.pathfinder.forecast.simulate import Pace, thrown_by_engine
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from tests.everyday import at_most
from tests.rules.pathfinder.forecast.alike import apart, thrown_by_arrays
from tests.rules.pathfinder.forecast.reckoned import D4, EVADED_D4, Fighter, Told, duel
from tests.rules.pathfinder.forecast.test_simulate import before_a_phase
from tests.rules.pathfinder.strategies import openings
from tests.scenario import Scenario, boss, has, scenario, use

GM = Viewer(gm=True)
HALF = Fraction(1, 2)
SOME = at_most(2, full=3)


def foretold(state: BattleState, *orders: Order, **about: Any) -> Odds:
    odds = Prospects().odds(changed(state, orders={o.army: o for o in orders}), AboutOdds(**about), GM)
    assert odds is not None
    assert odds.method == "exact"
    return odds


def same(odds: Odds, told: Told, names: tuple[str, str] = ("A", "B")) -> None:
    assert [side.win for side in odds.sides] == pytest.approx([float(win) for win in told.win], abs=1e-12)
    assert (odds.mutual, odds.undecided) == pytest.approx((float(told.mutual), float(told.undecided)), abs=1e-12)
    for name, fates, health in zip(names, told.fates, told.health, strict=True):
        army = odds.armies[name]
        fated = {fate: float(chance) for fate, chance in fates.items() if chance}
        assert dict(army.fates) == pytest.approx(fated, abs=1e-12)
        left = {hp: float(chance) for hp, chance in health.items() if chance}
        assert dict(army.health) == pytest.approx(left, abs=1e-12)


def two(a: dict[str, Any] | None = None, b: dict[str, Any] | None = None, acr: Any = 3) -> Scenario:
    """A hundred of CR 3 with d8: ACR 3, 13 hp, OM +3, DV 13."""
    return scenario().army("A", **{"acr": acr, **(a or {})}).army("B", **{"acr": acr, **(b or {})})


def plain(**figures: Any) -> Fighter:
    return Fighter(**{"hp": 13, "acr": 3, "om": 3, "dv": 13, **figures})


# figures
@pytest.mark.parametrize(("hp", "foe_hp"), [(13, 13), (3, 13), (2, 3), (1, 1), (1, 13)])
def test_an_army_that_begins_at_its_acr_or_below_is_shaken_only_by_a_loss(hp: int, foe_hp: int) -> None:
    """PF-3.9: who has lost nothing this phase makes no rout check."""
    s = two({"hp": hp}, {"hp": foe_hp}).until("melee")
    same(foretold(s.state, phases=SOME), duel(plain(hp=hp), plain(hp=foe_hp), SOME))


def test_armies_below_acr_1_never_rout() -> None:
    """R-6."""
    s = two(acr="1/2").until("melee")
    weak = Fighter(hp=2, acr=0, om=0, dv=10)
    same(foretold(s.state, phases=4), duel(weak, weak, 4))


def test_only_a_natural_20_hurts_and_only_by_1() -> None:
    """PF-3.6: the tie of a 20 with the DV included."""
    for dv in (10, 40):  # 20 + 3 = 23 is the DV itself
        s = two({"hp": 4}, {"hp": 3}).until("melee").override("A", "dv", dv).override("B", "dv", dv)
        same(foretold(s.state, phases=4), duel(plain(hp=4, dv=13 + dv), plain(hp=3, dv=13 + dv), 4))


def test_a_natural_1_that_exceeds_the_dv_hits_and_still_bars() -> None:
    """PF-3.6: it is resolved normally."""
    s = two().until("melee").override("A", "om", 11)
    same(foretold(s.state, phases=SOME), duel(plain(om=14), plain(), SOME))


def test_both_fall_and_both_rout_at_once() -> None:
    """R-51: who routs together gives no parting shots."""
    s = two({"hp": 4}, {"hp": 4}).until("melee").override("A", "om", 9).override("B", "om", 9)
    told = duel(plain(hp=4, om=12), plain(hp=4, om=12), 3)
    assert told.mutual > HALF / 2
    same(foretold(s.state, phases=3), told)


@pytest.mark.parametrize("house", [{}, {"parting_shots": "all"}, {"minimum_damage": 0}], ids=str)
def test_strategies_and_house_rules(house: dict[str, Any]) -> None:
    """PF-3.7, R-40: a hit that comes to nothing deals the house minimum."""
    s = scenario(LAW.with_house(house)).army("A", acr=3, hp=6).army("B", acr=3, hp=6).until("melee")
    least = house.get("minimum_damage", 1)
    orders = Order("A", strategy="reckless"), Order("B", strategy="defensive")
    wild, careful = plain(hp=6, om=7, dv=9, damage=6, least=least), plain(hp=6, om=-1, dv=17, damage=-6, least=least)
    same(foretold(s.state, *orders, phases=3), duel(wild, careful, 3))


# morale
@pytest.mark.parametrize("ability", ["mindless", "aura-of-courage"])
def test_who_passes_every_rout_check_never_routs(ability: str) -> None:
    s = two({"abilities": [ability]}, {"hp": 5}).until("melee")
    same(foretold(s.state, phases=SOME), duel(plain(stands=1.0), plain(hp=5), SOME))


def test_the_second_roll_of_a_line_held_stands() -> None:
    """PF-2.9, R-58: 6 in 20, and of the 14 that fail 6 in 20 again; not ordered, not rolled."""
    s = two({"commander": boss("hold-the-line"), "hp": 5}, {"hp": 5}).until("melee")
    held = plain(hp=5, stands=6 / 20 + 14 / 20 * 6 / 20)
    same(foretold(s.state, Order("A", hold_the_line=True), phases=3), duel(held, plain(hp=5), 3))
    same(foretold(s.state, phases=3), duel(plain(hp=5), plain(hp=5), 3))


@pytest.mark.parametrize("morale", [-4, 4])
def test_morale_counts(morale: int) -> None:
    s = two({"morale": morale}).until("melee")
    same(foretold(s.state, phases=SOME), duel(plain(stands=(6 + morale) / 20), plain(), SOME))


def test_who_cannot_leave_surrenders_unstruck() -> None:
    """PF-3.9, R-55."""
    s = two({"hp": 5}, {"hp": 5}).declared("cannot_leave", "B").until("melee")
    same(foretold(s.state, phases=3), duel(plain(hp=5), plain(hp=5, surrenders=True), 3))


# the field
def test_fog_halves_and_a_sandstorm_wears() -> None:
    """PF-4, R-13: what the storm takes is not halved, and counts for rout."""
    fog = two().condition("fog").until("melee").override("A", "om", 9)
    same(foretold(fog.state, phases=SOME), duel(plain(om=12, share=HALF), plain(share=HALF), SOME))
    storm = two().condition("sandstorm").until("melee").override("A", "hp", 5).override("B", "hp", 4)
    same(foretold(storm.state, phases=SOME), duel(plain(hp=5, share=HALF), plain(hp=4, share=HALF), SOME, storm=True))


def test_walls_and_ground_raise_the_dv() -> None:
    wall = SetCondition("fortification", None, ("B",), (), (Part("wall", "stone", 6),))
    s = two().condition("advantageous-terrain", "A")
    s.conditions.append(wall)
    same(foretold(s.until("melee").state, phases=SOME), duel(plain(dv=15), plain(dv=19), SOME))


@pytest.mark.parametrize(("wind", "om"), [("strong", 1), ("severe", -1), ("windstorm", None)])
def test_one_shoots_in_the_wind_and_the_other_comes_on(wind: str, om: int | None) -> None:
    """PF-3.8, PF-4.1: no attack, no parting shot of who cannot shoot; the wind is nothing in the melee."""
    s = two({"ranged": True, "hp": 6}, {"hp": 4}).condition("wind", value=wind).until("ranged")
    same(foretold(s.state, phases=3), duel(plain(hp=6, shoots=om), plain(hp=4), 3, ranged_first=True))


def test_factors_are_multiplied_and_rounded_once() -> None:
    """R-40, R-42: fog, and a swarm by magic; fog, and no body. Who has none moves well everywhere (R-16)."""
    swarm = two({"abilities": ["ki-pool"]}, {"abilities": ["swarm"]}).condition("fog").until("melee")
    by_magic = plain(om=12, share=Fraction(3, 4))
    same(foretold(swarm.override("A", "om", 9).state, phases=2), duel(by_magic, plain(share=HALF), 2))
    ghosts = two({"abilities": ["ki-pool"]}, {"abilities": ["incorporeal"]}).condition("fog").until("melee")
    by_half = plain(om=12, share=Fraction(1, 4))
    same(foretold(ghosts.override("A", "om", 9).state, phases=2), duel(by_half, plain(om=4, share=HALF), 2))


def test_breath_burns_evaders_half_as_much() -> None:
    """R-41: rolled only where the check hits; the half is at least 1."""
    s = two({"abilities": ["breath-weapon"]}).until("ranged")
    breathing = plain(shoots=3, extra=D4, shot_extra=D4)
    same(foretold(s.state, phases=2), duel(breathing, plain(), 2, ranged_first=True))
    evaded = two({"abilities": ["breath-weapon"]}, {"abilities": ["evasion"]}).until("melee")
    same(foretold(evaded.state, phases=2), duel(plain(extra=EVADED_D4), plain(), 2))


# who else is there
def test_friends_who_have_left_leave_the_duel_as_it_is() -> None:
    s = two({"hp": 5}, {"hp": 5}).army("A2", acr=3).army("C", acr=3).until("melee")
    gone = {
        name: changed(s.state.armies[name], status=status) for name, status in (("A2", "withdrawn"), ("C", "routed"))
    }
    odds = foretold(changed(s.state, armies={**s.state.armies, **gone}), phases=3)
    told = duel(plain(hp=5), plain(hp=5), 3)
    assert [side.win for side in odds.sides] == pytest.approx([*map(float, told.win), 0.0], abs=1e-12)
    assert odds.armies["C"].fates == {"routed": 1.0}
    assert odds.sides[0].rout == 0.0  # one of its two withdrew
    assert odds.sides[2].rout == 1.0


# what is not to be read out of it
ANA = Viewer(armies=frozenset("A"), reads=frozenset("A"), user="ana")


def alike(one: BattleState, other: BattleState, viewer: Viewer = ANA) -> None:
    """Equal in everything, the abilities compiled from hidden sheets included (profiles compare as nothing)."""
    mine, others = knowledge.guesses(one, viewer), knowledge.guesses(other, viewer)
    assert mine == others
    for guess, twin in zip(mine, others, strict=True):
        for army, held in guess.state.armies.items():
            assert held.profile.choices == twin.state.armies[army].profile.choices


def with_army(state: BattleState, name: str, **fields: Any) -> BattleState:
    return changed(state, armies={**state.armies, name: changed(state.armies[name], **fields)})


def test_it_does_not_tell_of_what_an_army_bleeds() -> None:
    """R-43: the mark says that it bleeds; of poison or not is told by the wound, and only then."""
    state = two({"abilities": [has("poison-resistance", 6)]}).until("melee").state
    worlds = [with_army(state, "A", marks=(Mark("bleeding", "B", detail=cause),)) for cause in ("poison", "bleed")]
    alike(*worlds)
    assert Prospects().odds(worlds[0], AboutOdds(), GM) != Prospects().odds(worlds[1], AboutOdds(), GM)


@pytest.mark.parametrize(("hp", "fate"), [(0, "defeated"), (4, "routed")])
def test_a_last_stand_somebody_sees_is_the_last_to_him(hp: int, fate: str) -> None:
    """R-52: its fate falls at the end of the phase, whatever its sheet."""
    state = two(b={"abilities": ["ferocity"]}).until("melee").state
    stand = Mark("last-stand", str(state.phase.tick - 1), detail=fate)
    state = with_army(state, "B", hp=hp, marks=(stand,))
    for guess in knowledge.guesses(state, ANA):
        odds = Prospects().odds(guess.state, AboutOdds(battles=50), ANA)
        assert odds is not None
        assert odds.phases.p90 == 1
        assert odds.armies["B"].fates.get("fighting", 0.0) == 0.0


def test_who_may_smite_the_evil_sees_who_is() -> None:
    """R-27: their orders offer it against them alone, so their forecast takes it; for others nobody is evil."""
    worlds = [two({"abilities": smites}, {"alignment": alignment}).until("melee").state
              for smites in ([], ["smite-evil"]) for alignment in ("N", "CE")]  # fmt: skip
    alike(worlds[0], worlds[1])
    evil = [{guess.state.armies["B"].spec.unit.alignment for guess in knowledge.guesses(w, ANA)} for w in worlds[2:]]
    assert evil == [{"N"}, {"NE"}]
    smiting = Order("A", use=(use("smite-evil", target="B"),))
    odds = [Prospects().odds(g.state, AboutOdds((GiveOrder(smiting),)), ANA) for g in knowledge.guesses(worlds[3], ANA)]
    assert all(odds)


SECRETS = ("poison", "bleed", "", "fear")


@settings(max_examples=at_most(8, full=20))
@given(openings(most=4), st.integers(0, 2**32))
def test_worlds_that_look_alike_are_alike(opening: Opening, seed: int) -> None:
    """Somewhere in a battle, everything they cannot see of all armies but one dealt anew."""
    random = Random(seed)
    state = before_a_phase(opening, seed)
    viewer = Viewer(armies=frozenset(["army-0"]), reads=frozenset(["army-0"]), user="ana")
    other = dealt_anew(state, random, "army-0")
    alike(state, other, viewer)


def dealt_anew(state: BattleState, random: Random, own: str) -> BattleState:
    names = tuple(state.armies)
    some = lambda: tuple(name for name in names if name == own or random.random() < 0.5)  # noqa: E731
    hidden_kept = {field: tuple(n for n in getattr(state.opening, field) if n == own) for field in
                   ("sees_invisible", "cannot_leave", "engines_shoot", "magical")}  # fmt: skip
    declared = {field: (*kept, *(n for n in some() if n != own)) for field, kept in hidden_kept.items()}
    overcomes = tuple((a, b) for a in names for b in names if a != b and random.random() < 0.3)
    armies = {name: seen_alike(army, random, own, names, state.phase.tick) for name, army in state.armies.items()}
    opening = replace(
        state.opening, **declared, overcomes=overcomes,
        armies=tuple(armies[spec.id].spec if spec.id in armies else spec for spec in state.opening.armies),
        entered={name: replace(entered, engines=entered.engines if name == own else random.randint(0, 3))
                 for name, entered in state.opening.entered.items()},
    )  # fmt: skip
    orders = {name: order for name, order in state.orders.items() if name == own}
    orders |= {name: Order(name, target=None) for name in names if name != own and random.random() < 0.5}
    return changed(state, opening=opening, armies=armies, orders=orders)


def seen_alike(army: ArmyInBattle, random: Random, own: str, names: tuple[str, ...], tick: int) -> ArmyInBattle:
    """The same to the eye; smite apart, which shows who is evil."""
    if army.id == own:
        bleeding = [replace(mark, detail=random.choice(SECRETS)) if mark.kind == "bleeding" else mark
                    for mark in army.marks]  # fmt: skip
        return changed(army, marks=tuple(bleeding))
    abilities = random.sample([has(slug) for slug in LAW.abilities if LAW.abilities[slug].value != "required"
                               and not LAW.abilities[slug].options], 3)  # fmt: skip
    unit = replace(army.spec.unit, name="other", creature_type="undead", ranged=random.random() < 0.5,
                   abilities=tuple(abilities))  # fmt: skip
    spec = replace(army.spec, unit=unit, commander=None, resources={"healing-potions": 1}, tactics=(), morale=1)
    marks = tuple(replace(mark, source=random.choice(SECRETS), detail=mark.detail if mark.kind == "last-stand" else "x")
                  for mark in army.marks)  # fmt: skip
    noted = (Mark("withstood-taunt"), Mark("barred", at=tick - 1), Mark("fresh"))
    return changed(
        army, spec=spec, morale=random.randint(-4, 4), profile=compile_profile(LAW, spec, ()), marks=(*marks, *noted),
        spent={"ability:rage": 1}, gained=(has("flight"),), lost=frozenset(["spellcasting"]), rank=random.randint(0, 8),
        adjustments=(Adjustment("om", 5, "secret"),), engines=random.randint(0, 2),
    )  # fmt: skip


def test_it_says_whose_sheet_it_guesses() -> None:
    """In the same words in every guess, so that they are said once; to who reads all of them, nothing."""
    state = two().until("melee").state
    guessed = [Prospects().odds(guess.state, AboutOdds(), ANA) for guess in knowledge.guesses(state, ANA)]
    told = {str(said) for odds in guessed if odds for said in odds.assumed if "B" in str(said)}
    assert told == {str(say(BELIEVED, armies="B", most=4))}
    assert not any("sheet" in str(said) for said in foretold(state).assumed)


# until
def test_who_has_left_before_the_look_ends_no_look() -> None:
    """Whatever it has left; exactly, in arrays and by the engine alike."""
    s = two({"hp": 5}, {"hp": 5}).army("A2", acr=3).until("melee")
    state = with_army(s.state, "A2", hp=0, status="defeated")
    about = AboutOdds(phases=3, until={"A2": 4}, battles=200)
    same(foretold(state, phases=3, until={"A2": 4}), duel(plain(hp=5), plain(hp=5), 3))
    assert thrown_by_engine(state, about, 3, 1, Pace(60)).phases.max() > 1
    arrays = thrown_by_arrays(state, about, 1)
    assert arrays is not None
    assert arrays.phases.max() > 1


def test_who_bled_to_death_before_the_first_blow_has_lost() -> None:
    """PF-3.5 step 1: nobody's fate changes in the rest of the phase, and the battle is over all the same."""
    s = two({"hp": 9}, {"abilities": ["fear"], "hp": 1}).until("melee")
    bleeding = Mark("bleeding", "A", detail="bleed")
    thrown = thrown_by_arrays(with_army(s.state, "B", marks=(bleeding,)), AboutOdds(battles=50, phases=1), 1)
    assert thrown is not None
    assert set(thrown.winners.tolist()) == {0}
    still = with_army(s.state, "B", hp=3, marks=(bleeding,))
    played = thrown_by_engine(still, AboutOdds(), 30, 1, Pace(400))
    thrown = thrown_by_arrays(still, AboutOdds(battles=8000, phases=30), 1)
    assert thrown is not None
    assert apart(still, thrown, played)[0] < (6, "")
