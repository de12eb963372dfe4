"""What happened in a battle, as far as the reader may know, and whether it would happen again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from django.db.models import QuerySet

from battles import folding
from battles.codec import storage
from battles.models import Battle, BattleRecord
from rules.dice import Replayed
from rules.errors import Refusal
from rules.law import BattleLaw, DieSide, LogEntry, Viewer

GM = Viewer(gm=True)


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


def log_of(battle: Battle, state: Any, viewer: Viewer, *, after: int = 0, undone: bool = False) -> list[LogLine]:
    """Events with a number above `after`, oldest first. What the viewer may not know is left out.

    `state`: what he sees of the battle. `undone`: the events taken back too.
    """
    records = records_of(battle)
    if not undone:
        records = records.filter(undone=False)
    return told(battle, records, state, viewer, after=after)


def records_of(battle: Battle) -> QuerySet[BattleRecord]:
    """Everything that was commanded, in order, and by whom."""
    return battle.records.select_related("by", "undone_by").order_by("seq")


def told(
    battle: Battle, records: Iterable[BattleRecord], state: Any, viewer: Viewer, *, after: int = 0
) -> list[LogLine]:
    """These records in words, for this viewer."""
    reached = (record for record in records if _reaches(record, after))
    lines = (line for record in reached for line in lines_of(battle, record, state, viewer))
    return [line for line in lines if line.seq > after]


def _reaches(record: BattleRecord, after: int) -> bool:
    return record.first_event + len(record.events) > after + 1


def lines_of(battle: Battle, record: BattleRecord, state: Any, viewer: Viewer) -> Iterator[LogLine]:
    """The record's events, told for this viewer."""
    engine = folding.engine_of(battle)
    for offset, event in enumerate(storage.keeper_of(engine).load_events(record.events)):
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
