"""Who wins, and no more: the same numbers as the whole forecast has, by a shorter way."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from rules.core.odds import AboutOdds, Odds, Winning
from rules.pathfinder.battle.state.battle_state import BattleState, Mark, Order, SetCondition, changed
from rules.pathfinder.forecast.exact.forecast import exactly, winners
from rules.pathfinder.forecast.forecast_law import Prospects
from rules.pathfinder.spec import AbilityChoice
from tests.everyday import at_most, everyday
from tests.rules.pathfinder.forecast.branching import future
from tests.rules.pathfinder.forecast.pairs import pairs
from tests.rules.pathfinder.forecast.test_exact import BOSS, CLOSE, MENDING, REGENERATION, army, battle, ordered
from tests.rules.pathfinder.strategies import GM

STORM = {"conditions": (SetCondition("sandstorm"),)}
WEAK = AboutOdds(phases=6)


def with_army(state: BattleState, name: str, **fields: Any) -> BattleState:
    return changed(state, armies={**state.armies, name: changed(state.armies[name], **fields)})


def winning(state: BattleState, about: AboutOdds) -> Winning:
    found = winners([state], about)[0]
    assert found is not None
    return found


def same(one: Winning, odds: Odds | None) -> None:
    assert odds is not None
    assert one.method == odds.method
    told = (*one.wins, one.mutual, one.undecided, one.phases.mean)
    assert told == pytest.approx(
        (*(s.win for s in odds.sides), odds.mutual, odds.undecided, odds.phases.mean), abs=CLOSE
    )
    assert one.phases.p90 == odds.phases.p90


PAIRS: tuple[tuple[Any, Any, dict[str, Any]], ...] = (
    ((), (), {}), (("bleed",), (), {}), (("bleed",), ("burn",), {}), (("bleed", MENDING), (REGENERATION,), {}),
    ((REGENERATION,), (), {}), (("bleed",), (REGENERATION,), STORM), ((), (), {"cannot_leave": ("B",)}),
    (("breath-weapon",), ("grab",), {}), (("flurry-of-blows",), ("pounce",), {}),
)  # fmt: skip


@pytest.mark.parametrize("pair", PAIRS, ids=str)
@pytest.mark.parametrize("phase", ["tactics", "melee"])
def test_who_wins_is_told_as_of_the_forecast_whatever_happens_besides_blows(pair: Any, phase: str) -> None:
    one, other, opening = pair
    state = battle(army("A", *one), army("B", *other), phase, **opening)
    for phases in (2, 25):
        same(winning(state, AboutOdds(phases=phases)), exactly(state, AboutOdds(phases=phases)))


@pytest.mark.parametrize("pair", [PAIRS[0], PAIRS[4], PAIRS[6]], ids=str)
def test_who_wins_is_told_as_of_the_battle_played_through(pair: Any) -> None:
    one, other, opening = pair
    state, phases = battle(army("A", *one), army("B", *other), **opening), at_most(2, full=4)
    played, said = future(state, phases), winning(state, AboutOdds(phases=phases))
    assert said.wins == pytest.approx([float(played.win[side]) for side in (0, 1)], abs=CLOSE)
    assert said.mutual == pytest.approx(float(played.mutual), abs=CLOSE)
    assert said.undecided == pytest.approx(float(played.undecided), abs=CLOSE)


@pytest.mark.parametrize("phases", everyday([None, 3, 48, 112, 0, 1, 47, 111, 113, 300], first=4))
@pytest.mark.parametrize(("cr", "other"), [("1", "1"), ("9", "12"), ("11", "5"), ("16", "13"), ("19", "19")])
def test_who_wins_is_told_as_of_the_whole_forecast(cr: str, other: str, phases: int | None) -> None:
    """Short and long battles, of few hit points and of many: by strides, step by step, and both after one another."""
    state, about = battle(army("A", cr=cr), army("B", "significant-defense", cr=other)), AboutOdds(phases=phases)
    same(winning(state, about), exactly(state, about))


def test_a_long_siege_of_blows_is_walked_to_its_end() -> None:
    """Where only a natural 20 hurts: hundreds of phases."""
    strong = ("significant-defense",)
    orders = Order("A", strategy="defensive"), Order("B", strategy="defensive")
    state = ordered(battle(army("A", *strong, cr="5", commander=BOSS), army("B", *strong, cr="5")), *orders)
    said = winning(state, AboutOdds())
    same(said, exactly(state, AboutOdds()))
    assert said.phases.p90 > 100


def test_random_pairs_have_the_winner_of_their_forecast() -> None:
    everything = [state for state, _slugs in pairs(at_most(16, full=64), seed=5)]
    said = winners(everything, AboutOdds(phases=200))
    whole = [exactly(state, AboutOdds(phases=200)) for state in everything]
    assert [one is None for one in said] == [odds is None for odds in whole]
    reckoned = [(one, odds) for one, odds in zip(said, whole, strict=True) if one is not None]
    assert len(reckoned) >= at_most(5, full=20)
    for one, odds in reckoned:
        same(one, odds)


def test_wounds_brought_along_count() -> None:
    marks = (Mark("bleeding", "A", detail="bleed"), Mark("bleeding", "A", detail="bleed"))
    state = with_army(battle(army("A"), army("B", cr="3")), "B", marks=marks)
    same(winning(state, WEAK), exactly(state, WEAK))


def test_a_look_that_ends_at_a_health_has_its_winner() -> None:
    state = battle(army("A", cr="4"), army("B", cr="4"))
    about = AboutOdds(until={"A": 9})
    same(winning(state, about), exactly(state, about))


def test_the_law_says_who_wins_battles_it_throws_too() -> None:
    exact, thrown = battle(army("A"), army("B")), battle(army("A", "ferocity"), army("B"))
    said = Prospects().winners([exact, thrown], AboutOdds(battles=200), GM)
    assert [one.method for one in said] == ["exact", "simulated"]
    for state, one in zip((exact, thrown), said, strict=True):
        odds = Prospects().odds(state, AboutOdds(battles=200), GM)
        same(one, replace(odds, assumed=()) if odds is not None else None)


def test_the_first_melee_phase_is_told_apart_where_somebody_reads_it() -> None:
    """PF-9: a flurry of blows; then the next phase has other figures, though nothing else happens."""
    state = battle(army("A", "flurry-of-blows", cr="4"), army("B", cr="4"))
    state = with_army(with_army(state, "A", target="B"), "B", target="A")
    later = changed(state, phase=state.phase._replace(number=2))
    assert winning(state, WEAK) != winning(later, WEAK)
    same(winning(state, WEAK), exactly(state, WEAK))
    few = with_army(with_army(state, "A", hp=4), "B", hp=4)
    played = future(few, 2)
    assert winning(few, AboutOdds(phases=2)).wins == pytest.approx(
        [float(played.win[side]) for side in (0, 1)], abs=CLOSE
    )


def test_healing_of_one_phase_is_not_taken_for_that_of_all() -> None:
    """R-22: a potion heals when it is drunk; the phase after looks alike otherwise."""
    state = battle(army("A", AbilityChoice("fast-healing", 2), resources={"healing-potions": 1}), army("B"))
    state = with_army(with_army(state, "A", target="B", hp=4), "B", target="A")
    same(winning(state, WEAK), exactly(state, WEAK))
