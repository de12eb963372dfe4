"""State of a battle: its opening with every command folded that was not undone.

A cache in this process keeps the latest states by revision. A revision always names the same state.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Protocol
from uuid import UUID

from django.db.models import QuerySet

from battles.codec import storage
from battles.models import ENGINE, Battle, BattleRecord
from core.request_memo import LRUCache
from rules.law import ANYBODY, CLOSED, OMNISCIENT, BattleLaw, Figures, Law, Summary, Viewer, in_words
from rules.odds.opponents import LEANINGS
from rules.odds.viewer_forecast import FieldNow
from rules.registry import ruleset

KEPT = 96
LAW, POSITIONS, OPENING = "_law", "_positions", "_opening"  # keys in a battle's `__dict__`
AT_HAND = 4  # cached states: the current one and that after the last decision, each in full and as a viewer sees it
EVERY = 20  # records between two frozen states; folding so many takes a few milliseconds


@dataclass
class BattleSnapshot:
    """State of a battle with values computed from it, each once."""

    engine: BattleLaw
    state: Any
    reckoned: dict[Hashable, Any] = field(default_factory=dict)
    """Values that pages compute from the whole battle so far, by a key of theirs (`reckon_once`)."""

    @cached_property
    def summary(self) -> Summary:
        return self.engine.summary(self.state)

    @cached_property
    def figures(self) -> Figures:
        return self.engine.figures(self.state)


_states: LRUCache[UUID, BattleSnapshot] = LRUCache(KEPT)


def get_law(battle: Battle) -> Law:
    """Return the law with the house rules in force when the battle opened."""
    law: Law | None = battle.__dict__.get(LAW)
    if law is None:  # neither ever changes, and applying house rules builds a new law
        law = battle.__dict__[LAW] = ruleset(battle.ruleset, battle.house_rules)
    return law


def get_engine(battle: Battle) -> BattleLaw:
    """Return the battle law by which this battle is fought."""
    return get_law(battle).battle


def load_state(battle: Battle) -> Any:
    """Return the current state. Two queries, or none if this process has cached the revision."""
    return _standing(battle).state


def _standing(battle: Battle) -> BattleSnapshot:
    known = _states.get(battle.revision)
    return known or remember(battle.revision, get_snapshot(battle, refold(battle)))


def reckon_once[Found](battle: Battle, key: Hashable, reckon: Callable[[], Found]) -> Found:
    """Return a value computed from the current state, cached in this process for that state."""
    known = _standing(battle).reckoned
    if key not in known:
        known[key] = reckon()
    found: Found = known[key]
    return found


class Numbered(Protocol):
    """Protocol of a stored command: its id, and the number of its first event."""

    @property
    def pk(self) -> Any: ...
    @property
    def first_event(self) -> int: ...


def state_before(battle: Battle, record: Numbered) -> Any:
    """Return the state in which a command was given. Two queries, or none if cached."""
    known = _states.get(record.pk)
    return known.state if known else remember_before(battle, record, fold_until(battle, record.first_event - 1))


def remember_before(battle: Battle, record: Numbered, state: Any) -> Any:
    """Cache the state in which a command was given. Every page of the battle shows its effects."""
    return remember(record.pk, BattleSnapshot(get_engine(battle), state)).state


def remember(revision: UUID, position: BattleSnapshot) -> BattleSnapshot:
    """Cache a state by its revision, or by the id of the record that follows it. The state must be in the database, or
    never be asked for.
    """
    return _states.keep(revision, position)


def get_snapshot(battle: Battle, state: Any) -> BattleSnapshot:
    """Return the snapshot of a state of this battle. The most recent ones are kept with their computed values."""
    held = battle.__dict__.get(POSITIONS, ())
    for position in (*held, _states.get(battle.revision)):
        if position is not None and position.state is state:
            return position
    position = BattleSnapshot(get_engine(battle), state)
    battle.__dict__[POSITIONS] = (position, *held)[:AT_HAND]
    return position


def refold(battle: Battle) -> Any:
    """Return the state from the database, without caches."""
    return fold_until(battle)


def fold_until(battle: Battle, event: int | None = None) -> Any:
    """Return the state after the event with this number (None: after all), from the nearest frozen state before it.

    Two queries; at most `EVERY` records are folded.
    """
    engine = get_engine(battle)
    keeper = storage.get_keeper(engine)
    standing = battle.records.filter(undone=False).order_by("seq")
    if event is not None:
        standing = standing.filter(first_event__lte=event)
    base = _nearest(standing, event)
    since = standing if base is None else standing.filter(seq__gt=base.seq)
    state = load_opening_state(battle) if base is None else read_frozen(battle, base)
    for first, events in since.values_list("first_event", "events"):
        asked = events if event is None else events[: event - first + 1]
        state = engine.fold(state, keeper.load_events(asked))
    return state


def _nearest(standing: QuerySet[BattleRecord], event: int | None) -> BattleRecord | None:
    """Return the latest record with a frozen state that lies entirely before the event, or None."""
    frozen = standing.filter(frozen__isnull=False).order_by("-seq").only("seq", "first_event", "events", "frozen")
    for record in frozen[:2]:
        if event is None or record.first_event + len(record.events) - 1 <= event:
            return record
    return None


def read_frozen(battle: Battle, record: BattleRecord) -> Any:
    """Return the state after this record, which keeps it frozen."""
    engine = get_engine(battle)
    keeper = storage.get_keeper(engine)
    return engine.thaw(load_opening(battle), keeper.load_frozen(record.frozen))


def load_figures(battle: Battle, event: int | None = None) -> Figures:
    """Return every army's figures as they were computed at this event (None: now). Within a command they are those
    before it. Two queries.
    """
    kept = battle.records.filter(undone=False, figures__isnull=False).order_by("-seq")
    if event is not None:
        kept = kept.filter(first_event__lte=event)
    for record in kept[:2]:
        if event is None or record.first_event + len(record.events) - 1 <= event:
            return storage.load_figures(record.figures or {})
    return storage.load_figures(battle.figures)


def frozen_at(battle: Battle, state: Any, standing: int) -> dict[str, Any] | None:
    """Return the frozen state to store with the new record, or None. `standing` counts the records that are not undone,
    this one included.

    Every twentieth record and the closing one keep it. Only last records are undone, so the distance between frozen
    states never grows.
    """
    if summarize(battle, state).status != CLOSED and standing % EVERY:
        return None
    engine = get_engine(battle)
    return storage.get_keeper(engine).dump_frozen(engine.freeze(state))


def load_opening_state(battle: Battle) -> Any:
    """Return the state right after the opening."""
    return get_engine(battle).open(load_opening(battle))


def load_opening(battle: Battle) -> Any:
    """Return the opening. It never changes, so it is read once for each battle object."""
    if OPENING not in battle.__dict__:
        battle.__dict__[OPENING] = storage.get_keeper(get_engine(battle)).load_opening(battle.opening)
    return battle.__dict__[OPENING]


def build_field(battle: Battle, state: Any) -> FieldNow:
    """Return a state as pure values for another process."""
    return FieldNow(battle.ruleset, battle.house_rules, load_opening(battle), get_engine(battle).freeze(state))


def summarize(battle: Battle, state: Any) -> Summary:
    return get_snapshot(battle, state).summary


def refold_figures(battle: Battle, state: Any) -> Figures:
    """Return every army's figures in this state, by the current law."""
    return get_snapshot(battle, state).figures


