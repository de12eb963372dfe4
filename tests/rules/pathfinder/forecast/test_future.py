"""What must be true of every exact forecast, and that it is the engine's own battles it foretells."""

from __future__ import annotations

import math
from functools import cache

import numpy as np
import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from rules.core.odds import AboutOdds, Odds
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state.battle_state import BattleState, Opening
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.opening import open_battle
from rules.pathfinder.forecast.exact.forecast import exactly
from rules.pathfinder.forecast.exact.hit_point_losses import DENSE, Harm, HarmToll, Tolls
from rules.pathfinder.forecast.exact.markov_chains import bled, raise_up
from rules.pathfinder.forecast.simulate import Seeded, play, resolved
from rules.pathfinder.ruleset import COMBAT_DE_MASSE as LAW
from rules.pathfinder.spec import AbilityChoice, ArmySpec, UnitSpec
from tests.everyday import at_most
from tests.rules.pathfinder.forecast.branching import sign
from tests.rules.pathfinder.forecast.pairs import pairs
from tests.rules.pathfinder.forecast.test_exact import battle
from tests.rules.pathfinder.strategies import GM, openings

SIGMAS = 4.5
FIGHTS = at_most(200, full=1200)
COUPLING = {
    "create-spawn", "energy-drain", "fear", "ferocity", "flight", "paralysis", "petrification", "stunning-fist",
    "whirlwind",
}  # fmt: skip
"""What one army does with these changes the other, unless that is immune."""


def soldiers(name: str, cr: str, *abilities: AbilityChoice, die: str = "d10", count: int = 100) -> ArmySpec:
    return ArmySpec(name, name, UnitSpec("soldier", cr, die, abilities=abilities), count)


def foretold(state: BattleState, **about: object) -> Odds:
    odds = exactly(state, AboutOdds(**about))  # type: ignore[arg-type]
    assert odds is not None
    return odds


def begun(opening: Opening) -> BattleState:
    state = open_battle(LAW, opening)
    return fold(state, decide(state, c.Next(), Seeded(1), GM))


def near(share: float, chance: float, count: int) -> bool:
    """Whether it falls so no rarer than a normal figure lies beyond SIGMAS: by the binomial itself, which holds for
    what hardly ever happens too.
    """
    hits, tail = round(share * count), math.erfc(SIGMAS / math.sqrt(2)) / 2
    chances = [_falls(k, count, min(1.0, max(0.0, chance))) for k in range(count + 1)]
    return min(sum(chances[: hits + 1]), sum(chances[hits:])) > tail


def _falls(hits: int, count: int, chance: float) -> float:
    if chance in (0.0, 1.0):
        return float(hits == count * chance)
    ways = math.lgamma(count + 1) - math.lgamma(hits + 1) - math.lgamma(count - hits + 1)
    return math.exp(ways + hits * math.log(chance) + (count - hits) * math.log1p(-chance))


def as_foretold(state: BattleState, count: int, seed: int, phases: int = 400) -> None:
    """Plays it so often: wins, fates and hit points fall as foretold."""
    about = AboutOdds(phases=phases)
    odds, dice = foretold(state, phases=phases), Seeded(seed)
    ends = [play(state, about, dice, phases)[0] for _fight in range(count)]
    assert near(sum(end.result is None for end in ends) / count, odds.undecided, count)
    for index, side in enumerate(odds.sides):
        won = sum(end.result is not None and end.result.winner == index for end in ends) / count
        assert near(won, side.win, count), (won, side.win)
    for name, army in odds.armies.items():
        for fate, chance in army.fates.items():
            assert near(sum(end.armies[name].status == fate for end in ends) / count, chance, count), (name, fate)
        mean = sum(hp * chance for hp, chance in army.health)
        spread = math.sqrt(sum((hp - mean) ** 2 * chance for hp, chance in army.health) / count)
        assert abs(sum(end.armies[name].hp for end in ends) / count - mean) <= SIGMAS * spread + 1e-9, name


