"""Replay of a battle from its beginning to its end: the state after each of many events."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, NamedTuple

from battles.models import Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.play.event_log import RecordRead, whole


class Snapshot(NamedTuple):
    """A record that keeps the state after it. `event`: the number of its last one."""

    event: int
    record: BattleRecord


def list_standing_records(battle: Battle) -> Sequence[RecordRead]:
    """All that were not taken back, in order. Two queries."""
    return whole(battle, battle.records.filter(undone=False))


def replay_states(battle: Battle, records: Sequence[RecordRead], ends: Iterable[int]) -> Iterator[Any]:
    """The state after each of these events, whose numbers never fall; 0 is the opening. One query.

    Each is folded from the one before it or from a frozen state, whichever is nearer: never more than
    `EVERY` records in a row, and what lies before a frozen state is left aside. `records`: all that stand.
    """
    engine, rests = play_battle_state.get_engine(battle), _rests(battle)
    numbers = [rest.event for rest in rests]
    happened = [(record.first_event + place, event) for record in records for place, event in enumerate(record.events)]
    counted = [number for number, _event in happened]
    state, at = play_battle_state.load_opening_state(battle), 0
    for end in ends:
        nearest = bisect_right(numbers, end) - 1
        if nearest >= 0 and numbers[nearest] > at:
            state, at = play_battle_state.read_frozen(battle, rests[nearest].record), numbers[nearest]
        since = happened[bisect_right(counted, at) : bisect_right(counted, end)]
        if since:
            state, at = engine.fold(state, [event for _number, event in since]), end
        yield state


def _rests(battle: Battle) -> list[Snapshot]:
    """Those that stand, in order."""
    kept = battle.records.filter(undone=False, frozen__isnull=False).order_by("seq")
    read = kept.only("battle", "first_event", "events", "frozen")
    return [Snapshot(record.first_event + len(record.events) - 1, record) for record in read]
