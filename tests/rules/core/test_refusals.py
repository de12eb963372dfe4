"""Refusals of a part of what was sent, told of the whole."""

from __future__ import annotations

from rules.core.errors import InvalidInput
from rules.core.text import Term


def test_what_is_wrong_in_a_part_is_pointed_at_in_the_whole_every_problem_of_it():
    wrong = (("/strength", Term("too few")), ("/type", Term("unknown")))
    refusal = InvalidInput(Term("too few"), "/strength", wrong).below("/sheet")
    assert (refusal.message, refusal.field) == (Term("too few"), "/sheet/strength")
    assert refusal.errors == (("/sheet/strength", Term("too few")), ("/sheet/type", Term("unknown")))
    assert isinstance(refusal, InvalidInput)
