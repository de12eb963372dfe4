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
from rules.pathfinder.battle import engine
from rules.pathfinder.battle.commands import Viewer
from rules.pathfinder.battle.events import Event
from rules.pathfinder.battle.narrate import SUMS, LogEntry
from rules.pathfinder.battle.state import Battle as State
from rules.text import Said

GM = Viewer(gm=True)
FOE_SUMS = {title for name, title in SUMS if name in ("dv", "foe_lines")}


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event in words. `seq` numbers events within the battle; `undone` ones are struck out."""

    seq: int
    event: Event
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


def log_of(battle: Battle, state: State, eyes: Eyes, *, after: int = 0, undone: bool = False) -> list[LogLine]:
    """Events with a number above `after`, oldest first. Secret orders and sums of hidden figures are left out.

    `undone`: those taken back too.
    """
    records = battle.records.select_related("by", "undone_by").order_by("seq")
    if not undone:
        records = records.filter(undone=False)
    lines = (line for record in records if _reaches(record, after) for line in lines_of(record, state, eyes))
    return [line for line in lines if line.seq > after]


def _reaches(record: BattleRecord, after: int) -> bool:
    return record.first_event + len(record.events) > after + 1


def lines_of(record: BattleRecord, state: State, eyes: Eyes) -> Iterator[LogLine]:
    """The record's events, told for these eyes."""
    for offset, event in enumerate(storage.load_events(record.events)):
        entry = told(state, event, eyes)
        if entry is not None:
            yield LogLine(record.first_event + offset, event, entry, record)


def told(state: State, event: Event, eyes: Eyes) -> LogEntry | None:
    """The event in words, or None where it is not for these eyes."""
    entry = engine.describe(state, event)
    if entry.secret and not eyes.commands(entry.army):
        return None
    known = tuple(found for found in entry.sums if _whose(entry, found[0]) in eyes.reads)
    return replace(entry, sums=known)


def _whose(entry: LogEntry, title: Said) -> str:
    """The army whose figures stand under this title: the target's where they are what was rolled against."""
    return entry.target if title in FOE_SUMS else entry.army


@dataclass(frozen=True, slots=True)
class Replay:
    """The battle decided once more from its recorded dice. `differs`: the first record that came out otherwise."""

    identical: bool
    differs: int | None = None


def replay_of(battle: Battle) -> Replay:
    """Decide every standing command again, with the dice that fell, by the rules of today."""
    state = folding.opened(battle)
    for record in battle.records.filter(undone=False).order_by("seq"):
        recorded = storage.load_events(record.events)
        if _again(state, record) != recorded:
            return Replay(False, record.seq)
        state = engine.fold(state, recorded)
    return Replay(True)


def _again(state: State, record: BattleRecord) -> tuple[Event, ...] | None:
    """The events this command would give now, or None where it would not be legal or need other dice."""
    dice = Replayed(storage.load_dice(record.dice))
    try:
        return tuple(engine.decide(state, storage.load_command(record.command), dice, GM))
    except (Refusal, LookupError):
        return None
