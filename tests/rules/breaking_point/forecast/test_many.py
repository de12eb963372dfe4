"""Many battles at once against the engine: with the same dice every single one of them has to end alike."""

from __future__ import annotations

from dataclasses import replace
from math import sqrt
from random import Random

import numpy as np
import pytest

from rules.breaking_point.battle.state.battle_state import BodyOrder, Order
from rules.breaking_point.battle.telling.summary import health_of
from rules.breaking_point.dice import runs_on, value_of
from rules.breaking_point.forecast.choices import lasting, ordered, retreating
from rules.breaking_point.forecast.exact import die
from rules.breaking_point.forecast.many.fights import Multitude
from rules.breaking_point.forecast.many.moments import FATES
from rules.breaking_point.forecast.many.sheets import fits, sheets_of
from rules.breaking_point.forecast.simulate import MOST_ROUNDS, fought, resolved, seed_of
from rules.breaking_point.forecast.tally import NOBODY, UNDECIDED
from rules.core.dice import Roll
from rules.core.odds import AboutOdds, Retreat
from rules.law import OMNISCIENT
from tests.everyday import at_most, everyday
from tests.rules.breaking_point.battle.random_fights import commands, drawn
from tests.rules.breaking_point.forecast.fields import LAW, before, field, host, squadron, told

AT_ONCE, SOME = 6, at_most(8, full=20)
EVERYTHING = AboutOdds()
LEFT, RIGHT = host("a", ("legionaries", 300), ("longbowmen", 100)), host("b", ("orcs", 400), ("crossbowmen", 80))
CLASH = field(LEFT, RIGHT, marks=("harsh",))
SHIPS = squadron("a", ("frigate", 3), ("destroyer", 1)), squadron("b", ("frigate", 4))
FLEETS = field(*SHIPS, kind="fleet", medium="sea")


class Same:
    """For the engine, the dice that fell in one of many battles: faces that are worth as much."""

    def __init__(self, fights: Multitude, row: int, battle):
        self.fights, self.row, self.battle, self.left = fights, row, battle, []

    def roll(self, owner: str, name: str, die: int) -> Roll:
        if not self.left:
            worth = self._worth(owner, name)
            self.left = [worth] if self.battle.house.plain_die else faces(worth)
        return Roll(owner, name, die, self.left.pop(0))

    def _worth(self, owner: str, name: str) -> int:
        place = self._place(owner, name)
        self.fights.rows, self.fights.number = np.array([self.row]), self.battle.phase.number
        return int(self.fights.thrown(name, place)[0])

    def _place(self, owner: str, name: str) -> int:
        bodies = list(self.battle.bodies)
        if name == "withdraw" and owner.startswith("side-"):
            return len(bodies) + self.leaver  # the foe's die against whoever is leaving
        owners = {"command": [f"side-{side}" for side in (0, 1)], "rally": self.battle.owners()}
        owners["withdraw"] = bodies if self.battle.kind == "fleet" else self.battle.owners()
        self.leaver = owners.get(name, bodies).index(owner)
        return self.leaver

    def checkpoint(self): ...

    def finish(self): ...


