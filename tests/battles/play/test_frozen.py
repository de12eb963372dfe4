"""Nobody folds a long battle from its start: states are written down from time to time, and thaw to what they were."""

from __future__ import annotations

import json
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from battles.aftermath.services import confirm_aftermath
from battles.codec import storage
from battles.log.replay_page import replay_page
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play import services as play_services
from battles.play.services import undo
from rules.core.dice import Replayed
from rules.law import Viewer
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders.commands import End, GiveOrder, Next
from rules.pathfinder.battle.state.battle_state import Opening, Order
from rules.registry import ruleset
from tests.everyday import at_most
from tests.rules.pathfinder.strategies import openings, play
from tests.worlds import built_once

LAW = ruleset("combat-de-masse").battle
KEEPER = storage.get_keeper(LAW)
APART = at_most(5, full=play_battle_state.EVERY)  # records between two states that are written down
MOST = at_most(10, full=25)  # records a cold read may fold
ORDERS = at_most(21, full=84)  # so many that what is taken back ends at a state that was written down, and beside one


def frozen(opening: Opening, state: Any) -> Any:
    return LAW.thaw(opening, KEEPER.load_frozen(json.loads(json.dumps(KEEPER.dump_frozen(LAW.freeze(state))))))


@settings(max_examples=at_most(3, full=15))
@given(openings(), st.integers(0, 2**32))
def test_a_frozen_state_thaws_to_itself_and_plays_on_the_same(opening: Opening, seed: int) -> None:
    for told in play(opening, seed).told:
        thawed = frozen(told.before.opening, told.before)
        assert thawed == told.before
        assert {a.id: a.profile.traits for a in thawed.armies.values()} == {
            a.id: a.profile.traits for a in told.before.armies.values()
        }
        assert decide(thawed, told.command, Replayed(told.rolls), Viewer(gm=True)) == told.events


@pytest.fixture
def often(monkeypatch: pytest.MonkeyPatch) -> None:
    """States are written down so often that a short battle is a long one."""
    monkeypatch.setattr(play_battle_state, "EVERY", APART)


@built_once
def war(table: Any, battle: Battle) -> Battle:
    """A battle with many records: the same army is ordered about again and again."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(play_battle_state, "EVERY", APART)
        battle = play_on(table, battle, Next())
        for number in range(ORDERS):
            tactic = "withdraw" if number % 2 else "standard"
            battle = play_on(table, battle, GiveOrder(Order(str(table.watch.pk), tactic=tactic)))
    return Battle.objects.get(pk=battle.pk)


def play_on(table: Any, battle: Battle, command: Any) -> Battle:
    return play_services.play(by=table.gm, battle_id=battle.pk, version=battle.version, command=command).battle


def folded(battle: Battle, event: int | None = None) -> tuple[Any, int]:
    """The state read cold, and how many records had to be folded for it."""
    loads: list[Any] = []
    load = storage.Keeper.load_events
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(storage.Keeper, "load_events", lambda keeper, data: loads.append(data) or load(keeper, data))
        state = play_battle_state.fold_until(Battle.objects.get(pk=battle.pk), event)
    return state, len(loads)


def from_the_start(battle: Battle, event: int | None = None) -> Any:
    state = play_battle_state.load_opening_state(battle)
    for record in battle.records.filter(undone=False).order_by("seq"):
        events = KEEPER.load_events(record.events)
        state = LAW.fold(state, events if event is None else events[: max(0, event - record.first_event + 1)])
    return state


@pytest.mark.usefixtures("often")
def test_a_cold_read_folds_few_records_and_comes_to_the_same(war):
    state, records = folded(war)
    assert records <= MOST < ORDERS
    assert war.records.count() == ORDERS + 1
    assert state == from_the_start(war)


@pytest.mark.usefixtures("often")
@pytest.mark.parametrize("back", at_most([1, 2, 7], full=[1, 2, 25]))
def test_what_is_taken_back_leaves_the_states_before_it_true(table, war, back):
    """Among them the state that was written down last, and the one before it."""
    battle = war
    for _ in range(back):
        battle = undo(by=table.gm, battle_id=battle.pk, version=battle.version).battle
    state, records = folded(battle)
    assert records <= MOST
    assert state == from_the_start(battle)
    battle = play_on(table, battle, GiveOrder(Order(str(table.watch.pk), tactic="standard")))
    assert folded(battle)[0] == from_the_start(battle)


@pytest.mark.usefixtures("often")
def test_a_step_of_a_replay_starts_from_the_nearest_state(table, war):
    for event in at_most((0, 1, 4, 5, 6, 10, 14, 17), full=(0, 1, 19, 20, 21, 40, 55, 62)):
        state, records = folded(war, event)
        assert records <= MOST
        assert state == from_the_start(war, event)
    assert replay_page(table.gm, war.pk, 1).phase == "Tactics"


def test_a_closed_battle_keeps_its_last_state(table, battle):
    battle = play_on(table, battle, Next())
    battle = play_on(table, battle, End("dusk"))
    confirm_aftermath(by=table.gm, battle_id=battle.pk, version=battle.version)
    assert battle.records.latest("seq").frozen is not None
