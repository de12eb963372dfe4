"""What happened in a battle, as far as the reader may know, and whether it would happen again."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from datetime import datetime
from typing import Any

from battles import folding
from battles.codec import storage
from battles.models import Battle, BattleRecord
from battles.selectors.access import Eyes
from rules.dice import Replayed
from rules.errors import Refusal
from rules.law import BattleLaw, LogEntry, Viewer

GM = Viewer(gm=True)


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event in words. `seq` numbers events within the battle; `undone` ones are struck out."""

    seq: int
    event: Any
    entry: LogEntry
    record: BattleRecord

    @property
    def undone(self) -> bool:
        return self.record.undone

    @property
    def at(self) -> datetime:
        return self.record.at

    @property
    def by(self) -> Any:
        return self.record.by


def log_of(battle: Battle, state: Any, eyes: Eyes, *, after: int = 0, undone: bool = False) -> list[LogLine]:
    """Events with a number above `after`, oldest first. Secret orders and sums of hidden figures are left out.

    `undone`: those taken back too.
    """
    records = battle.records.select_related("by", "undone_by").order_by("seq")
    if not undone:
        records = records.filter(undone=False)
    reached = (record for record in records if _reaches(record, after))
    lines = (line for record in reached for line in lines_of(battle, record, state, eyes))
    return [line for line in lines if line.seq > after]


def _reaches(record: BattleRecord, after: int) -> bool:
    return record.first_event + len(record.events) > after + 1


def lines_of(battle: Battle, record: BattleRecord, state: Any, eyes: Eyes) -> Iterator[LogLine]:
    """The record's events, told for these eyes."""
    engine = folding.engine_of(battle)
    for offset, event in enumerate(storage.keeper_of(engine).load_events(record.events)):
        entry = told(engine, state, event, eyes)
        if entry is not None:
            yield LogLine(record.first_event + offset, event, entry, record)


def told(engine: BattleLaw, state: Any, event: Any, eyes: Eyes) -> LogEntry | None:
    """The event in words, or None where it is not for these eyes."""
    entry = engine.describe(state, event)
    if entry.secret and not eyes.commands(entry.army):
        return None
    return replace(entry, sums=tuple(found for found in entry.sums if found.army in eyes.reads))


@dataclass(frozen=True, slots=True)
class Replay:
    """The battle decided once more from its recorded dice. `differs`: the first record that came out otherwise."""

    identical: bool
    differs: int | None = None


def replay_of(battle: Battle) -> Replay:
    """Decide every standing command again, with the dice that fell, by the rules of today."""
    engine = folding.engine_of(battle)
    keeper = storage.keeper_of(engine)
    state = folding.opened(battle)
    for record in battle.records.filter(undone=False).order_by("seq"):
        recorded = keeper.load_events(record.events)
        if _again(engine, state, record) != recorded:
            return Replay(False, record.seq)
        state = engine.fold(state, recorded)
    return Replay(True)


def _again(engine: BattleLaw, state: Any, record: BattleRecord) -> tuple[Any, ...] | None:
    """The events this command would give now, or None where it would not be legal or need other dice."""
    dice = Replayed(storage.load_dice(record.dice))
    try:
        command = storage.keeper_of(engine).load_command(record.command)
        return tuple(engine.decide(state, command, dice, GM))
    except (Refusal, LookupError):
        return None
