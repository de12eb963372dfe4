"""Event log: the records of a battle as pages and API tell them, without dice, states and figures, which stay in the
database.

A cache in this process keeps the latest ones by the battle's revision, which names them for good: all who look at one
revision read them once. What their reader may know of them is asked of the law afterwards, for each reader anew.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from itertools import islice
from operator import attrgetter
from typing import Any, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from battles.codec import storage
from battles.codec.storage import get_keeper
from battles.models import ENGINE, TOGETHER, Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.play.battle_state import get_engine
from core.lru_cache import LRUCache

PORTION, PORTION_MOST = 25, 200  # records read at a time, where somebody may stop early
KEPT = 96  # revisions, of each one portion
KEPT_EVENTS = 200  # records
COLUMNS = ("pk", "seq", "version", "first_event", "command", "by_id", "at", "undone", "undone_by_id", "undone_at")
_row_of = attrgetter(*COLUMNS)


@dataclass(frozen=True, slots=True)
class RecordRead:
    """A record with its events, the law's own. `by`, `undone_by`: users by id, for names may change."""

    pk: UUID
    seq: int
    version: int
    first_event: int
    command: Mapping[str, Any]
    by: UUID | None
    at: datetime
    undone: bool
    undone_by: UUID | None
    undone_at: datetime | None
    events: tuple[Any, ...]

    @property
    def together(self) -> int | None:
        return self.command.get(TOGETHER)

    @property
    def by_engine(self) -> bool:
        return ENGINE in self.command


class Written(NamedTuple):
    """How far the record goes: its last number and event (undone ones keep theirs), and how many of it stand."""

    seq: int
    event: int
    standing: int


_latest: LRUCache[UUID, tuple[RecordRead, ...]] = LRUCache(KEPT)
_written: LRUCache[UUID, Written] = LRUCache(KEPT)
_events: LRUCache[UUID, tuple[Any, ...]] = LRUCache(KEPT_EVENTS)


def _latest_rows(battle: UUID, version: int) -> QuerySet[BattleRecord, Any]:
    rows = BattleRecord.objects.filter(battle=battle, version__lte=version)
    return rows.order_by("-seq").values_list(*COLUMNS)[:PORTION]


def _event_rows(battle: UUID, first: int, last: int) -> QuerySet[BattleRecord, Any]:
    return BattleRecord.objects.filter(battle=battle, seq__gte=first, seq__lte=last).values_list("pk", "events")


def read_latest(battle: Battle) -> tuple[RecordRead, ...]:
    """A portion of the records, latest first. Two queries, or none when this process knows the revision."""
    known = _latest.get(battle.revision)
    if known is None:
        known = _latest.keep(battle.revision, _read(battle, _latest_rows(battle.pk, battle.version)))
    return known


def read_written(battle: Battle) -> Written:
    """For a battle in hand that is locked. Three queries, or none when this process knows the revision."""
    known = _written.get(battle.revision)
    if known is None:
        last = next(iter(read_latest(battle)), None)
        standing = battle.records.filter(undone=False).count()
        known = Written(last.seq, last.first_event + len(last.events) - 1, standing) if last else Written(0, 0, 0)
    return known


def follow(battle: Battle, before: UUID, then: Written, record: BattleRecord, events: tuple[Any, ...]) -> None:
    """The battle has just gone on with this record, from the revision `before`, when so much was written.

    (Where its transaction is undone, nobody will ever ask for what it led to.)
    """
    _events.keep(record.pk, events)
    _written.keep(battle.revision, Written(record.seq, then.event + len(events), then.standing + 1))
    known = () if record.seq == 1 else _latest.get(before)
    if known is not None:
        _latest.keep(battle.revision, (read_of(battle, record), *known[: PORTION - 1]))


def read_of(battle: Battle, record: BattleRecord) -> RecordRead:
    """A record in hand."""
    known = _events.get(record.pk)
    return _made(_row_of(record), _decoded(battle, record.pk, record.events) if known is None else known)


def read_standing(battle: Battle, most: int) -> Iterator[RecordRead]:
    """Those that were not taken back, the latest first, so many at most."""
    return islice((record for record in back(battle) if not record.undone), most)


def back(battle: Battle) -> Iterator[RecordRead]:
    """All records, the latest first, read some at a time: who stops early has read no more."""
    first = read_latest(battle)
    yield from first
    if len(first) == PORTION:
        older = battle.records.filter(seq__lt=first[-1].seq)
        yield from read_in_portions(battle, older, size=2 * PORTION, backwards=True)


def read_in_portions(
    battle: Battle, records: QuerySet[BattleRecord], *, size: int = PORTION, backwards: bool = False
) -> Iterator[RecordRead]:
    """These records in order, or the latest first, read some at a time."""
    rows, beyond = ("-seq", "seq__lt") if backwards else ("seq", "seq__gt")
    records = records.order_by(rows)
    some = _read(battle, records.values_list(*COLUMNS)[:size])
    while some:
        yield from some
        if len(some) < size:
            return
        size = min(2 * size, PORTION_MOST)
        some = _read(battle, records.filter(**{beyond: some[-1].seq}).values_list(*COLUMNS)[:size])


def whole(battle: Battle, records: QuerySet[BattleRecord]) -> Sequence[RecordRead]:
    """All of these, in order."""
    return _read(battle, records.order_by("seq").values_list(*COLUMNS))


def _read(battle: Battle, rows: Iterable[Sequence[Any]]) -> tuple[RecordRead, ...]:
    """Events never change: those this process does not have are read in one query."""
    rows = list(rows)
    known = ((row[0], _events.get(row[0])) for row in rows)
    found = {pk: events for pk, events in known if events is not None}
    missing = {row[0]: row[1] for row in rows if row[0] not in found}
    if missing:
        told = _event_rows(battle.pk, min(missing.values()), max(missing.values()))
        found |= {pk: _decoded(battle, pk, events) for pk, events in told if pk in missing}
    return tuple(_made(row, found[row[0]]) for row in rows if row[0] in found)


def _made(row: Any, events: tuple[Any, ...]) -> RecordRead:
    """Of its columns."""
    return RecordRead(*(*row, events))


def _decoded(battle: Battle, pk: UUID, events: Any) -> tuple[Any, ...]:
    return _events.keep(pk, storage.get_keeper(get_engine(battle)).load_events(events))


# Commands of a battle since somebody looked at it.


def commands_since(battle: Battle, version: int) -> Sequence[Any]:
    """The commands after this version, in order. None at all where it is not older, or something was taken back."""
    if version >= battle.version:
        return ()
    since = battle.records.filter(version__gt=version, undone=False).values_list("command", flat=True)
    if len(since) != battle.version - version:
        return ()
    keeper = get_keeper(play_battle_state.get_engine(battle))
    return [keeper.load_command(told) for told in since]


# Replay of a battle from its beginning to its end: the state after each of many events.


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