def faces(worth: int) -> list[int]:
    """Of an open die that comes to this (B-1)."""
    if 2 <= worth <= 9:
        return [worth]
    first, rest = (10, worth - 10) if worth > 9 else (1, 1 - worth)
    return [first, *[10] * ((rest - 1) // 10), (rest - 1) % 10 + 1]


def played(battle, fights: Multitude, row: int, about: AboutOdds):
    """As `simulate.play`, with those dice: (winner, force left by body, fates by body, rounds)."""
    standing, rounds = dict(battle.orders), 0
    most = MOST_ROUNDS if about.phases is None else about.phases
    while battle.result is None and rounds < most:
        left = {army: health_of(battle, army)[0] for army in battle.armies}
        battle = ordered(battle, {**standing, **retreating(battle, about, rounds, left)})
        command = battle.phase.kind == "command"
        battle = resolved(battle, Same(fights, row, battle))
        rounds += not command
        if not command:
            standing = dict(lasting(battle.changed(orders=standing)))
    winner = UNDECIDED if battle.result is None else battle.result.winner
    left = [max(0, body.force - body.losses) for body in battle.bodies.values()]
    fates = [body.status for body in battle.bodies.values()]
    return NOBODY if winner is None else winner, left, fates, rounds


def compared(battle, about=EVERYTHING, count=AT_ONCE):
    fights = Multitude([battle], [sheets_of(battle)], count, 5)
    fights.fight(about, MOST_ROUNDS if about.phases is None else about.phases)
    for row in range(count):
        own = (int(fights.winner[0, row]), fights.left[:, 0, row].tolist(),
               [FATES[fate] for fate in fights.fates[:, 0, row]], int(fights.rounds[0, row]))  # fmt: skip
        theirs = played(battle, Multitude([battle], [sheets_of(battle)], count, 5), row, about)
        assert own == theirs, row


def somewhere(seed: int):
    """A moment of a random battle, with random orders, from which many can go on; None where there is none."""
    law, opening = drawn(seed)
    rng, battle, found = Random(seed), law.open(opening), []
    while battle.result is None and len(found) < 8:
        for command in commands(law, battle, rng):
            if battle.phase.kind == "round" and fits(battle):
                found.append(battle)
            battle = law.fold(battle, law.decide(battle, command, Chance(rng), OMNISCIENT))
    return rng.choice(found) if found else None


class Chance:
    def __init__(self, rng: Random):
        self.rng = rng

    def roll(self, owner, name, die):
        return Roll(owner, name, die, self.rng.randint(1, die))

    def checkpoint(self): ...

    def finish(self): ...


def test_these_faces_are_worth_what_was_thrown_b_1():
    for worth in die(False):
        assert value_of(faces(worth)) == worth
        assert not runs_on(faces(worth)), worth


RALLIED = 13  # there one is rallied who was told to be


@pytest.mark.parametrize("seed", everyday(range(40), first=8, keep=RALLIED.__eq__))
def test_each_of_many_battles_goes_as_the_engine_plays_it_with_the_same_dice(seed):
    battle = somewhere(seed)
    if battle is not None:
        compared(battle)


@pytest.mark.parametrize("begun", [before(CLASH), before(CLASH).changed(due=frozenset({"weather"})), FLEETS])
def test_so_do_those_that_begin_with_a_command_test_and_fleets(begun):
    compared(begun, count=SOME)


@pytest.mark.parametrize("retreat", [Retreat(after=0), Retreat(after=2), Retreat(health=1500)])
@pytest.mark.parametrize("begun", [CLASH, before(CLASH), FLEETS])
def test_so_do_those_that_somebody_leaves(begun, retreat):
    compared(begun, AboutOdds(retreats={"b": retreat}), count=SOME)


@pytest.mark.parametrize("begun", [CLASH, FLEETS])
def test_so_do_those_that_somebody_was_told_to_leave_b_35(begun):
    compared(begun.changed(orders={"a": Order("a", withdraw=True)}), count=SOME)


def test_a_look_ends_as_the_engines_does():
    compared(CLASH, AboutOdds(phases=2), count=20)


@pytest.mark.parametrize(
    ("army", "given"),
    [("b", {"commit": True}), ("a", {"distance": "close"})],
)
def test_orders_of_other_kinds_are_left_to_the_engine(army, given):
    assert fought(CLASH.changed(orders={army: Order(army, **given)}), EVERYTHING, 10, 1, 9) is None


def test_an_assault_is_left_to_the_engine():
    assert not fits(CLASH.changed(opening=replace(CLASH.opening, kind="assault")))


def test_two_questions_about_one_battle_have_the_same_dice():
    holding = CLASH.changed(orders={"a": Order("a", {"contact": BodyOrder("hold")})})
    assert seed_of(CLASH, 1) == seed_of(holding, 1)
    assert seed_of(CLASH, 1) != seed_of(CLASH, 2)


def test_a_forecast_of_a_field_battle_is_within_three_points_and_a_table_within_five():
    (kind,) = LAW.forecast.table_kinds(CLASH, "a", "b")
    assert LAW.forecast.odds(CLASH, EVERYTHING, OMNISCIENT).error < 0.03
    hold = told("b", {"contact": ("hold",), "shooting": ("hold",)})
    table = LAW.forecast.table(CLASH, kind.slug, "a", "b", AboutOdds(commands=(hold,)), OMNISCIENT)
    assert table.error < 0.05


MIRRORS = {
    "foot": field(host("a", ("legionaries", 300)), host("b", ("legionaries", 300))),
    "all arms": field(*(host(name, ("men-at-arms", 200), ("knights", 50), ("longbowmen", 100)) for name in "ab")),
    "fleets": field(*(squadron(name, ("frigate", 2), ("destroyer", 2)) for name in "ab"), kind="fleet", medium="sea"),
}


@pytest.mark.parametrize("name", MIRRORS)
def test_mirror_battles_are_fair(name):
    """Two like armies that do the same, pursuit and all: neither wins more often than chance lets it."""
    battle = before(MIRRORS[name])
    ends = fought(battle.changed(orders={}), EVERYTHING, 4000, 1, MOST_ROUNDS)
    won = [sum(end.chance for end in ends if end.winner == side) for side in (0, 1)]
    assert sum(won) > (0 if name == "fleets" else 2000)
    assert abs(won[0] - won[1]) / sqrt(sum(won)) < 3
