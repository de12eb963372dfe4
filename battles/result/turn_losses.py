"""Losses of a finished battle by turn, as one reader saw them, with its turning point and its course."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise
from typing import Any, NamedTuple

from battles.log.queries import LogLine, log_of
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.play.event_log import RecordRead, list_standing_records, replay_states
from battles.ruleset_ui import get_battle_ui
from core.text import render
from rules.core.text import Said, _, say
from rules.core.viewers import WHOLE
from rules.core.weights import Fall, Weight
from rules.law import FIGHTING, SETUP, Combatant, Summary, Viewer

# Losses in a battle by turn, as one reader saw them, and the decisive turn.

TURN = _("Turn {number}")


class TurnLosses(NamedTuple):
    """Losses of each side in a turn or phase, and the numbers of its events.

    Losses are in the ruleset's unit of health, or all in percent where the reader knows some armies only in percent.
    `number` counts the turn, `label` names it, `kind` is that of a phase ("" for a turn). `fallen` counts each side's
    armies that broke or left the field. `felled` weighs its units and characters who fell (`Fall`).
    """

    number: int
    lost: tuple[int, ...]
    first_event: int
    last_event: int
    label: Said
    kind: str = ""
    fallen: tuple[int, ...] = ()
    felled: tuple[int, ...] = ()

    @property
    def short(self) -> str:
        """Short label: a turn's number; a phase's number after the first letter of its name."""
        return f"{render(self.label)[:1] if self.kind else ''}{self.number}"

    @property
    def difference(self) -> int:
        return abs(self.lost[0] - self.lost[1]) if len(self.lost) > 1 else sum(self.lost)

    def favors(self, winner: int | None) -> bool:
        """Whether the winner's enemies lost more armies, as many and more units, or as many of both and more health;
        True where nobody won.
        """
        if winner is None:
            return True
        ahead = self.beaten(winner), _ahead(self.felled, winner)
        return ahead > (0, 0) or (ahead == (0, 0) and self.lost[winner] < max(self.lost))

    @property
    def whole(self) -> int:
        return sum(self.lost)

    @property
    def any(self) -> bool:
        """Whether anybody lost anything."""
        return any((*self.lost, *self.fallen, *self.felled))

    def beaten(self, winner: int | None) -> int:
        """Number of armies that left the winner's enemies, minus those that left the winner's side."""
        return _ahead(self.fallen, winner)

    def outweighed(self, winner: int | None) -> int:
        """Weight of who fell of the winner's enemies, minus that of who fell on the winner's side; of all where nobody
        won.
        """
        return sum(self.felled) if winner is None else _ahead(self.felled, winner)


def _ahead(counts: Sequence[int], winner: int | None) -> int:
    """The count of the winner's enemies, minus the winner's own; 0 where nobody won."""
    return 0 if winner is None or not counts else sum(counts) - 2 * counts[winner]


class BattleCourse(NamedTuple):
    """Summary of the battle at its beginning, and its turns."""

    start: Summary
    turns: tuple[TurnLosses, ...]

    def turning_point(self, winner: int | None) -> TurnLosses | None:
        """The turn in which the winner's enemies lost most armies, less its own; among equals the one in which most of
        their units and characters fell, then the one with the largest difference in losses, then the one with most
        losses, then the first. None where no turn favors the winner.
        """

        def weight(turn: TurnLosses) -> tuple[int, int, int, int]:
            return turn.beaten(winner), turn.outweighed(winner), turn.difference, turn.whole

        favoring = (turn for turn in self.turns if turn.any and turn.favors(winner))
        return max(favoring, key=weight, default=None)

    def turn_of(self, event: int) -> int:
        """Number of the turn in which an event happened; 0 for the setup."""
        return next((turn.number for turn in self.turns if turn.first_event <= event <= turn.last_event), 0)


class _TurnSpan(NamedTuple):
    """A turn or phase with the numbers of its first and last event. `kind`: that of a phase, "" for a turn."""

    number: int
    label: Said
    kind: str
    first_event: int
    last_event: int


def load_course(battle: Battle, viewer: Viewer) -> BattleCourse:
    """Losses by turn, as far as this viewer saw them. A command belongs to the turn in which it was given."""
    records = list_standing_records(battle)
    spans = play_battle_state.reckon_once(battle, "turns", lambda: tuple(_spans(battle, records)))  # for all readers
    before = spans[0].first_event - 1 if spans else 0
    ends = (0, before, *(span.last_event for span in spans))
    engine = play_battle_state.get_engine(battle)
    seen = [
        play_battle_state.summary_seen(engine, state, viewer) for state in replay_states(battle, records, sorted(ends))
    ]
    shares = any(army.share for army in seen[-1].armies.values())
    turns = tuple(
        TurnLosses(
            span.number,
            _lost_by_side(then, now, shares=shares),
            span.first_event,
            span.last_event,
            span.label,
            span.kind,
            _fallen_by_side(then, now),
        )
        for span, (then, now) in zip(spans, pairwise(seen[1:]), strict=True)
    )
    return BattleCourse(seen[0], turns)


def _lost_by_side(then: Summary, now: Summary, *, shares: bool) -> tuple[int, ...]:
    return tuple(_lost(then, now, side, shares=shares) for side in range(len(now.sides)))


def _fallen_by_side(then: Summary, now: Summary) -> tuple[int, ...]:
    """Count each side's armies that held the field then and no longer do: broken, or gone."""
    fallen = {army for army, was in then.armies.items() if _holds(was) and not _holds(now.armies[army])}
    return tuple(len(fallen.intersection(side.armies)) for side in now.sides)


