"""Queries for a battle's events, as far as the reader may know, and whether they would happen again."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import Subquery

from battles.codec import storage
from battles.models import ENGINE, Battle, BattleRecord
from battles.play import battle_state as play_battle_state
from battles.play.event_log import PORTION, RecordRead, read_in_portions, whole
from core import text
from kingdom.models import User
from rules.core.dice import Replayed
from rules.core.errors import Refusal
from rules.core.text import Said, _, say
from rules.law import OMNISCIENT, BattleLaw, DieSide, LogEntry, Summary, Viewer


@dataclass(frozen=True, slots=True)
class LogLine:
    """One event in words. `seq` numbers events within the battle; `undone` ones are struck out."""

    seq: int
    event: Any
    entry: LogEntry
    record: RecordRead
    die_sides: Mapping[str, tuple[DieSide, ...]]
    by: str = ""
    """Who commanded it, where that was asked for (`named`)."""
    why: Said | None = None
    """Why the engine gave this order, where it did and the viewer commands the army."""

    @property
    def undone(self) -> bool:
        return self.record.undone

    @property
    def at(self) -> datetime:
        return self.record.at


def log_of(
    battle: Battle, state: Any, viewer: Viewer, *, after: int = 0, limit: int | None = None, undone: bool = False
) -> list[LogLine]:
    """Events with a number above `after`, oldest first. What the viewer may not know is left out.

    `state`: what they see of the battle. `undone`: the events taken back too. `limit`: not more lines than that. It
    counts what they are told: a stretch they may not read is read through, never handed to them as a short or empty
    page.
    """
    records = battle.records.all() if undone else battle.records.filter(undone=False)
    if after:
        records = records.filter(seq__gte=_holding(battle, after + 1))
    read = whole(battle, records) if limit is None else read_in_portions(battle, records, size=min(limit, PORTION))
    lines = (line for record in read for line in tell_lines(battle, record, state, viewer) if line.seq > after)
    return list(islice(lines, limit))


def _holding(battle: Battle, event: int) -> Subquery:
    """The number of the record this event is in (of the last one where there is no such event yet)."""
    before = BattleRecord.objects.filter(battle=battle, first_event__lte=event)
    return Subquery(before.order_by("-seq").values("seq")[:1])


def add_commander_names(lines: Iterable[LogLine], names: Mapping[UUID | None, str] | None = None) -> list[LogLine]:
    """With the names of those who commanded. One query, unless they are known."""
    lines = list(lines)
    names = names_of(line.record.by for line in lines) if names is None else names
    return [replace(line, by=names.get(line.record.by, "")) for line in lines]


def names_of(users: Iterable[UUID | None]) -> dict[UUID | None, str]:
    """What these are called now. One query, or none where there is nobody."""
    asked = {user for user in users if user is not None}
    return dict(User.objects.filter(pk__in=asked).values_list("pk", "username")) if asked else {}


def tell_lines(battle: Battle, record: RecordRead, state: Any, viewer: Viewer) -> Iterator[LogLine]:
    """The record's events, told for this viewer."""
    engine = play_battle_state.get_engine(battle)
    for offset, event in enumerate(record.events):
        known = engine.witnessed(state, event, viewer)
        entry = None if known is None else _entry(engine.describe(state, known), viewer)
        if entry is not None:
            why = _why(record) if viewer.commands(entry.army) else None
            own = why is None or engine.forecast.by_turns  # what is done at once is told as what it is
            told = entry if own else _by_the_engine(entry, engine.summary(state))
            yield LogLine(record.first_event + offset, known, told, record, engine.die_sides, why=why)


def _why(record: RecordRead) -> Said | None:
    """Why the engine gave this order; None for any other command."""
    told = record.command.get(ENGINE)
    return text.load_said(told["why"]) if told else None


def _by_the_engine(entry: LogEntry, summary: Summary) -> LogEntry:
    """An order of its own is a line of the log for those who command the army: nobody else remembers it."""
    return replace(
        entry,
        text=say(_("The computer gives the orders of {army}."), army=summary.armies[entry.army].name),
        quiet=False,
    )


def _entry(entry: LogEntry, viewer: Viewer) -> LogEntry | None:
    """Without secret orders and sums of figures that are not theirs to read."""
    if entry.secret and not viewer.commands(entry.army):
        return None
    if not entry.sums:
        return entry
    return replace(entry, sums=tuple(found for found in entry.sums if found.army in viewer.reads))


@dataclass(frozen=True, slots=True)
class ReplayVerdict:
    """The battle decided once more from its recorded dice. `differs`: the first record that came out otherwise."""

    identical: bool
    differs: int | None = None


def check_replay(battle: Battle) -> ReplayVerdict:
    """Decide every standing command again, with the dice that fell, by the rules of today."""
    engine = play_battle_state.get_engine(battle)
    keeper = storage.get_keeper(engine)
    state = play_battle_state.load_opening_state(battle)
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
        command = storage.get_keeper(engine).load_command(record.command)
        return tuple(engine.decide(state, command, dice, OMNISCIENT))
    except (Refusal, LookupError):
        return None


def list_own_commands(user: User) -> Iterator[dict[str, Any]]:
    """What a person commanded, for the document about them."""
    records = BattleRecord.objects.filter(by=user).select_related("battle").order_by("id")
    for record in records.only("command", "at", "undone", "battle__name", "battle__campaign").iterator():
        told = {"campaign": record.battle.campaign_id, "battle": record.battle_id, "name": record.battle.name}
        yield {**told, "at": record.at, "undone": record.undone, "command": record.command}
