"""What play and forecast both ask: the damage of a face, its value without lines, the extra dice, the rout check."""

from __future__ import annotations

from fractions import Fraction

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.core.breakdown import Line
from rules.core.text import Term
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.steps.ends import ROUT_DC, chance_to_stand, withstands
from rules.pathfinder.battle.steps.strike import BREATH, EVADED_BREATH, Exchange, damage_lines, damage_of, outcome
from rules.pathfinder.figures import total
from tests.everyday import at_most
from tests.rules.pathfinder.strategies import openings, play

FACTORS = ((1, 2, Term("half"), "R-13"), (3, 2, Term("more"), "PF-9"), (3, 4, Term("less"), "R-13"))


def pairing(om: int = 0, dv: int = 10, bonus: int = 0, *, spared: str = "", least: int = 1,
            factors: tuple[tuple[int, int, Term, str], ...] = ()) -> Exchange:  # fmt: skip
    lines = (Line(Term("bonus"), bonus, "PF-3.6"),)
    return Exchange((), om, (), dv, spared, lines, bonus, factors, (), least)


@given(st.integers(1, 30), st.integers(-12, 12), st.integers(0, 8), st.sampled_from((0, 1)),
       st.lists(st.sampled_from(FACTORS), max_size=3).map(tuple))  # fmt: skip
def test_the_lines_of_a_damage_add_up_to_its_value(margin, bonus, extra, least, factors):
    pair = pairing(bonus=bonus, least=least, factors=factors)
    further = (Line(Term("extra"), extra, "R-41"),) if extra else ()
    assert total(damage_lines(pair, margin, further)) == damage_of(pair, margin, extra)


@pytest.mark.parametrize(("face", "om", "damage"), [
    (10, 0, 0), (11, 0, 1), (20, 0, 10), (20, -10, 1), (20, -15, 1), (19, -15, 0), (1, 10, 1), (1, 9, 0),
])  # fmt: skip
def test_the_damage_of_a_face(face, om, damage):
    """PF-3.6: above DV what is above, a natural 20 that is not above exactly 1, a tie included."""
    assert outcome(pairing(om), face) == damage
    assert outcome(pairing(om, spared="swarm"), face) == 0


@pytest.mark.parametrize(("die", "worths"), [(BREATH, (1, 2, 3, 4)), (EVADED_BREATH, (1, 1, 1, 2))])
def test_what_a_die_of_breath_is_worth(die, worths):
    """R-41: Evasion halves the die, at least 1."""
    assert tuple(die.worth(face) for face in range(1, 5)) == worths


@given(st.integers(-20, 30))
def test_a_rout_check_passes_as_often_as_its_faces_do(bonus):
    passed = Fraction(sum(face + bonus >= ROUT_DC for face in range(1, 21)), 20)
    assert chance_to_stand(bonus, reroll=False) == passed
    assert chance_to_stand(bonus, reroll=True) == 1 - (1 - passed) ** 2
    assert all(withstands(bonus, face) == (face + bonus >= ROUT_DC) for face in range(1, 21))


@settings(max_examples=at_most(5, full=settings.default.max_examples))
@given(openings(), st.integers(0, 9))
def test_every_blow_of_a_battle_is_told_with_lines_that_add_up(opening, seed):
    for event in play(opening, seed).events:
        if isinstance(event, e.Attacked):
            assert total(event.damage_lines) == event.damage
