"""R-69: dice that lie as they fell."""

from __future__ import annotations

import pytest

from rules.core.dice import DiceNeeded, Roll, StoredDice, Typed, TypedDie, still_to_fall
from rules.core.errors import IllegalCommand, InvalidInput
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.telling.narrate import describe, luck
from tests.scenario import scenario

FATE = Roll("B", "commander-fate", 100, 15, "typed", "gm")
LOYALTY = Roll("A", "loyalty-boon", 20, 7)


def test_what_lies_is_given_out_first_and_what_never_fell_falls() -> None:
    """R-69: in the order it fell; a die nobody asks for stays aside."""
    dice = StoredDice([FATE, LOYALTY], Typed([TypedDie("B", "commander-fate", (93,))]))
    assert [dice.roll("B", "commander-fate", 100).value for _turn in "ab"] == [15, 93]
    dice.checkpoint()
    dice.finish()
    assert dice.taken == [FATE]


def test_only_what_does_not_lie_is_asked_for() -> None:
    """R-69."""
    dice = StoredDice([FATE], Typed((), ask=True))
    dice.roll("B", "commander-fate", 100)
    dice.checkpoint()
    dice.roll("A", "loyalty-boon", 20)
    with pytest.raises(DiceNeeded) as needed:
        dice.checkpoint()
    assert [ask.name for ask in needed.value.asks] == ["loyalty-boon"]


def test_a_die_nobody_needed_is_still_refused() -> None:
    """R-69: one that was typed now, not one that lies."""
    dice = StoredDice([FATE], Typed([TypedDie("A", "rout", (3,))]))
    with pytest.raises(InvalidInput, match="This die isn’t needed"):
        dice.finish()


def test_what_is_typed_over_a_lying_die() -> None:
    """R-69: another face is refused; the same face or none is left out; further dice of the kind are kept."""
    typed = [TypedDie("B", "commander-fate", (15, 40)), TypedDie("A", "loyalty-boon", (None,))]
    assert still_to_fall(typed, [FATE, LOYALTY]) == (TypedDie("B", "commander-fate", (40,)),)
    twice = [TypedDie("B", "commander-fate", (15,)), TypedDie("B", "commander-fate", (93,))]
    assert still_to_fall(twice, [FATE]) == (TypedDie("B", "commander-fate", (93,)),)
    with pytest.raises(IllegalCommand, match="shows 15"):
        still_to_fall([TypedDie("B", "commander-fate", (93,))], [FATE])


def test_throwing_again_is_told_with_the_dice_as_they_lay_and_is_nobodys_luck() -> None:
    """R-69: after the battle only, with dice there to throw, by the GM."""
    s = scenario().army("A").army("B").until("melee")
    s.refused(c.RollAnew((LOYALTY,)))
    s.play(c.End("dusk"))
    s.refused(c.RollAnew(()))
    s.refused(c.RollAnew((LOYALTY,)), viewer=c.Viewer(armies=frozenset({"A"})))
    told = describe(s.state, s.play(c.RollAnew((LOYALTY,))).last(e.RolledAnew))
    assert (told.type, told.rolls, told.rule) == ("rolled-anew", (LOYALTY,), "R-69")
    assert luck(s.state, s.events) == {0: 0.0, 1: 0.0}


def test_a_face_keeps_its_place_among_those_that_were_sent() -> None:
    """Those before it lie already."""
    (left,) = still_to_fall([TypedDie("B", "commander-fate", (15, 400), at="/dice/3/values")], [FATE])
    with pytest.raises(InvalidInput) as refused:
        Typed([left]).roll("B", "commander-fate", 100)
    assert refused.value.field == "/dice/3/values/1"
