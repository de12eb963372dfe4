"""Queries for a battle's events as a reader may know them, and the replay check."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import datetime
from itertools import islice
from typing import Any
from uuid import UUID

from django.db.models import F, Subquery

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
    """Event in words. `seq` numbers events within the battle; `undone` ones are struck through."""

    seq: int
    event: Any
    entry: LogEntry
    record: RecordRead
    die_sides: Mapping[str, tuple[DieSide, ...]]
    by: str = ""
    """Who gave the command, if asked for (`add_commander_names`)."""
    why: Said | None = None
    """Why the computer gave this order, for viewers who command the army."""

    @property
    def undone(self) -> bool:
        return self.record.undone

    @property
    def at(self) -> datetime:
        return self.record.at


def log_of(
    battle: Battle, state: Any, viewer: Viewer, *, after: int = 0, limit: int | None = None, undone: bool = False
) -> list[LogLine]:
    """Return events with a number above `after`, oldest first, without those the viewer may not know.

    `state` is what they see of the battle. `undone` includes undone events. `limit` counts returned lines, so hidden
    events never make a page short or empty.
    """
    records = battle.records.all() if undone else battle.records.filter(undone=False)
    if after:
        records = records.filter(seq__gte=_holding(battle, after + 1))
    read = whole(battle, records) if limit is None else read_in_portions(battle, records, size=min(limit, PORTION))
    lines = (line for record in read for line in tell_lines(battle, record, state, viewer) if line.seq > after)
    return list(islice(lines, limit))


def _holding(battle: Battle, event: int) -> Subquery:
    """Return the number of the record that holds this event (of the last one if the event does not exist yet)."""
    before = BattleRecord.objects.filter(battle=battle, first_event__lte=event)
    return Subquery(before.order_by("-seq").values("seq")[:1])


def add_commander_names(lines: Iterable[LogLine], names: Mapping[UUID | None, str] | None = None) -> list[LogLine]:
    """Add the names of those who gave the commands. One query, unless `names` are given."""
    lines = list(lines)
    names = names_of(line.record.by for line in lines) if names is None else names
    return [replace(line, by=names.get(line.record.by, "")) for line in lines]


def names_of(users: Iterable[UUID | None]) -> dict[UUID | None, str]:
    """Return current user names. One query, or none without ids."""
    asked = {user for user in users if user is not None}
    return dict(User.objects.filter(pk__in=asked).values_list("pk", "username")) if asked else {}


def tell_lines(battle: Battle, record: RecordRead, state: Any, viewer: Viewer) -> Iterator[LogLine]:
    """Yield the events of a record as this viewer may know them."""
    engine = play_battle_state.get_engine(battle)
    for offset, event in enumerate(record.events):
        known = engine.witnessed(state, event, viewer)
        entry = None if known is None else _entry(engine.describe(state, known), viewer)
        if entry is not None:
            why = _why(record) if viewer.commands(entry.army) else None
            # Where sides take turns a command takes effect at once, so its own log line is enough.
            own = why is None or engine.forecast.by_turns
            told = entry if own else _by_the_engine(entry, engine.summary(state))
            yield LogLine(record.first_event + offset, known, told, record, engine.die_sides, why=why)


def _why(record: RecordRead) -> Said | None:
    """Return why the computer gave this order; None for other commands."""
    told = record.command.get(ENGINE)
    return text.load_said(told["why"]) if told else None


def _by_the_engine(entry: LogEntry, summary: Summary) -> LogEntry:
    """Return the computer's order as a line of the log, for those who command the army. Nobody else would remember
    it.
    """
    return replace(
        entry,
        text=say(_("The computer gives orders to {army}."), army=summary.armies[entry.army].name),
        quiet=False,
    )


def _entry(entry: LogEntry, viewer: Viewer) -> LogEntry | None:
    """Return the entry without breakdowns of figures the viewer may not read; None for a secret order of another's
    army.
    """
    if entry.secret and not viewer.commands(entry.army):
        return None
    if not entry.sums:
        return entry
    return replace(entry, sums=tuple(found for found in entry.sums if found.army in viewer.reads))


@dataclass(frozen=True, slots=True)
class ReplayVerdict:
    """Result of deciding the battle again from its recorded dice. `differs` is the first record with another result."""

    identical: bool
    differs: int | None = None


def check_replay(battle: Battle) -> ReplayVerdict:
    """Decide every standing command again with the recorded dice, by the current rules."""
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
    """Return the events this command would have now; None if it is no longer legal or needs other dice."""
    dice = Replayed(storage.load_dice(record.dice))
    try:
        command = storage.get_keeper(engine).load_command(record.command)
        return tuple(engine.decide(state, command, dice, OMNISCIENT))
    except (Refusal, LookupError):
        return None


def list_own_commands(user: User) -> Iterator[dict[str, Any]]:
    """Yield a person's commands, for the export of their data. In what-ifs those they copied are left out."""
    own = BattleRecord.objects.filter(by=user).exclude(battle__branched_at__gte=F("first_event"))
    records = own.select_related("battle").order_by("id")
    for record in records.only("command", "at", "undone", "battle__name", "battle__campaign").iterator():
        told = {"campaign": record.battle.campaign_id, "battle": record.battle_id, "name": record.battle.name}
        yield {**told, "at": record.at, "undone": record.undone, "command": record.command}
