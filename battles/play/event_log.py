"""Event log: a battle's records for pages and the API, without dice, states and figures, which stay in the database.

A cache in this process keeps the latest records by revision, so each revision is read once for all readers. What a
reader may know of them is then asked of the law, for each reader.
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
from core.request_memo import LRUCache

PORTION, PORTION_MOST = 25, 200  # records read at once where a reader may stop early
READ_MOST = 400  # records read to find the last phases
END = "End"
KEPT = 96  # revisions, one portion each
KEPT_EVENTS = 200  # records
COLUMNS = ("pk", "seq", "version", "first_event", "command", "by_id", "at", "undone", "undone_by_id", "undone_at")
_row_of = attrgetter(*COLUMNS)


@dataclass(frozen=True, slots=True)
class RecordRead:
    """Record with its events, which are the law's own. `by` and `undone_by` are user ids, because names may change."""

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

    @property
    def ends_the_battle(self) -> bool:
        """Whether the GM ended the battle by this command, which bears this name under every law."""
        return bool(self.command.get(storage.TAG) == END)


class Written(NamedTuple):
    """Extent of the record: its last number and event (undone ones included), and the number of records not undone."""

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
    """Return the latest portion of records, latest first. Two queries, or none if cached."""
    known = _latest.get(battle.revision)
    if known is None:
        known = _latest.keep(battle.revision, _read(battle, _latest_rows(battle.pk, battle.version)))
    return known


def read_written(battle: Battle) -> Written:
    """Return how far a locked battle's record goes (`Written`). Three queries, or none if cached."""
    known = _written.get(battle.revision)
    if known is None:
        last = next(iter(read_latest(battle)), None)
        standing = battle.records.filter(undone=False).count()
        known = Written(last.seq, last.first_event + len(last.events) - 1, standing) if last else Written(0, 0, 0)
    return known


def follow(battle: Battle, before: UUID, then: Written, record: BattleRecord, events: tuple[Any, ...]) -> None:
    """Update the caches after a new record, from the revision `before` and its extent. If the transaction is rolled
    back, nobody will ask for the new revision.
    """
    _events.keep(record.pk, events)
    _written.keep(battle.revision, Written(record.seq, then.event + len(events), then.standing + 1))
    known = () if record.seq == 1 else _latest.get(before)
    if known is not None:
        _latest.keep(battle.revision, (read_of(battle, record), *known[: PORTION - 1]))


def read_of(battle: Battle, record: BattleRecord) -> RecordRead:
    """Convert a database record."""
    known = _events.get(record.pk)
    return _made(_row_of(record), _decoded(battle, record.pk, record.events) if known is None else known)


def read_standing(battle: Battle, most: int) -> Iterator[RecordRead]:
    """Yield at most this many records that are not undone, latest first."""
    return islice((record for record in back(battle) if not record.undone), most)


def back(battle: Battle) -> Iterator[RecordRead]:
    """Yield all records, latest first, read in portions, so that a reader who stops early has not read them all."""
    first = read_latest(battle)
    yield from first
    if len(first) == PORTION:
        older = battle.records.filter(seq__lt=first[-1].seq)
        yield from read_in_portions(battle, older, size=2 * PORTION, backwards=True)


def read_in_portions(
    battle: Battle, records: QuerySet[BattleRecord], *, size: int = PORTION, backwards: bool = False
) -> Iterator[RecordRead]:
    """Yield these records in order, or latest first, read in portions."""
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
    """Return all of these records, in order."""
    return _read(battle, records.order_by("seq").values_list(*COLUMNS))


def _read(battle: Battle, rows: Iterable[Sequence[Any]]) -> tuple[RecordRead, ...]:
    """Read records. Events never change, so only those not cached are read, in one query."""
    rows = list(rows)
    known = ((row[0], _events.get(row[0])) for row in rows)
    found = {pk: events for pk, events in known if events is not None}
    missing = {row[0]: row[1] for row in rows if row[0] not in found}
    if missing:
        told = _event_rows(battle.pk, min(missing.values()), max(missing.values()))
        found |= {pk: _decoded(battle, pk, events) for pk, events in told if pk in missing}
    return tuple(_made(row, found[row[0]]) for row in rows if row[0] in found)


def _made(row: Any, events: tuple[Any, ...]) -> RecordRead:
    """Build a record from its columns."""
    return RecordRead(*(*row, events))


def _decoded(battle: Battle, pk: UUID, events: Any) -> tuple[Any, ...]:
    return _events.keep(pk, storage.get_keeper(get_engine(battle)).load_events(events))


# Commands given since a user last loaded the battle.


def commands_since(battle: Battle, version: int) -> Sequence[Any]:
    """Return the commands after this version, in order. Empty if it is not older, or if something was undone."""
    if version >= battle.version:
        return ()
    since = battle.records.filter(version__gt=version, undone=False).values_list("command", flat=True)
    if len(since) != battle.version - version:
        return ()
    keeper = get_keeper(play_battle_state.get_engine(battle))
    return [keeper.load_command(told) for told in since]


# Replay of a battle: the state after each of many events.


class Snapshot(NamedTuple):
    """Record with a frozen state. `event` is the number of its last event."""

    event: int
    record: BattleRecord


def list_standing_records(battle: Battle) -> Sequence[RecordRead]:
    """Return all records that are not undone, in order. Two queries."""
    return whole(battle, battle.records.filter(undone=False))


def replay_states(battle: Battle, records: Sequence[RecordRead], ends: Iterable[int]) -> Iterator[Any]:
    """Yield the state after each of these events, whose numbers never decrease; 0 is the opening. `records` are all
    that are not undone.

    Each state is folded from the previous one or from a frozen one, whichever is nearer, over at most `EVERY` records.
    One query.
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
    """Return the records with frozen states that are not undone, in order."""
    kept = battle.records.filter(undone=False, frozen__isnull=False).order_by("seq")
    read = kept.only("battle", "first_event", "events", "frozen")
    return [Snapshot(record.first_event + len(record.events) - 1, record) for record in read]
