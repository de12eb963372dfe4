"""Properties: any legal battle goes on to its end; events and state agree; storage keeps all; secrets stay secret."""

from __future__ import annotations

from random import Random

import pytest
from hypothesis import Phase, given, settings
from hypothesis import strategies as st

from battles.codec.storage import get_keeper
from rules.core.viewers import ANYBODY
from rules.core.viewers import OMNISCIENT as GM
from rules.hexbattle.field import Ended
from rules.wing_command.battle.player import next_command
from rules.wing_command.battle.record import commands as c
from rules.wing_command.battle.record import events as e
from rules.wing_command.battle.record import fold
from rules.wing_command.battle.situation import unseen_in
from rules.wing_command.battle.telling.sentences import TELL
from rules.wing_command.spec import BattleOptions
from tests.everyday import at_most, everyday
from tests.rules.wing_command.fights import LAW, Loaded, army, played, side_viewer
from tests.rules.wing_command.random_fights import any_command, start

FEW = at_most(1, full=60)
TRIED = settings(max_examples=FEW, deadline=None, phases=[Phase.generate])  # a battle doesn't shrink
KEEPER = get_keeper(LAW, exact=True)


def battle(seed: int, most: int = 400):
    return played(start(seed), f"random {seed}", choosers=(any_command, any_command), most=most)


@TRIED
@given(st.integers(0, 10_000))
def test_random_battles_of_legal_commands_never_break(seed):
    state, commands, events = battle(seed, 1000)
    assert isinstance(state.field.ended, Ended)
    assert LAW.fold(start(seed), events) == state, "the fold of the events is the state"
    for unit, token in state.field.tokens.items():
        assert bool(token.at) != bool(token.gone) or token.waiting, unit
    for at, here in state.field.standing.items():
        assert len({one.side for one in here}) == 1, at
        assert sum(not one.character for one in here) <= 1, at
        assert len({state.units[one.id].high for one in here}) == 1, at
    assert len(commands) < 1000


@TRIED
@given(st.integers(0, 10_000))
def test_what_is_stored_is_read_back(seed):
    state, commands, events = battle(seed, at_most(80, full=150))
    assert KEEPER.load_events(KEEPER.dump_events(events)) == tuple(events)
    assert [KEEPER.load_command(KEEPER.dump_command(command)) for command in commands] == commands
    opening = KEEPER.load_opening(KEEPER.dump_opening(state.opening))
    assert opening == state.opening
    frozen = KEEPER.load_frozen(KEEPER.dump_frozen(LAW.freeze(state)))
    assert LAW.thaw(opening, frozen) == state


@TRIED
@given(st.integers(0, 10_000))
def test_every_event_is_told_to_whoever_saw_it_and_summaries_hold(seed):
    state, _commands, events = battle(seed, at_most(100, full=200))
    for viewer in (side_viewer(state, 0), side_viewer(state, 1), ANYBODY):
        seen = LAW.seen(state, viewer)
        LAW.summary(seen)
        for event in events:
            told = LAW.witnessed(seen, event, viewer)
            if told is not None:
                assert LAW.describe(seen, told).type


def alike(state, side):
    """The battle but for what a side doesn't see: its hidden enemies stand elsewhere."""
    hidden = sorted(unseen_in(state.field, side))
    field = state.field
    for unit in hidden:
        spots = [
            at for at in field.ground.labels if not field.at(at) and unit in unseen_in(field.put(unit, at=at), side)
        ]
        field = field.put(unit, at=Random(unit).choice(spots))
    return state.but(field=field), hidden


@TRIED
@given(st.integers(0, 10_000), st.sampled_from([0, 1]))
def test_two_battles_alike_but_for_what_is_hidden_read_alike(seed, side):
    state, _commands, _events = battle(seed, 30)
    other, _hidden = alike(state, side)
    viewer = side_viewer(state, side)
    one, two = LAW.seen(state, viewer), LAW.seen(other, viewer)
    assert one == two
    assert LAW.legal(one, viewer) == LAW.legal(two, viewer)
    assert LAW.summary(one) == LAW.summary(two)
    for unit in LAW.legal(one, viewer).able:
        assert LAW.legal(one, viewer, (unit,)) == LAW.legal(two, viewer, (unit,))


def test_every_event_of_the_law_is_folded_and_told():
    kinds = set(e.BattleEvent.__args__)
    assert set(fold.APPLY) == kinds
    assert set(TELL) == kinds


@pytest.mark.parametrize("seed", everyday(range(2), first=1))
def test_a_battle_in_which_the_gm_reports_goes_on_too(seed):
    """W-35."""
    state = start(seed, options=BattleOptions(combat="gm"))
    random, dice = Random(seed), Loaded(str(seed))
    for _step in range(200):
        if state.field.ended:
            break
        if state.blow is not None:
            acts = LAW.legal(state, GM).acts
            command = LAW.legal(state, GM, (random.choice(acts).slug,)).confirm.command
        else:
            viewer = side_viewer(state, state.side)
            command = any_command(LAW.seen(state, viewer), viewer, random)
        state = LAW.fold(state, LAW.decide(state, command, dice, GM))
    assert state.turn > 1


BY_HAND = {"acted": (True, False), "morale": (0, 1, 2), "special": (True, False), "fatigue": (0, 2)}


def by_hand(state, random, step):
    """A change by the GM: a state of a unit, or once a new wing."""
    if step == 5:
        return c.Reinforce(army("r", 0, "foot:Late", order="advance"), 0)
    field = random.choice(list(BY_HAND))
    unit = random.choice([unit for unit, token in state.field.tokens.items() if token.standing])
    return c.Override(unit, field, random.choice(BY_HAND[field]), "As agreed")


@pytest.mark.parametrize("seed", everyday(range(12), first=1))
def test_w_17_whatever_the_gm_sets_by_hand_somebody_has_a_command(seed):
    """W-17, H-9, W-32: the engine plays on."""
    state = start(seed)
    random, dice = Random(seed), Loaded(str(seed))
    for step in range(200):
        if state.field.ended:
            break
        viewer = side_viewer(state, state.side)
        command = next_command(LAW.seen(state, viewer), viewer, random)
        if step == 5 or (random.random() < 0.3 and state.aiming is None):
            command, viewer = by_hand(state, random, step), GM
        assert command is not None, (step, state.phase, state.side)
        state = LAW.fold(state, LAW.decide(state, command, dice, viewer))
    assert state.turn > 1
