"""Duels reckoned exactly, against the engine face by face and against battles it plays (BP-4)."""

from collections import defaultdict
from dataclasses import replace
from itertools import product

import pytest

from rules.breaking_point.battle.steps.phase import resolve_round
from rules.breaking_point.battle.steps.run import Run
from rules.breaking_point.battle.telling.summary import health_of
from rules.breaking_point.dice import DIE, MOST_FACES, runs_on
from rules.breaking_point.forecast.choices import ordered, with_orders
from rules.breaking_point.forecast.exact import die, exactly
from rules.breaking_point.forecast.simulate import simulated
from rules.core.dice import Roll
from rules.core.odds import AboutOdds, Retreat
from tests.rules.breaking_point.forecast.fields import BREAKING_POINT, before, field, host, squadron, told

HOLDS = told("b", {"contact": ("hold",)})


def faces_of(so_far=()):
    """Every way the open die may fall, face by face."""
    if so_far and (len(so_far) >= MOST_FACES or not runs_on(so_far)):
        yield so_far
        return
    for face in range(1, DIE + 1):
        yield from faces_of((*so_far, face))


class Scripted:
    def __init__(self, faces):
        self.faces = {owner: list(own) for owner, own in faces.items()}

    def roll(self, owner, name, size):
        return Roll(owner, name, size, self.faces[owner].pop(0))

    def checkpoint(self): ...

    def finish(self): ...


def test_the_open_die_is_one_in_all_and_means_five_and_a_half_b_1():
    worths = die(False)
    assert sum(worths.values()) == pytest.approx(1)
    assert sum(worth * chance for worth, chance in worths.items()) == pytest.approx(5.5)
    assert (min(worths), max(worths)) == (-39, 50)
    assert worths[2] == pytest.approx(0.1)
    assert worths[11] == pytest.approx(0.01)
    assert die(True) == {face: pytest.approx(0.1) for face in range(1, 11)}


def test_one_attack_is_the_engines_at_every_face():
    battle = field(host("a", ("legionaries", 300)), host("b", ("orcs", 280)))
    spent = {**battle.bodies, "b:contact": replace(battle.bodies["b:contact"], rallied=True)}
    battle = with_orders(battle.changed(bodies=spent), [told("a", {"contact": ("attack", "b:contact")}), HOLDS])
    left = defaultdict(float)
    for faces in faces_of():
        dice = Scripted({"a:contact": faces})
        run = Run(ordered(battle, battle.orders), dice)
        resolve_round(run)
        left[health_of(run.battle, "b")[0]] += 0.1 ** len(faces)
    odds = exactly(battle, AboutOdds(phases=1))
    assert odds.method == "exact"
    assert dict(odds.armies["b"].health) == pytest.approx(dict(left))
    assert odds.armies["a"].health == ((2700, pytest.approx(1.0)),)


def test_a_round_of_two_is_the_engines_at_all_pairs_of_plain_faces():
    law = BREAKING_POINT.with_house({"plain_die": True}).battle
    battle = field(host("a", ("knights", 200)), host("b", ("orcs", 500)), law=law)
    battle = ordered(battle, {})
    ends = defaultdict(float)
    for mine, theirs, rally in product(range(1, 11), repeat=3):
        run = Run(battle, Scripted({"a:contact": [mine], "b:contact": [theirs], "a": [rally], "b": [rally]}))
        resolve_round(run)
        ends[tuple(health_of(run.battle, army)[0] for army in "ab")] += 0.001
    odds = exactly(battle, AboutOdds(phases=1))
    for at, army in enumerate("ab"):
        expected = defaultdict(float)
        for left, chance in ends.items():
            expected[left[at]] += chance
        assert dict(odds.armies[army].health) == pytest.approx(dict(expected))


FOOT = field(host("a", ("men-at-arms", 180)), host("b", ("militia", 300)))
DUELS = {
    "foot": FOOT,
    "ahead": field(host("a", ("orcs", 120)), host("b", ("lancers", 100))).changed(scores=(12, 9)),
    "surprised": field(host("a", ("orcs", 90)), host("b", ("lancers", 150))).changed(
        scores=(14, 5), surprised=frozenset({1})
    ),
    "never breaks": field(host("a", ("knights", 60)), host("b", ("zombies", 200)), marks=("forest",)),
}


@pytest.mark.parametrize("name", DUELS)
def test_a_duel_is_what_battles_played_by_the_engine_come_to(name):
    battle = with_orders(DUELS[name], [HOLDS])
    exact = exactly(battle, AboutOdds(phases=4))
    thrown = simulated(battle, AboutOdds(phases=4, battles=100, seed=3))
    assert (exact.method, exact.error, thrown.method) == ("exact", 0.0, "simulated")
    whole = sum(side.win for side in exact.sides) + exact.mutual + exact.undecided
    assert whole == pytest.approx(1)
    for mine, theirs in zip(exact.sides, thrown.sides, strict=True):
        assert mine.win == pytest.approx(theirs.win, abs=2 * thrown.error)
        assert mine.rout == pytest.approx(theirs.rout, abs=2 * thrown.error)
    assert exact.undecided == pytest.approx(thrown.undecided, abs=2 * thrown.error)


ROUNDS = {
    "foot": DUELS["foot"],
    "ahead": DUELS["ahead"],
    "surprised": DUELS["surprised"],
    "fleet": field(squadron("a", ("frigate", 3)), squadron("b", ("destroyer", 4)), kind="fleet", medium="sea"),
}


@pytest.mark.parametrize("name", ROUNDS)
def test_a_round_of_both_is_what_the_engine_comes_to(name):
    about = AboutOdds(phases=1, battles=400, seed=5)
    exact, thrown = exactly(ROUNDS[name], about), simulated(ROUNDS[name], about)
    assert exact.method == "exact"
    for mine, theirs in zip(exact.sides, thrown.sides, strict=True):
        assert mine.win == pytest.approx(theirs.win, abs=2 * thrown.error)
    for army in exact.armies:
        means = [sum(left * chance for left, chance in odds.armies[army].health) for odds in (exact, thrown)]
        assert means[0] == pytest.approx(means[1], rel=0.05)


def test_the_command_test_is_weighed_with_what_follows_from_it_bp_4_1():
    battle = with_orders(before(field(host("a", ("knights", 60)), host("b", ("zombies", 200)))), [HOLDS])
    exact, thrown = exactly(battle, AboutOdds(phases=2)), simulated(battle, AboutOdds(phases=2, battles=300))
    assert exact.method == "exact"
    for army in exact.armies:
        means = [sum(left * chance for left, chance in odds.armies[army].health) for odds in (exact, thrown)]
        assert means[0] == pytest.approx(means[1], rel=0.05)


def test_a_long_duel_is_thrown_instead():
    assert exactly(DUELS["foot"], AboutOdds()) is None


def test_what_is_more_than_a_duel_is_not_reckoned():
    two = field(host("a", ("legionaries", 300), ("longbowmen", 50)), host("b", ("orcs", 400)))
    assert exactly(two, AboutOdds()) is None
    duel = DUELS["foot"]
    assert exactly(duel, AboutOdds(retreats={"a": Retreat(after=1)})) is None
    assert exactly(with_orders(duel, [told("a", {"contact": ("attack", "b:contact", True)})]), AboutOdds()) is None
    assert exactly(with_orders(duel, [told("a", {}, withdraw=True)]), AboutOdds()) is None


def test_who_attacks_shooters_alone_is_left_to_the_engine_b_25():
    assert exactly(field(host("a", ("legionaries", 300)), host("b", ("longbowmen", 100))), AboutOdds()) is None
