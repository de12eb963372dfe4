"""Where a number comes from: rolled, typed by hand, or replayed."""

from __future__ import annotations

from collections import Counter

import pytest

from rules.core.dice import Ask, DiceNeeded, Replayed, Roll, Rolled, Typed, TypedDie
from rules.core.errors import InvalidInput


@pytest.mark.parametrize("die", [4, 6, 20, 100])
def test_every_face_of_a_rolled_die_comes_up_about_as_often(die: int) -> None:
    """A fair source: 200 throws a face, every face within 8 standard deviations of it."""
    dice, throws = Rolled(), 200 * die
    faces = Counter(dice.roll("A", "attack", die).value for _throw in range(throws))
    assert set(faces) == set(range(1, die + 1))
    assert all(abs(count - 200) < 8 * 200**0.5 for count in faces.values())


def test_a_rolled_die_says_so() -> None:
    roll = Rolled().roll("A", "attack", 20)
    assert (roll.army, roll.name, roll.die, roll.source, roll.by) == ("A", "attack", 20, "rolled", "")


def test_typed_dice_come_in_the_order_asked() -> None:
    dice = Typed([TypedDie("A", "attack", (14,)), TypedDie("A", "attack", (3, 20))], by="Ann")
    assert [dice.roll("A", "attack", 20).value for _die in range(3)] == [14, 3, 20]
    dice.finish()


def test_a_typed_die_says_who_typed_it() -> None:
    roll = Typed([TypedDie("A", "attack", (14,))], by="Ann").roll("A", "attack", 20)
    assert (roll.source, roll.by) == ("typed", "Ann")


def test_what_is_missing_or_left_empty_is_rolled() -> None:
    dice = Typed(
        [TypedDie("A", "attack", (None, 5))], server=Replayed([Roll("A", "attack", 20, 9), Roll("A", "rout", 20, 2)])
    )
    assert [
        dice.roll("A", "attack", 20).value,
        dice.roll("A", "attack", 20).value,
        dice.roll("A", "rout", 20).value,
    ] == [9, 5, 2]
    dice.finish()


def test_what_is_missing_is_asked_for_at_the_checkpoint() -> None:
    """All a step needs at once; an empty die is rolled, not asked for again."""
    dice = Typed([TypedDie("A", "attack", (14, None))], ask=True)
    dice.roll("A", "attack", 20)
    dice.roll("A", "attack", 20)
    dice.checkpoint()
    dice.roll("B", "attack", 20)
    dice.roll("B", "bleed", 6)
    with pytest.raises(DiceNeeded) as needed:
        dice.checkpoint()
    assert needed.value.asks == (Ask("B", "attack", 20), Ask("B", "bleed", 6))
    with pytest.raises(DiceNeeded):
        dice.finish()


@pytest.mark.parametrize("face", [0, -1, 21])
def test_a_face_the_die_does_not_have(face: int) -> None:
    with pytest.raises(InvalidInput, match="shows 1 to 20") as refused:
        Typed([TypedDie("A", "attack", (face,))]).roll("A", "attack", 20)
    assert refused.value.field == "/dice"


def test_dice_nobody_needed() -> None:
    with pytest.raises(InvalidInput, match="This die isn’t needed"):
        Typed([TypedDie("A", "attack", (3,))]).finish()
    Typed([TypedDie("A", "attack", (None,))]).finish()


def test_a_record_is_replayed_as_it_fell() -> None:
    fallen = [Roll("A", "attack", 20, 14, "typed", "Ann"), Roll("B", "bleed", 6, 3)]
    dice = Replayed(fallen)
    assert [dice.roll("A", "attack", 20), dice.roll("B", "bleed", 6)] == fallen
    dice.checkpoint()
    dice.finish()


@pytest.mark.parametrize("asked", [("B", "attack", 20), ("A", "rout", 20), ("A", "attack", 6)])
def test_a_record_that_does_not_fit(asked: tuple[str, str, int]) -> None:
    with pytest.raises(LookupError):
        Replayed([Roll("A", "attack", 20, 14)]).roll(*asked)


def test_a_record_too_short_or_too_long() -> None:
    with pytest.raises(LookupError):
        Replayed([]).roll("A", "attack", 20)
    with pytest.raises(LookupError):
        Replayed([Roll("A", "attack", 20, 14)]).finish()
