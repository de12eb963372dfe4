"""The state of a battle: its opening and every command that was not taken back, folded.

A cache in this process keeps the latest states by revision, which names one state for good.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any
from uuid import UUID

from battles.codec import storage
from battles.models import Battle
from rules.pathfinder.battle import engine
from rules.pathfinder.battle.state import AFTERMATH, CLOSED, SETUP
from rules.pathfinder.battle.state import Battle as State
from rules.pathfinder.ruleset import Ruleset
from rules.registry import ruleset

KEPT = 64

_states: OrderedDict[UUID, State] = OrderedDict()
_lock = Lock()


def law_of(battle: Battle) -> Ruleset:
    """The ruleset with the house rules of the day the battle opened."""
    return ruleset(battle.ruleset, battle.house_rules)


def state_of(battle: Battle) -> State:
    """The battle as it stands. One query, or none when this process knows the revision."""
    with _lock:
        known = _states.get(battle.revision)
    return known or remember(battle.revision, refold(battle))


def remember(revision: UUID, state: State) -> State:
    """Keep a state that is in the database (or will never be asked for)."""
    with _lock:
        _states[revision] = state
        _states.move_to_end(revision)
        while len(_states) > KEPT:
            _states.popitem(last=False)
    return state


def refold(battle: Battle) -> State:
    """The state from what is stored, caches left aside."""
    state = opened(battle)
    kept = battle.records.filter(undone=False).order_by("seq").values_list("events", flat=True)
    return engine.fold(state, (event for events in kept for event in storage.load_events(events)))


def opened(battle: Battle) -> State:
    """The state right after the opening."""
    return engine.open_battle(law_of(battle), storage.load_opening(battle.opening))


def status_of(state: State) -> str:
    """The battle's status by its phase."""
    named = {SETUP: Battle.Status.SETUP, AFTERMATH: Battle.Status.AFTERMATH, CLOSED: Battle.Status.CLOSED}
    return named.get(state.phase.kind, Battle.Status.RUNNING)


def summary_of(state: State) -> dict[str, Any]:
    """What lists show without folding anything."""
    sides = [{"name": side.name, "armies": [_glance(state, army) for army in side.armies]} for side in state.sides]
    phase = {"kind": state.phase.kind, "number": state.phase.number}
    result = state.result and {"winner": state.result.winner, "reason": state.result.reason}
    return {"phase": phase, "sides": sides, "result": result}


def _glance(state: State, army_id: str) -> dict[str, Any]:
    army = state.armies[army_id]
    return {"army": army.id, "name": army.name, "hp": army.hp, "hp_max": army.hp_max, "status": army.status}