def view_state(battle: Battle, state: Any, viewer: Viewer) -> BattleSnapshot:
    """Return the state as this viewer may know it. Nothing else is shown to them."""
    position = get_snapshot(battle, get_engine(battle).seen(state, viewer))
    told = in_words(position.summary, viewer)
    return position if told is position.summary else _told_so(position, told)


def summary_seen(engine: BattleLaw, state: Any, viewer: Viewer) -> Summary:
    """Return the summary for this viewer of a state that no page shows."""
    return in_words(engine.summary(engine.seen(state, viewer)), viewer)


def _told_so(position: BattleSnapshot, summary: Summary) -> BattleSnapshot:
    """Return a copy of the snapshot with this summary."""
    found = BattleSnapshot(position.engine, position.state)
    found.__dict__["summary"] = summary
    return found


def summarize_for_lists(battle: Battle, state: Any) -> dict[str, Any]:
    """Return the public summary of a battle in this state as JSON, stored so that lists need not fold events.

    `orders` holds how many orders are given, of how many. `waiting` are the awaited armies, `awaited` their kingdoms
    ("" for none). Sides left to the computer are not awaited. If a turn of the computer is due, `awaited` holds
    `ENGINE`, and the GM is not asked to continue.
    """
    summary = view_state(battle, state, ANYBODY).summary
    sides = [{"name": side.name, "armies": [_army(summary, army) for army in side.armies]} for side in summary.sides]
    phase = {"kind": summary.stage.kind, "number": summary.stage.number}
    outcome = summary.outcome
    result = outcome and {"winner": outcome.winner, "reason": str(outcome.reason)}
    waiting = _waiting(battle, summary)
    engine = {ENGINE} if engine_turns(battle, state) else set()
    ready = [summary.ready(army) for army in summary.armies]
    return {
        "phase": phase,
        "sides": sides,
        "result": result,
        "orders": {"in": ready.count("in"), "of": len(ready) - ready.count("")},
        "waiting": waiting,
        "awaited": sorted({summary.armies[army].kingdom for army in waiting} | engine),
    }


def left_to_the_engine(battle: Battle) -> frozenset[int]:
    """Return the sides whose orders the computer gives by itself. While it is paused, sides that it plays by turns are
    not among them.
    """
    if not battle.opponents or not get_engine(battle).forecast.commands:
        return frozenset()
    told = battle.opponents.items()
    return frozenset(
        int(side)
        for side, head in told
        if head.get("left") and not head.get("paused") and head.get("leaning") in LEANINGS
    )


def awaited_sides(summary: Summary) -> tuple[int, ...]:
    """Return the awaited sides, whether people or the computer command them, in the law's order."""
    return tuple(dict.fromkeys(summary.armies[awaited.army].side for awaited in summary.waiting_for))


def engine_turns(battle: Battle, state: Any) -> tuple[int, ...]:
    """Return the awaited sides that the computer plays by turns; none while people have to answer something."""
    left = left_to_the_engine(battle)
    if not left or not get_engine(battle).forecast.by_turns:
        return ()
    engine, summary = get_engine(battle), summarize(battle, state)
    asked = {summary.armies[pending.army].side for pending in engine.pending(state, OMNISCIENT)}
    return tuple(side for side in awaited_sides(summary) if side in left) if asked <= left else ()


def _waiting(battle: Battle, summary: Summary) -> list[str]:
    left = left_to_the_engine(battle)
    called = dict.fromkeys(awaited.army for awaited in summary.waiting_for)
    return [army for army in called if summary.armies[army].side not in left]


def _army(summary: Summary, army_id: str) -> dict[str, Any]:
    army = summary.armies[army_id]
    told: dict[str, Any] = {
        "army": army.id,
        "name": army.name,
        "kingdom": army.kingdom,
        "hp": army.health,
        "hp_max": army.health_max,
        "status": army.status,
    }
    return {**told, "share": True} if army.share else told
