"""What the dice of a phase did to the chances, by hand for the coin."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from rules.battle_law import AFTERMATH, RUNNING, Combatant, Outcome, Stage, Summary, Team
from rules.core.dice import Roll
from rules.core.odds import EXACT
from rules.law import Viewer
from rules.odds.tasks import Task, perform
from rules.odds.viewer_forecast import Chances, FieldNow, Fought, Moment, ended, fairness, weighed
from tests.rulesets.coin.law import COIN_LAW, Called, Company, Opening, Toss, Tossed

GM = Viewer(gm=True, armies=frozenset("ab"), reads=frozenset("ab"))
ANA = Viewer(armies=frozenset("a"), reads=frozenset("a"), user="ana")
OPENING = Opening(("One", "Two"), (Company("a", "A", "", 2, 2), Company("b", "B", "", 2, 2)))
LAW = COIN_LAW.battle


class Falls:
    """A coin that falls as it is told to."""

    def __init__(self, value: int):
        self.value = value

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, self.value)

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def fought(state: Any, one: str, two: str, falls: int) -> tuple[Fought, Any]:
    """A toss before which these were called, and the battle after it."""
    before = LAW.fold(state, [Called("a", one), Called("b", two)])
    events = LAW.decide(before, Toss(), Falls(falls), GM)
    return Fought(FieldNow("coin", {}, OPENING, LAW.freeze(before)), events), LAW.fold(before, events)


def chance(one: int, two: int) -> tuple[float, float, float]:
    """That the first wins, that the second does, that nobody is left, by the three ways a toss can hurt."""
    if one == 0 or two == 0:
        return float(one > 0), float(two > 0), float(one == two)
    ways = [chance(one - 1, two - 1), chance(one - 1, two), chance(one, two - 1)]
    return tuple(sum(way[i] for way in ways) / 3 for i in range(3))  # type: ignore[return-value]


def test_the_chance_before_a_toss_knows_what_was_called_and_the_one_after_it_who_lost():
    toss, _then = fought(LAW.open(OPENING), "heads", "tails", 1)  # heads: the second loses a man
    found = weighed(toss, GM)
    assert found is not None
    expected = [(x + y) / 2 for x, y in zip(chance(1, 2), chance(2, 1), strict=True)]
    assert (*found.before.wins, found.before.mutual) == pytest.approx(expected, abs=1e-12)
    assert (*found.after.wins, found.after.mutual) == pytest.approx(chance(2, 1), abs=1e-12)
    assert (found.method, found.error) == (EXACT, 0.0)


def test_luck_its_sum_the_turning_point_and_how_likely_it_had_been():
    """Two tosses that both hurt the second: it ends 2 to 0."""
    first, state = fought(LAW.open(OPENING), "heads", "tails", 1)
    second, state = fought(state, "heads", "tails", 1)
    moments = [Moment(Stage("toss", n, ""), found.before, found.after)
               for n, toss in enumerate((first, second), 1) if (found := weighed(toss, GM))]  # fmt: skip
    told = fairness(moments, ended(LAW.summary(state)))
    start = (chance(1, 2)[0] + chance(2, 1)[0]) / 2
    second_before = (chance(1, 1)[0] + 1) / 2  # either the first loses a man, and it is even, or it is over
    steps = [chance(2, 1)[0] - start, 1 - second_before]
    assert [step.luck[0] for step in told.steps] == pytest.approx(steps, abs=1e-12)
    assert told.luck[0] == pytest.approx(sum(steps), abs=1e-12)
    assert told.likely == pytest.approx(start, abs=1e-12)
    assert steps == pytest.approx([1 / 3, 1 / 3])
    assert told.turning == 0, "both moved a third: the first of them, whatever rounding says"


def test_the_calls_of_others_are_taken_from_what_the_toss_told_everybody():
    """Who does not command it has not seen its call; who lost a man by what the coin showed is no secret."""
    toss, _then = fought(LAW.open(OPENING), "heads", "tails", 1)
    assert weighed(toss, ANA) == weighed(toss, GM)


def test_nothing_of_an_order_is_told_that_made_no_difference():
    """One that called the wrong side and one that called nothing both lose a man: one story."""
    opened = LAW.open(OPENING)
    called, _then = fought(opened, "heads", "tails", 1)
    silent = LAW.fold(opened, [Called("a", "heads")])
    events = LAW.decide(silent, Toss(), Falls(1), GM)
    quiet = Fought(FieldNow("coin", {}, OPENING, LAW.freeze(silent)), events)
    assert events == called.events
    assert weighed(quiet, ANA) == weighed(called, ANA)
    assert weighed(quiet, GM) != weighed(called, GM)


def test_it_goes_to_another_process_as_plain_values():
    toss, _then = fought(LAW.open(OPENING), "heads", "tails", 1)
    task = Task("rules.odds.viewer_forecast.weighed", (toss, GM), "key")
    sent = pickle.loads(pickle.dumps(task))
    assert perform(sent.function, sent.arguments) == weighed(toss, GM)


def test_of_a_battle_that_was_over_there_is_nothing_to_weigh():
    state = LAW.open(OPENING._replace(companies=(Company("a", "A", "", 2, 2), Company("b", "B", "", 2, 0))))
    over = Fought(FieldNow("coin", {}, OPENING, LAW.freeze(state)), (Tossed(Roll("coin", "toss", 2, 1), ("a",)),))
    assert weighed(over, GM) is None


def summary(status: str, winner: int | None, *fighting: bool) -> Summary:
    stage = Stage("toss", 1, "Toss 1")
    armies = {str(n): Combatant(str(n), "", n, "", "", 1, 1, fighting=on) for n, on in enumerate(fighting)}
    sides = tuple(Team(str(n), (str(n),)) for n in range(len(fighting)))
    outcome = Outcome(winner, "", "") if status == AFTERMATH else None
    return Summary(status, stage, ((stage, "current"),), sides, armies, outcome=outcome)


@pytest.mark.parametrize(
    "found, end",
    [
        (summary(RUNNING, None, True, True), None),
        (summary(AFTERMATH, 1, False, True), Chances((0.0, 1.0), 0.0)),
        (summary(AFTERMATH, None, False, False), Chances((0.0, 0.0), 1.0)),
        (summary(AFTERMATH, None, True, True), None),
    ],
    ids=["goes on", "won", "nobody left", "broken off"],
)
def test_how_a_battle_ended(found, end):
    assert ended(found) == end


def test_moments_of_one_phase_are_one_step():
    one, two = Stage("toss", 1, "Toss 1"), Stage("toss", 2, "Toss 2")
    moments = [
        Moment(one, Chances((0.5, 0.5)), Chances((0.7, 0.3))),
        Moment(one, Chances((0.6, 0.4)), Chances((0.4, 0.6))),
        Moment(two, Chances((0.4, 0.6)), Chances((0.5, 0.5))),
    ]
    steps = fairness(moments).steps
    assert [(step.stage.number, step.before.wins[0], step.after.wins[0]) for step in steps] == [
        (1, 0.5, 0.4),
        (2, 0.4, 0.5),
    ]
    assert [step.luck[0] for step in steps] == pytest.approx([0.0, 0.1])
