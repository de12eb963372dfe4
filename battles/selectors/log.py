"""What happened in a battle, as far as the reader may know, and whether it would happen again."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any

from django.db.models import QuerySet, Subquery

from battles import folding
from battles.codec import storage
from battles.models import Battle, BattleRecord
from rules.dice import Replayed
from rules.errors import Refusal
from rules.law import BattleLaw, DieSide, LogEntry, Viewer

GM = Viewer(gm=True)
PORTION, PORTION_MOST = 25, 200  # records read at a time, where somebody may stop early
TOLD = ("seq", "version", "first_event", "events", "at", "undone", "undone_at", "battle", "by__username",
        "undone_by__username")  # fmt: skip


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event in words. `seq` numbers events within the battle; `undone` ones are struck out."""

    seq: int
    event: Any
    entry: LogEntry
    record: BattleRecord
    die_sides: Mapping[str, tuple[DieSide, ...]]

    @property
    def undone(self) -> bool:
        return self.record.undone

    @property
    def at(self) -> datetime:
        return self.record.at

    @property
    def by(self) -> Any:
        return self.record.by


def log_of(
    battle: Battle, state: Any, viewer: Viewer, *, after: int = 0, limit: int | None = None, undone: bool = False
) -> list[LogLine]:
    """Events with a number above `after`, oldest first. What the viewer may not know is left out.

    `state`: what he sees of the battle. `undone`: the events taken back too. `limit`: not more lines than that. It
    counts what he is told: a stretch he may not read is read through, never handed to him as a short or empty page.
    """
    records = records_of(battle).order_by("seq")
    if not undone:
        records = records.filter(undone=False)
    if after:
        records = records.filter(seq__gte=_holding(battle, after + 1))
    read = records if limit is None else in_portions(records, first=min(limit, PORTION))
    lines = (line for record in read for line in lines_of(battle, record, state, viewer) if line.seq > after)
    return list(islice(lines, limit))


def _holding(battle: Battle, event: int) -> Subquery:
    """The number of the record this event is in (of the last one where there is no such event yet)."""
    before = BattleRecord.objects.filter(battle=battle, first_event__lte=event)
    return Subquery(before.order_by("-seq").values("seq")[:1])


def records_of(battle: Battle) -> QuerySet[BattleRecord]:
    """Everything that was commanded, and by whom: of each record only what is told of it."""
    return battle.records.select_related("by", "undone_by").only(*TOLD)


def in_portions(records: QuerySet[BattleRecord], *, first: int = PORTION, back: bool = False) -> Iterator[BattleRecord]:
    """The records in order (`back`: the latest first), read some at a time: who stops early has read no more."""
    records, beyond = (records.order_by("-seq"), "seq__lt") if back else (records.order_by("seq"), "seq__gt")
    size, some = first, list(records[:first])
    while some:
        yield from some
        if len(some) < size:
            return
        size = min(2 * size, PORTION_MOST)
        some = list(records.filter(**{beyond: some[-1].seq})[:size])


def lines_of(battle: Battle, record: BattleRecord, state: Any, viewer: Viewer) -> Iterator[LogLine]:
    """The record's events, told for this viewer."""
    engine = folding.engine_of(battle)
    for offset, event in enumerate(folding.events_of(battle, record)):
        known = engine.witnessed(state, event, viewer)
        entry = None if known is None else _entry(engine.describe(state, known), viewer)
        if entry is not None:
            yield LogLine(record.first_event + offset, known, entry, record, engine.die_sides)


def _entry(entry: LogEntry, viewer: Viewer) -> LogEntry | None:
    """Without secret orders and sums of figures that are not his to read."""
    if entry.secret and not viewer.commands(entry.army):
        return None
    return replace(entry, sums=tuple(found for found in entry.sums if found.army in viewer.reads))


@dataclass(frozen=True, slots=True)
class ReplayVerdict:
    """The battle decided once more from its recorded dice. `differs`: the first record that came out otherwise."""

    identical: bool
    differs: int | None = None


def replay_of(battle: Battle) -> ReplayVerdict:
    """Decide every standing command again, with the dice that fell, by the rules of today."""
    engine = folding.engine_of(battle)
    keeper = storage.keeper_of(engine)
    state = folding.opened(battle)
    for record in battle.records.filter(undone=False).order_by("seq"):
        recorded = keeper.load_events(record.events)
        if _again(engine, state, record) != recorded:
            return ReplayVerdict(False, record.seq)
        state = engine.fold(state, recorded)
    return ReplayVerdict(True)


def _again(engine: BattleLaw, state: Any, record: BattleRecord) -> tuple[Any, ...] | None:
    """The events this command would give now, or None where it would not be legal or need other dice."""
    dice = Replayed(storage.load_dice(record.dice))
    try:
        command = storage.keeper_of(engine).load_command(record.command)
        return tuple(engine.decide(state, command, dice, GM))
    except (Refusal, LookupError):
        return None
