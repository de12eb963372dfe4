"""Odds by play: slices in order, when there are enough, and what the battles come to."""

from __future__ import annotations

import pytest

from rules.core.odds import PlayedBattle, PlayedSide, PlayedSlice, half_width
from rules.core.text import Term
from rules.odds.tasks import MARGIN, MOST, SLICE, SLICES, in_order, odds_from, suffices

SIDES = PlayedSide("Crown", ("a", "b")), PlayedSide("Horde", ("c",))


def battle(winner=0, *, decided=True, turns=4, lost=(), left=None):
    """`lost`: armies that stand no more."""
    fates = {army: "gone" if army in lost else "fighting" for army in "abc"}
    standing = tuple(army for army in "abc" if army not in lost)
    return PlayedBattle(winner, decided, turns, left or {"a": 3, "b": 2, "c": 4}, fates, standing)


def part(*battles):
    return PlayedSlice(SIDES, battles, True)


def of(*winners):
    return part(*map(battle, winners))


def test_slices_are_all_battles_once():
    assert [number for one in SLICES for number in range(one.first, one.first + one.battles)] == list(range(MOST))
    assert max(one.battles for one in SLICES) == SLICE


def test_shares_are_those_of_the_battles_and_one_together():
    odds = odds_from([of(0, 0, 1), part(battle(None), battle(None, decided=False), *(battle(1, turns=9),) * 3)])
    assert [round(side.win, 9) for side in odds.sides] == [2 / 8, 4 / 8]
    assert (odds.mutual, odds.undecided, odds.played) == (1 / 8, 1 / 8, 8)
    assert sum(side.win for side in odds.sides) + odds.mutual + odds.undecided == pytest.approx(1)
    assert odds.error == max(half_width(2 / 8, 8), half_width(4 / 8, 8)), "of the less sure chance"
    assert odds.phases == (pytest.approx((4 * 4 + 3 * 9) / 7), 9)
    assert odds.armies["a"].health == ((3, 1.0),)
    assert odds.armies["a"].victory == ((3, 2 / 8),)
    assert odds.armies["c"].fates == {"fighting": 1.0}


def test_how_a_side_ends():
    """All of it left the field; or none of it fights on, though somebody still stands."""
    broken = battle(0)._replace(fates={"a": "fighting", "b": "fighting", "c": "broken"})
    odds = odds_from([part(battle(1, lost=("a",)), battle(1, lost=("a", "b")), broken, battle(0, lost=("c",)))])
    assert [(side.rout, side.destroyed) for side in odds.sides] == [(0, 1 / 4), (1 / 4, 1 / 4)]


def test_of_armies_whose_health_is_kept_from_its_reader_only_the_fate_is_told():
    odds = odds_from([part(battle(0, left={"a": 3, "b": 2}))])
    assert odds.armies["c"].health == ()
    assert odds.armies["c"].fates == {"fighting": 1.0}


def test_only_slices_without_a_gap_count():
    one, two, four = of(0), of(1), of(0, 0)
    assert in_order([one, two, None, four]) == (one, two)
    assert in_order([None, two]) == ()
    assert odds_from(in_order([None])) is None


def test_enough_is_enough_whatever_was_ready_first():
    """Where one side always wins, few battles are sure; a slice that came in beyond them changes nothing."""
    sure = [of(*[0] * SLICE) for _slice in range(20)]
    needed = next(count for count in range(1, 20) if half_width(1.0, count * SLICE) <= MARGIN)
    assert not suffices(sure[: needed - 1])
    assert suffices(sure[:needed])
    surplus = [*sure[:needed], of(*[1] * SLICE)]
    assert odds_from(in_order(surplus)) == odds_from(in_order(sure[:needed]))
    even = [of(*[0, 1] * (SLICE // 2)) for _slice in range(20)]
    assert not suffices(even), "even chances take more"


def test_what_is_assumed_says_whether_anything_was_hidden():
    told = odds_from([of(0)]).assumed
    hidden = odds_from([of(0)._replace(sees_all=False)]).assumed
    assert len(hidden) == len(told) + 1
    assert all(isinstance(one, Term) for one in hidden)
