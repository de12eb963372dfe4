"""Parts of a battle's log: a page loads the latest events, and older parts on demand."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, NamedTuple
from uuid import UUID

from django.http import Http404
from django.urls import reverse

from battles.log.phases import LogPhase, PageLine, TakenBack, build_line, is_told, luck_of, newest_first, taken_back
from battles.log.queries import LogLine, log_of, tell_lines
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.event_log import RecordRead, back, read_in_portions
from battles.play.services import find_later_records
from battles.queries import get_battle_for, get_viewer, viewer_through
from battles.ruleset_ui import BattleUI, get_battle_ui
from kingdom.models import Campaign, User
from rules.core.errors import Refusal
from rules.core.text import Said
from rules.law import Summary, Viewer

PHASES, LINES = 2, 40  # phases or lines after which a part ends with a phase
MOST = 80  # lines after which a part ends within a phase, with a command
KEPT = 400  # lines that a redrawn page repeats if its reader had read back that far
FEW = 12  # events at the beginning that do not form a part of their own
EVER = 2**62


@dataclass(frozen=True)
class LogPart:
    """Part of the log. `since` is its first event; `older`: there are earlier ones."""

    phases: tuple[LogPhase, ...]
    taken_back: tuple[TakenBack, ...]
    since: int

    @property
    def older(self) -> bool:
        return self.since > 1


@dataclass
class _Walk:
    """Walk from the end of the log towards its beginning until there is enough. It includes at least everything from
    `since` on.
    """

    since: int
    lines: list[LogLine] = field(default_factory=list)
    told: int = 0
    phases: int = 0
    _before: int = 0

    def passes(self, line: LogLine) -> bool:
        """Count this event, and return whether the part of the log may begin with it."""
        self.lines.append(line)
        self.told += is_told(line)
        if line.undone or line.entry.begins is None:
            return False
        self.phases += self.told > self._before
        self._before = self.told
        return self._may_end(line.seq) and (self.phases >= PHASES or self.told >= LINES)

    def ends_with(self, record: RecordRead) -> bool:
        """Whether the part is long enough to begin with this command, within a phase."""
        return self.told >= MOST and self._may_end(record.first_event)

    def _may_end(self, event: int) -> bool:
        return event > FEW and (event <= self.since or self.told >= KEPT)


@dataclass(frozen=True)
class Told:
    """Log of a battle for one reader, read on demand. `side` is the side whose view a GM has chosen."""

    battle: Battle
    state: Any
    summary: Summary
    viewer: Viewer
    side: int | None = None
    since: int = EVER

    @cached_property
    def part(self) -> LogPart:
        """End of the log, at least from the event `since` on."""
        return self.before(None)

    def before(self, event: int | None) -> LogPart:
        """Return the part before this event."""
        lines, since = self._stretch(event)
        standing = [line for line in lines if not line.undone]
        return LogPart(newest_first(standing, self._opens(standing, since)), taken_back(lines), since)

    def _stretch(self, before: int | None) -> tuple[list[LogLine], int]:
        """Return lines in order, and the number of their first event (1: beginning of the log)."""
        walk, end = _Walk(EVER if before else self.since), before or EVER
        for record in self._back(end):
            own = [line for line in tell_lines(self.battle, record, self.state, self.viewer) if line.seq < end]
            for line in reversed(own):
                if walk.passes(line):
                    return walk.lines[::-1], line.seq
            if walk.ends_with(record):
                return walk.lines[::-1], record.first_event
        return walk.lines[::-1], 1

    def _back(self, end: int) -> Iterator[RecordRead]:
        if end == EVER:
            return back(self.battle)
        return read_in_portions(self.battle, self.battle.records.filter(first_event__lt=end), backwards=True)

    def _opens(self, standing: Iterable[LogLine], since: int) -> Said | None:
        """Return the heading of the first line, if it is not among the lines."""
        if since == 1:
            return self.summary.stages[0][0].label
        marks = (line.entry for line in standing if line.entry.begins is not None or line.entry.ends is not None)
        first = next(marks, None)
        return first.ends if first else None

    def line(self, seq: int) -> PageLine:
        """Return one event with its breakdowns. Raises Http404 if there is none that they may know."""
        found = log_of(self.battle, self.state, self.viewer, after=seq - 1, limit=1, undone=True)
        if not found or found[0].seq != seq:
            raise Http404
        return build_line(found[0])

    @property
    def luck(self) -> tuple[tuple[str, str, str], ...]:
        """Luck over the whole battle. It reads the whole log."""
        lines = log_of(self.battle, self.state, self.viewer)
        return luck_of(lines, play_battle_state.get_engine(self.battle), self.state, self.summary)

    @property
    def kept(self) -> bool:
        """Whether its reader had read further back."""
        return self.since != EVER

    @property
    def news(self) -> tuple[str, ...]:
        """Latest sentences, for screen readers."""
        return self.part.phases[0].headlines if self.part.phases else ()

    @cached_property
    def url(self) -> str:
        return reverse("battles:log", args=[self.battle.pk])

    @property
    def eyes(self) -> str:
        return "" if self.side is None else f"as={self.side}"


# Page object of a battle's log: a part of it, one line with its breakdowns, or the luck of the dice.


class Later(NamedTuple):
    """Extent of *Undo to here*: the number of commands, and their phases."""

    commands: int
    phases: tuple[Said, ...]


@dataclass(frozen=True)
class LogPage:
    battle: Battle
    campaign: Campaign
    ui: BattleUI
    told: Told

    @property
    def gm(self) -> bool:
        """Whether the reader is a GM with the GM's own view, not the view of a side."""
        return self.told.viewer.gm and self.told.side is None

    def after(self, event: int) -> Later | None:
        """Extent of *Undo to here* at this event, for the GM; None for others, and if there is nothing to undo."""
        told = self.told
        if not self.gm:
            return None
        try:
            records = find_later_records(self.battle, event)
        except Refusal:
            return None
        if not records:
            return None
        lines = log_of(self.battle, told.state, told.viewer, after=records[0].first_event - 1)
        begun = (line.entry.begins for line in lines if line.entry.begins is not None)
        return Later(len(records), tuple(dict.fromkeys(begun)))


def log_page(user: User, battle_id: UUID, side: int | None) -> LogPage:
    """Return the log as this user may read it, or in the view of a side. Raises Http404, or `PermissionDenied`."""
    battle = get_battle_for(user, battle_id)
    now = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, now)
    if side is not None and side >= len(play_battle_state.summarize(battle, now).sides):
        side = None
    if side is not None:
        viewer = viewer_through(viewer, battle, now, side)
    position = play_battle_state.view_state(battle, now, viewer)
    told = Told(battle, position.state, position.summary, viewer, side)
    return LogPage(battle, battle.campaign, get_battle_ui(play_battle_state.get_law(battle)), told)
