"""A battle's future for one viewer: the odds of everything they may believe, mixed into one answer."""

from __future__ import annotations

import pickle

import pytest

from rules.core.odds import EXACT, SIMULATED, AboutOdds, ArmyOdds, Length, Odds, SideOdds
from rules.core.text import _
from rules.law import Viewer
from rules.odds.viewer_forecast import FieldNow, WhichTable, mixed, odds_of, table_of
from tests.rulesets.coin.law import COIN_LAW, Call, Company, Opening

GM = Viewer(gm=True)
ANA = Viewer(armies=frozenset("a"), reads=frozenset("a"))
OPENING = Opening(("One", "Two"), (Company("a", "A", "", 2, 2), Company("b", "B", "", 2, 1)))


def told(win: float, method: str = EXACT, left: int = 3) -> Odds:
    return Odds(
        method,  # type: ignore[arg-type]
        0.02 if method == SIMULATED else 0.0,
        0.0,
        0.0,
        (SideOdds("One", win, 0.0, 1 - win, win, win), SideOdds("Two", 1 - win, 0.0, win, 1 - win, 1 - win)),
        {"a": ArmyOdds("a", ((0, 1 - win), (left, win)), {"gone": 1 - win, "fighting": win})},
        Length(4.0, 6 if win > 0.5 else 9),
        (_("Orders are kept."),),
    )


def test_several_worlds_are_one_answer_between_the_least_and_the_most():
    answer = mixed([(told(0.2), 0.25), (told(0.4, SIMULATED, 5), 0.5), (told(0.8), 0.25)])
    one, two = answer.sides
    assert (one.win, one.low, one.high) == (pytest.approx(0.45), 0.2, 0.8)
    assert (two.win, two.low, two.high) == (pytest.approx(0.55), pytest.approx(0.2), 0.8)
    assert (answer.method, answer.error) == (SIMULATED, pytest.approx(0.01))
    assert dict(answer.armies["a"].health) == {0: pytest.approx(0.55), 3: pytest.approx(0.25), 5: pytest.approx(0.2)}
    assert (answer.phases.p90, [str(said) for said in answer.assumed]) == (9, ["Orders are kept."])
    assert mixed([(told(0.2), 1.0)]) == told(0.2)


def now(**calls: str) -> FieldNow:
    law = COIN_LAW.battle
    state = law.open(OPENING)
    for army, side in calls.items():
        state = law.fold(state, law.decide(state, Call(army, side), NoDice(), GM))
    return FieldNow("coin", {}, OPENING, law.freeze(state))


class NoDice:
    def finish(self) -> None: ...


def test_an_order_nobody_told_him_does_not_move_his_odds():
    asked = [odds_of(now(a="heads", b=side), AboutOdds(), ANA) for side in ("heads", "tails")]
    assert asked[0] == asked[1] == odds_of(now(a="heads"), AboutOdds(), ANA)
    known = [odds_of(now(a="heads", b=side), AboutOdds(), GM) for side in ("heads", "tails")]
    assert known[0] != known[1]


def test_what_is_typed_goes_before_what_is_given():
    typed = AboutOdds(commands=(Call("a", "tails"),))
    assert odds_of(now(a="heads", b="heads"), typed, GM) == odds_of(now(a="tails", b="heads"), AboutOdds(), GM)


def test_a_battle_that_is_over_has_no_future():
    law = COIN_LAW.battle
    state = law.open(Opening(OPENING.sides, (OPENING.companies[0], Company("b", "B", "", 2, 0))))
    over = FieldNow("coin", {}, OPENING, law.freeze(state))
    assert odds_of(over, AboutOdds(), GM) is None
    assert table_of(over, WhichTable("call", "a", "b"), AboutOdds(), GM) is None


def test_question_and_answer_go_to_another_process_and_back():
    asked = (now(a="heads"), AboutOdds(commands=(Call("a", "tails"),)), ANA)
    standing, about, viewer = pickle.loads(pickle.dumps(asked))
    answer = odds_of(standing, about, viewer)
    assert pickle.loads(pickle.dumps(answer)) == answer == odds_of(*asked)


def test_a_table_is_that_of_the_likeliest_world():
    table = table_of(now(), WhichTable("call", "a", "b"), AboutOdds(), GM)
    assert table is not None
    assert [len(row) for row in table.win] == [2, 2]
    assert (sum(table.row_mix), sum(table.column_mix)) == (1, 1)