@pytest.mark.parametrize("seed", range(3))
def test_battles_of_the_engine_end_as_foretold(seed: int) -> None:
    bleed, mend = AbilityChoice("bleed"), AbilityChoice("fast-healing", 4)
    both = [
        (soldiers("A", "5"), soldiers("B", "5", bleed)),
        (soldiers("A", "6", mend), soldiers("B", "7")),
        (soldiers("A", "4", AbilityChoice("breath-weapon"), AbilityChoice("grab")), soldiers("B", "5", bleed)),
    ]
    as_foretold(battle(*both[seed], "tactics"), FIGHTS, seed)


@cache
def reckoned() -> tuple[tuple[BattleState, tuple[str, ...]], ...]:
    """Random pairs of which something exact is said, with random orders, and the abilities they have."""
    return tuple((state, slugs) for state, slugs in pairs(160, seed=11) if exactly(state, AboutOdds(phases=1)))


def test_random_pairs_have_every_ability_but_those_that_couple_both_armies() -> None:
    """Those are thrown by arrays, and tried there."""
    assert len(reckoned()) >= 64
    among = {slug for _state, slugs in reckoned() for slug in slugs}
    assert set(LAW.abilities) - among <= COUPLING


@pytest.mark.parametrize("number", range(0, 64, 16))
def test_a_few_random_pairs_end_as_foretold(number: int) -> None:
    as_foretold(reckoned()[number][0], at_most(60, full=120), number, phases=20)


@pytest.mark.slow
@pytest.mark.parametrize("number", range(64))
def test_random_battles_of_the_engine_end_as_foretold(number: int) -> None:
    """200 000 battles in all."""
    as_foretold(reckoned()[number][0], 3200, number, phases=40)


@settings(max_examples=at_most(12, full=200), deadline=None)
@given(openings(most=2))
def test_all_that_can_happen_is_one(opening: Opening) -> None:
    odds = exactly(begun(opening), AboutOdds(phases=60))
    assume(odds is not None)
    assert odds is not None
    assert sum(side.win for side in odds.sides) + odds.mutual + odds.undecided == pytest.approx(1, abs=1e-9)
    for army in odds.armies.values():
        assert sum(chance for _hp, chance in army.health) == pytest.approx(1, abs=1e-9)
        assert sum(army.fates.values()) == pytest.approx(1, abs=1e-9)
        assert all(chance >= 0 for _hp, chance in army.health)


def test_the_chance_before_a_phase_is_the_mean_of_those_after_it() -> None:
    """A martingale, phase by phase of battles of the engine."""
    state = battle(soldiers("A", "5", AbilityChoice("bleed")), soldiers("B", "6"))
    before = foretold(state).sides[0].win
    dice, after, known = Seeded(7), [], dict[object, float]()
    for _fight in range(at_most(60, full=120)):
        then = resolved(state, dice)
        if then.result is None and (seen := sign(then)) not in known:
            known[seen] = foretold(then).sides[0].win
        after.append(known[seen] if then.result is None else float(then.result.winner == 0))
    assert abs(np.mean(after) - before) <= SIGMAS * np.std(after) / math.sqrt(len(after))


@given(
    st.sampled_from(("2", "5", "9", "15")), st.lists(st.sampled_from(("bleed", "trip", "pounce", "grab")), unique=True)
)
@settings(max_examples=at_most(8, full=15), deadline=None)
def test_mirrored_armies_have_the_same_odds(cr: str, slugs: list[str]) -> None:
    abilities = tuple(map(AbilityChoice, slugs))
    odds = foretold(battle(soldiers("A", cr, *abilities), soldiers("B", cr, *abilities)))
    one, two = odds.sides
    assert (one.win, one.rout, one.destroyed) == pytest.approx((two.win, two.rout, two.destroyed), abs=1e-12)