def _holds(army: Combatant) -> bool:
    return army.fighting and army.status == FIGHTING


def _spans(battle: Battle, records: Sequence[RecordRead]) -> Iterator[_TurnSpan]:
    """The turns, where sides take turns, else the phases. The setup belongs to none, nor does a phase in which the GM
    only ended the battle; records of the aftermath belong to the last.
    """
    engine, by_turns = play_battle_state.get_engine(battle), get_battle_ui(play_battle_state.get_law(battle)).by_turns
    ends = [record.first_event + len(record.events) - 1 for record in records]
    span: _TurnSpan | None = None
    before = engine.summary(play_battle_state.load_opening_state(battle))
    for record, last, state in zip(records, ends, replay_states(battle, records, ends), strict=True):
        if before.status != SETUP:
            called = _called(before, by_turns=by_turns)
            if span is not None and span[:3] != called:
                yield span
                span = None
            if span is None and record.ends_the_battle and not by_turns:
                break
            span = _TurnSpan(*called, span.first_event if span else record.first_event, last)
        before = engine.summary(state)
        if before.outcome:
            break
    if span is not None:
        yield span


def _called(now: Summary, *, by_turns: bool) -> tuple[int, Said, str]:
    if by_turns:
        return now.stage.number, say(TURN, number=now.stage.number), ""
    return now.stage.number, now.stage.label, now.stage.kind


def lost_by(army: Combatant, before: Combatant | None) -> int:
    """Health the army has lost since `before`; an army that joined meanwhile came with full health.

    It compares health with its maximum, so that troops who come into sight do not count as gained health. At least 0.
    """
    missing = before.health_max - before.health if before else 0
    return max(0, army.health_max - army.health - missing)


def _lost(then: Summary, now: Summary, side: int, *, shares: bool) -> int:
    """Losses of a side's armies in between: their sum, or with `shares` the mean of their percentages."""
    armies = [now.armies[army] for army in now.sides[side].armies if army in then.armies]
    lost = [lost_by(army, then.armies[army.id]) for army in armies]
    if not shares or not lost:
        return sum(lost)
    parts = (WHOLE * one / max(1, army.health_max) for one, army in zip(lost, armies, strict=True))
    return round(sum(parts) / len(lost))


# Course of a finished battle: its turns, its turning point, and the log lines of both.
#
# It is computed from the whole battle, so it is cached with the final state.

HARM = "damage"  # name of an entry's number
ENDS = ("ended", "battle-ended")  # types of entries about the end itself


class BattleStory(NamedTuple):
    """A finished battle. `turning_point`: the decisive turn; `moment`: its weightiest log line; `stop`: the step of the
    replay at which it begins.
    """

    course: BattleCourse
    turning_point: TurnLosses | None
    moment: LogLine | None
    stop: int
    lines: tuple[LogLine, ...]


def load_story(battle: Battle, state: Any, viewer: Viewer, winner: int | None) -> BattleStory:
    """The story as this viewer may know it. `state`: the final state as they see it."""
    return play_battle_state.reckon_once(battle, ("story", viewer), lambda: _read_story(battle, state, viewer, winner))


def _read_story(battle: Battle, state: Any, viewer: Viewer, winner: int | None) -> BattleStory:
    lines = log_of(battle, state, viewer)
    course = _with_felled(load_course(battle, viewer), lines)
    turn = course.turning_point(winner)
    moment = _moment(lines, turn, winner) if turn else None
    stop = sum(not line.entry.quiet for line in lines if turn and line.seq < turn.first_event) + 1
    return BattleStory(course, turn, moment, stop, tuple(lines))


def _with_felled(course: BattleCourse, lines: Sequence[LogLine]) -> BattleCourse:
    """The course with who fell in each turn, as its reader's log tells it."""
    sides = range(len(course.start.sides))
    falls = [line for line in lines if line.entry.fall and line.entry.harmed is not None]

    def weigh(turn: TurnLosses, side: int) -> int:
        own = (line.entry for line in falls if turn.first_event <= line.seq <= turn.last_event)
        return sum(entry.fall for entry in own if entry.harmed == side and entry.fall < Fall.ARMY)

    turns = (turn._replace(felled=tuple(weigh(turn, side) for side in sides)) for turn in course.turns)
    return course._replace(turns=tuple(turns))


def _moment(lines: Sequence[LogLine], turn: TurnLosses, winner: int | None) -> LogLine | None:
    """The log line of the turn that turned the battle, else that tells who fell, else did the most damage, else weighs
    most; the last of equals. Lines about the end itself, and lines that hurt the winner, are left out.
    """
    told = [
        line
        for line in lines
        if turn.first_event <= line.seq <= turn.last_event
        and not (line.entry.quiet or line.entry.heading or line.entry.type in ENDS)
        and (winner is None or line.entry.harmed != winner)
    ]
    return max(reversed(told), key=_weight, default=None)


def _weight(line: LogLine) -> tuple[bool, Fall, int, Weight]:
    entry = line.entry
    return entry.weight == Weight.TURNING, entry.fall, entry.numbers.get(HARM, 0), entry.weight
