"""The open d10 (B-1): its worth, its faces one after the other, and how it is typed."""

from __future__ import annotations

from itertools import product

import pytest

from rules.breaking_point.dice import MEAN, MOST_FACES, runs_on, throw, value_of, worth
from rules.core.dice import DiceNeeded, Replayed, Roll, Rolled, StoredDice, Typed, TypedDie
from rules.core.errors import InvalidInput


def typed(*faces: int, ask: bool = False) -> Typed:
    return Typed([TypedDie("side-0", "command", faces)], by="gm", ask=ask)


@pytest.mark.parametrize(
    "faces, value",
    [((7,), 7), ((10, 10, 3), 23), ((10, 1), 11), ((1, 7), -6), ((1, 10, 3), -12), ((1, 1), 0), ((10,) * 5, 50),
     ((1, 10, 10, 10, 10), -39)],
)  # fmt: skip
def test_b1_a_first_ten_adds_and_a_first_one_subtracts(faces, value):
    assert value_of(faces) == value


def test_b1_the_plain_die_is_one_face():
    assert value_of((10,), plain=True) == 10
    assert len(throw(typed(10), "side-0", "command", plain=True)) == 1
    assert not runs_on((1,), plain=True)


def test_b1_faces_run_on_while_tens_fall_and_five_are_the_most():
    assert [roll.value for roll in throw(typed(10, 10, 3), "side-0", "command")] == [10, 10, 3]
    assert len(throw(typed(*[10] * 6), "side-0", "command")) == MOST_FACES
    assert [roll.value for roll in throw(typed(1, 1, 9), "side-0", "command")] == [1, 1]


def test_b1_a_further_face_is_asked_for_only_when_the_first_calls_for_it():
    dice = typed(6, ask=True)
    throw(dice, "side-0", "command")
    dice.finish()
    for faces in ((), (10,), (10, 10)):
        dice = typed(*faces, ask=True)
        throw(dice, "side-0", "command")
        with pytest.raises(DiceNeeded) as needed:
            dice.checkpoint()
        assert [(ask.army, ask.name, ask.die) for ask in needed.value.asks] == [("side-0", "command", 10)]


@pytest.mark.parametrize("faces", [(6, 2), (10, 4, 4), (1, 9, 3), (10, 10, 10, 10, 10, 2)])
def test_b1_a_third_face_without_a_ten_is_refused(faces):
    dice = typed(*faces)
    throw(dice, "side-0", "command")
    with pytest.raises(InvalidInput) as refused:
        dice.finish()
    assert refused.value.field == "/dice"


class Falls:
    """A server whose dice fall as they are told."""

    def __init__(self, *faces: int):
        self.faces = list(faces)

    def roll(self, army, name, die):
        return Roll(army, name, die, self.faces.pop(0))


def left(*values: int | None, server: Falls) -> Typed:
    return Typed([TypedDie("side-0", "command", values)], by="gm", ask=True, server=server)


def test_b1_a_die_left_to_the_server_is_rolled_by_it_to_its_last_face():
    dice = left(None, server=Falls(10, 10, 4))
    assert [roll.value for roll in throw(dice, "side-0", "command")] == [10, 10, 4]
    dice.finish()


def test_b1_what_is_typed_after_a_die_left_to_the_server_is_for_the_next_die():
    dice = left(None, 7, server=Falls(1, 10, 2))
    assert [roll.value for roll in throw(dice, "side-0", "command")] == [1, 10, 2]
    assert [(roll.value, roll.source) for roll in throw(dice, "side-0", "command")] == [(7, "typed")]
    dice.finish()


def test_b1_a_further_face_may_be_left_to_the_server_as_well():
    dice = left(10, None, server=Falls(10, 3))
    assert [roll.value for roll in throw(dice, "side-0", "command")] == [10, 10, 3]
    dice.finish()


def test_b1_dice_that_lie_run_on_as_they_fell_and_then_as_the_server_has_it():
    dice = StoredDice([Roll("side-0", "command", 10, 10)], left(None, server=Falls(5)))
    assert [roll.value for roll in throw(dice, "side-0", "command")] == [10, 5]


def test_b1_the_mean_of_the_open_die_is_that_of_the_plain_one():
    """Every run of at most three faces, weighted: what runs on upward runs on downward as often."""
    total = 0.0
    for first in range(1, 11):
        if first not in (1, 10):
            total += first / 10
            continue
        for faces in product(range(1, 11), repeat=4):
            kept = [first]
            for face in faces:
                if not runs_on(kept):
                    break
                kept.append(face)
            total += value_of(kept) / 10**5
    assert total == pytest.approx(MEAN)


def test_a_thrown_die_is_the_same_from_its_record():
    for _turn in range(200):
        rolls = throw(Rolled(), "side-1", "command")
        again = Replayed(rolls)
        assert throw(again, "side-1", "command") == rolls
        again.finish()
        assert worth(rolls) == value_of([roll.value for roll in rolls])
        assert all(isinstance(roll, Roll) and roll.die == 10 for roll in rolls)
