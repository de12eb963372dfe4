"""The state of a battle: its opening and every command that was not taken back, folded.

A cache in this process keeps the latest states by revision, which names one state for good.
"""

from __future__ import annotations

from collections import OrderedDict
from threading import Lock
from typing import Any
from uuid import UUID

from django.db.models import Max, QuerySet

from battles.codec import storage
from battles.models import Battle, BattleRecord
from rules.law import CLOSED, BattleLaw, Figures, Law, Summary
from rules.registry import ruleset

KEPT = 64
LAW = "_law"  # where a battle in hand keeps its law
EVERY = 20  # records between two frozen states: folding so many takes a few milliseconds

_states: OrderedDict[UUID, Any] = OrderedDict()
_lock = Lock()


def law_of(battle: Battle) -> Law:
    """The law with the house rules of the day the battle opened."""
    law: Law | None = battle.__dict__.get(LAW)
    if law is None:  # neither ever changes, and house rules make a law anew each time
        law = battle.__dict__[LAW] = ruleset(battle.ruleset, battle.house_rules)
    return law


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
    return fold_until(battle)


def fold_until(battle: Battle, event: int | None = None) -> Any:
    """The state after the event with this number (None: after all of them), from the nearest frozen state before it.

    Two queries, and never more than `EVERY` records to fold.
    """
    engine = engine_of(battle)
    keeper = storage.keeper_of(engine)
    standing = battle.records.filter(undone=False).order_by("seq")
    if event is not None:
        standing = standing.filter(first_event__lte=event)
    base = _nearest(standing, event)
    since = standing if base is None else standing.filter(seq__gt=base.seq)
    state = opened(battle) if base is None else thawed(battle, base)
    for first, events in since.values_list("first_event", "events"):
        asked = events if event is None else events[: event - first + 1]
        state = engine.fold(state, keeper.load_events(asked))
    return state


def _nearest(standing: QuerySet[BattleRecord], event: int | None) -> BattleRecord | None:
    """The latest record with a frozen state, of those that lie before the event as a whole."""
    frozen = standing.filter(frozen__isnull=False).order_by("-seq")
    for record in frozen[:2]:
        if event is None or record.first_event + len(record.events) - 1 <= event:
            return record
    return None


def thawed(battle: Battle, record: BattleRecord) -> Any:
    """The state right after this record, which keeps it."""
    engine = engine_of(battle)
    keeper = storage.keeper_of(engine)
    return engine.thaw(keeper.load_opening(battle.opening), keeper.load_frozen(record.frozen))


def figures_at(battle: Battle, event: int | None = None) -> Figures:
    """Every army's figures as they were reckoned when the battle stood at this event (None: as it stands). Two queries.

    Within a command they are those of the command before it.
    """
    kept = battle.records.filter(undone=False, figures__isnull=False).order_by("-seq")
    if event is not None:
        kept = kept.filter(first_event__lte=event)
    for record in kept[:2]:
        if event is None or record.first_event + len(record.events) - 1 <= event:
            return storage.load_figures(record.figures or {})
    return storage.load_figures(battle.figures)


def frozen_at(battle: Battle, state: Any) -> dict[str, Any] | None:
    """What the next record keeps of the state it leads to: nothing, unless the last frozen one lies far back."""
    standing = battle.records.filter(undone=False)
    last = standing.filter(frozen__isnull=False).aggregate(seq=Max("seq"))["seq"] or 0
    engine = engine_of(battle)
    if engine.summary(state).status != CLOSED and standing.filter(seq__gt=last).count() + 1 < EVERY:
        return None
    return storage.keeper_of(engine).dump_frozen(engine.freeze(state))


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
