"""Properties: any legal battle goes on to its end; events and state agree; storage keeps all; secrets stay secret."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from battles.codec.storage import get_keeper
from rules.core.viewers import ANYBODY
from rules.core.viewers import OMNISCIENT as GM
from rules.hexbattle.common import EffectBegan, EffectEnded, PhaseEnded, Withdrawn
from rules.hexbattle.field import Ended
from rules.thucidide_fantasy.battle.record import events as e
from rules.thucidide_fantasy.battle.record import fold
from rules.thucidide_fantasy.battle.telling.sentences import TELL
from tests.everyday import at_most
from tests.rules.thucidide_fantasy.fights import LAW, Loaded, played, side_viewer, whose
from tests.rules.thucidide_fantasy.random_fights import any_answer, any_command, start

FEW = at_most(2, full=60)
TRIED = settings(max_examples=FEW, deadline=None, phases=[Phase.generate])  # a battle doesn't shrink
KEEPER = get_keeper(LAW, exact=True)
BATTLES = {}


def battle(seed, most=400):
    if (seed, most) not in BATTLES:
        BATTLES[seed, most] = played(start(seed), f"random {seed}", choosers=(any_command, any_command), most=most)
    return BATTLES[seed, most]


@TRIED
@given(st.integers(0, 10_000))
def test_random_battles_of_legal_commands_never_break(seed):
    state, commands, events = battle(seed, 1500)
    assert isinstance(state.field.ended, Ended)
    assert LAW.fold(start(seed), events) == state, "the fold of the events is the state"
    for unit, token in state.field.tokens.items():
        assert bool(token.at) != bool(token.gone) or token.waiting, unit
    for at, here in state.field.standing.items():
        assert len({one.side for one in here}) == 1, at
        assert sum(not one.character for one in here) <= 1, at
    for unit, own in state.units.items():
        assert 0 <= own.stands <= own.start
        assert own.stands or state.field.tokens[unit].gone
    assert len(commands) < 1500


@TRIED
@given(st.integers(0, 10_000))
def test_what_is_stored_is_read_back(seed):
    state, commands, events = battle(seed, 150)
    assert KEEPER.load_events(KEEPER.dump_events(events)) == tuple(events)
    assert [KEEPER.load_command(KEEPER.dump_command(command)) for command in commands] == commands
    opening = KEEPER.load_opening(KEEPER.dump_opening(state.opening))
    assert opening == state.opening
    frozen = KEEPER.load_frozen(KEEPER.dump_frozen(LAW.freeze(state)))
    assert LAW.thaw(opening, frozen) == state


@TRIED
@given(st.integers(0, 10_000))
def test_every_event_is_told_to_whoever_saw_it_and_summaries_and_boards_hold(seed):
    state, _commands, events = battle(seed, 250)
    for viewer in (side_viewer(state, 0), side_viewer(state, 1), ANYBODY):
        seen = LAW.seen(state, viewer)
        LAW.summary(seen)
        LAW.board(seen, viewer)
        for event in events:
            told = LAW.witnessed(seen, event, viewer)
            if told is not None:
                assert LAW.describe(seen, told).type


@TRIED
@given(st.integers(0, 10_000), st.sampled_from([0, 1]))
def test_a_replay_that_decides_as_the_gm_comes_to_the_same(seed, side):
    """H-5: what a side knows decides, never what the viewer knows."""
    _state, commands, events = battle(seed, 150)
    again, dice, done = start(seed), Loaded(f"random {seed}"), []
    for command in commands:
        found = LAW.decide(again, command, dice, GM)
        again = LAW.fold(again, found)
        done += found
    assert done == events


def test_every_event_of_the_law_is_folded_and_told():
    kinds = set(e.BattleEvent.__args__)
    assert set(fold.APPLY) == kinds
    assert set(TELL) == kinds | {PhaseEnded, EffectBegan, EffectEnded, Withdrawn}


@pytest.mark.parametrize("seed", range(2))
def test_a_battle_in_which_the_gm_reports_goes_on_too(seed):
    """TF-1.17."""
    state = start(seed, options={"combat": "table"})
    random, dice = Random(seed), Loaded(str(seed))
    for _step in range(250):
        if state.field.ended:
            break
        asked = LAW.pending(state, GM)
        if asked:
            command = any_answer(state, asked[0], random)
        else:
            viewer = side_viewer(state, whose(state))
            command = any_command(LAW.seen(state, viewer), viewer, random)
        state = LAW.fold(state, LAW.decide(state, command, dice, GM))
    assert state.turn > 1
