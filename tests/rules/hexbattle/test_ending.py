"""Endings: shares lost, the limit, what the GM declares."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

import pytest

from rules.core.errors import IllegalCommand, InvalidInput
from rules.core.text import _
from rules.core.viewers import OMNISCIENT
from rules.hexbattle.common import Destroyed, Withdrawn
from rules.hexbattle.ending import ALL_LOST, TURN_LIMIT, End, all_gone, at_the_limit, lost, when_lost
from rules.hexbattle.field import Ended
from rules.hexbattle.telling import outcome
from tests.rules.hexbattle.conftest import SOUTH, A, B, begun, do, opening, units
from tests.rules.hexbattle.patrol import PATROL, Pass

ONE, TWO, HERO = units(A, 0, "One", "Two", "Hero", characters=("Hero",))
LEVY, RAISED = units(B, 1, "Levy", "Raised")
PLACES = {"One": "A10", "Two": "B10", "Hero": "C10", "Levy": "A1", "Raised": "B1"}


@pytest.fixture
def state():
    return begun(PLACES, ONE, TWO, HERO, LEVY, RAISED._replace(counted=False))[0]


def test_the_smaller_share_of_troops_lost_wins_at_the_limit(state):
    assert at_the_limit(state.field) == Ended(None, TURN_LIMIT)
    state = PATROL.fold(state, [Destroyed(ONE.id, "A10"), Destroyed(HERO.id, "C10"), Destroyed(RAISED.id, "B1")])
    assert (lost(state.field, 0), lost(state.field, 1)) == (Fraction(1, 2), 0)
    assert at_the_limit(state.field) == Ended(1, TURN_LIMIT)
    state = PATROL.fold(state, [Withdrawn(LEVY.id, "A1")])
    assert at_the_limit(state.field).winner == 0
    assert lost(replace(state.field, tokens={}), 0) == 0


def test_a_side_that_is_out_has_lost_and_both_draw(state):
    def out(side):
        return all_gone(state.field, side)

    assert when_lost(state.field, out) is None
    state = PATROL.fold(state, [Destroyed(LEVY.id, "A1")])
    assert when_lost(state.field, out) == Ended(0, ALL_LOST)
    state = PATROL.fold(state, [Destroyed(ONE.id, "A10"), Destroyed(TWO.id, "B10")])
    assert when_lost(state.field, out) == Ended(None, ALL_LOST)


def test_the_gm_ends_the_battle_with_a_reason(state):
    ended, events = do(state, End(0, " It is late. "))
    assert events == (Ended(0, "It is late.", by_gm=True),)
    assert str(PATROL.describe(ended, events[0]).text) == "South wins the battle. It is late."
    found = PATROL.summary(ended).outcome
    assert (found.winner, found.reason, str(found.text)) == (0, "It is late.", "South wins the battle.")
    assert not PATROL.allows(state, End(0, "x"), SOUTH)
    with pytest.raises(IllegalCommand, match="The battle is over"):
        do(ended, Pass())
    with pytest.raises(InvalidInput, match="1 to 500"):
        do(state, End(0, " "))
    with pytest.raises(InvalidInput, match="0 or 1 for a side"):
        do(state, End(2, "x"))
    with pytest.raises(IllegalCommand, match="hasn’t begun"):
        do(PATROL.open(opening()), End(0, "x"))


def test_an_outcome_says_the_laws_reason(state):
    assert PATROL.outcome(state) is None
    drawn = Ended(None, TURN_LIMIT)
    told = PATROL.outcome(PATROL.fold(state, [drawn]))
    assert str(PATROL.describe(state, drawn).text) == "The battle is a draw. The turn limit is reached."
    other = outcome(drawn, ("South", "North"), {TURN_LIMIT: _("Night falls.")})
    assert (str(other.reason), outcome(drawn, ("South", "North"), {}).reason) == ("Night falls.", "")
    assert (str(told.text), str(told.reason)) == ("The battle is a draw.", "The turn limit is reached.")


def test_a_battle_goes_from_setup_to_closed(state):
    assert PATROL.open(opening()).field.status == "setup"
    assert (state.field.status, state.field.troops(A)) == ("running", (2, 2))
    ended, _events = do(PATROL.fold(state, [Destroyed(ONE.id, "A10")]), End(1, "x"))
    assert (ended.field.status, ended.field.troops(A)) == ("aftermath", (1, 2))
    assert PATROL.legal(ended, OMNISCIENT).commands == ("aftermath",)
    closed, events = do(ended, PATROL.closing())
    assert closed.field.status == "closed"
    assert [PATROL.legal(closed, OMNISCIENT).commands, PATROL.legal(ended, SOUTH).commands] == [(), ()]
    assert str(PATROL.describe(closed, events[0]).text) == "The aftermath is confirmed."