@given(st.sampled_from(("2", "5", "9")), st.sampled_from(("3", "4", "8")))
@settings(max_examples=at_most(5, full=9), deadline=None)
def test_who_stands_first_in_the_order_does_not_matter(cr: str, other: str) -> None:
    ahead = foretold(battle(soldiers("A", cr), soldiers("B", other)))
    behind = foretold(battle(soldiers("B", other), soldiers("A", cr)))
    assert ahead.sides[0].win == pytest.approx(behind.sides[1].win, abs=1e-12)


def stalemate() -> BattleState:
    """Two armies that only a natural 20 hurts."""
    walls = AbilityChoice("significant-defense"), AbilityChoice("shield-ally"), AbilityChoice("mount")
    return battle(soldiers("A", "5", *walls), soldiers("B", "5", *walls))


def test_a_stalemate_is_followed_to_its_end() -> None:
    """Where only a natural 20 hurts the battle lasts hundreds of phases, and none of it is left out."""
    odds = foretold(stalemate())
    assert odds.undecided < 1e-9
    assert odds.phases.mean > 200
    assert odds.sides[0].win == pytest.approx(odds.sides[1].win, abs=1e-9)


def test_a_stalemate_that_is_cut_tells_what_is_undecided() -> None:
    odds = foretold(stalemate(), phases=45)
    assert odds.undecided > 0.9
    assert sum(side.win for side in odds.sides) + odds.mutual + odds.undecided == pytest.approx(1, abs=1e-12)


def test_those_who_cannot_hurt_each_other_never_end() -> None:
    ghost = AbilityChoice("incorporeal")
    odds = foretold(battle(soldiers("A", "5", ghost), soldiers("B", "5", ghost)))
    assert odds.undecided == pytest.approx(1)
    assert odds.phases.mean == 0


def test_casters_above_4th_level_win_an_otherwise_even_fight() -> None:
    """A published statement of these rules."""
    caster = AbilityChoice("spellcasting", 5, {"ranged": True})
    odds = foretold(battle(soldiers("A", "9", caster), soldiers("B", "9"), "tactics"))
    assert odds.sides[0].win > 0.9


@given(st.dictionaries(st.integers(0, 30), st.floats(0.01, 1), min_size=1, max_size=6),
       st.sampled_from((12, DENSE, DENSE + 1, 300)), st.integers(0, 99))  # fmt: skip
@settings(max_examples=at_most(15, full=40), deadline=None)
def test_damage_is_taken_off_hit_points_few_or_many(chances: dict[int, float], top: int, seed: int) -> None:
    toll = HarmToll(chances, top)
    masses = np.random.default_rng(seed).random((2, top + 1))
    masses[:, 0] = 0.0
    expected = np.zeros_like(masses)
    for damage, chance in chances.items():
        for hp in range(1, top + 1) if damage else ():
            expected[:, max(0, hp - damage)] += chance * masses[:, hp]
    if toll.hurts:
        assert toll(masses) == pytest.approx(expected, abs=1e-12)
    else:
        assert not expected.any()
    if top <= DENSE:
        harm = Harm(chances, {})
        each = Tolls([harm, harm, None], "free", top).each
        assert each(np.vstack((masses, masses[:1])))[:2] == pytest.approx(expected)


@given(st.integers(0, 9), st.integers(1, 12), st.integers(1, 15))
def test_bleeding_and_healing_lose_nobody(resisted: int, top: int, amount: int) -> None:
    masses = np.full(top + 1, 1 / (top + 1))
    safe, lost = bled(masses, resisted)
    assert safe.sum() + lost.sum() == pytest.approx(1)
    raise_up(lost, amount, top)
    assert safe.sum() + lost.sum() == pytest.approx(1)
    assert not lost[: min(amount, top)].any()


def test_armies_of_hundreds_of_hit_points_are_fought_out() -> None:
    giants = [soldiers(name, "60", die="d12", count=2000) for name in "AB"]
    odds = foretold(battle(giants[0], giants[1], "tactics"))
    assert odds.undecided < 1e-9
    assert odds.phases.mean > 100
    assert odds.sides[0].win == pytest.approx(odds.sides[1].win, abs=1e-9)
