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
from rules.law import BattleLaw, Law, Summary
from rules.registry import ruleset

KEPT = 64

_states: OrderedDict[UUID, Any] = OrderedDict()
_lock = Lock()


def law_of(battle: Battle) -> Law:
    """The law with the house rules of the day the battle opened."""
    return ruleset(battle.ruleset, battle.house_rules)


def engine_of(battle: Battle) -> BattleLaw:
    """How this battle is fought."""
    return law_of(battle).battle


def state_of(battle: Battle) -> Any:
    """The battle as it stands. One query, or none when this process knows the revision."""
    with _lock:
        known = _states.get(battle.revision)
    return known or remember(battle.revision, refold(battle))


def remember(revision: UUID, state: Any) -> Any:
    """Keep a state that is in the database (or will never be asked for)."""
    with _lock:
        _states[revision] = state
        _states.move_to_end(revision)
        while len(_states) > KEPT:
            _states.popitem(last=False)
    return state


def refold(battle: Battle) -> Any:
    """The state from what is stored, caches left aside."""
    engine = engine_of(battle)
    keeper = storage.keeper_of(engine)
    kept = battle.records.filter(undone=False).order_by("seq").values_list("events", flat=True)
    return engine.fold(opened(battle), (event for events in kept for event in keeper.load_events(events)))


def opened(battle: Battle) -> Any:
    """The state right after the opening."""
    engine = engine_of(battle)
    return engine.open(storage.keeper_of(engine).load_opening(battle.opening))


def summary_of(battle: Battle, state: Any) -> Summary:
    return engine_of(battle).summary(state)


def glance(summary: Summary) -> dict[str, Any]:
    """What lists show without folding anything, as JSON."""
    sides = [{"name": side.name, "armies": [_army(summary, army) for army in side.armies]} for side in summary.sides]
    phase = {"kind": summary.stage.kind, "number": summary.stage.number}
    outcome = summary.outcome
    result = outcome and {"winner": outcome.winner, "reason": outcome.reason}
    return {"phase": phase, "sides": sides, "result": result}


def _army(summary: Summary, army_id: str) -> dict[str, Any]:
    army = summary.armies[army_id]
    return {"army": army.id, "name": army.name, "hp": army.health, "hp_max": army.health_max, "status": army.status}
