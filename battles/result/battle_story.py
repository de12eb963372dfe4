"""Course of a finished battle: its turns, its turning point, and the log lines of both.

It is computed from the whole battle, so it is cached with the final state.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from battles.log.queries import LogLine, log_of
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.result.turn_losses import BattleCourse, TurnLosses, load_course
from rules.law import Viewer, Weight

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
    course, lines = load_course(battle, viewer), log_of(battle, state, viewer)
    turn = course.turning_point(winner)
    moment = _moment(lines, turn) if turn else None
    stop = sum(not line.entry.quiet for line in lines if turn and line.seq < turn.first_event) + 1
    return BattleStory(course, turn, moment, stop, tuple(lines))


def _moment(lines: Sequence[LogLine], turn: TurnLosses) -> LogLine | None:
    """The log line of the turn that turned the battle, else did the most damage, else weighs most; the last of equals.
    Lines about the end itself are left out.
    """
    told = [
        line
        for line in lines
        if turn.first_event <= line.seq <= turn.last_event
        and not (line.entry.quiet or line.entry.heading or line.entry.type in ENDS)
    ]
    return max(reversed(told), key=_weight, default=None)


def _weight(line: LogLine) -> tuple[bool, int, Weight]:
    entry = line.entry
    return entry.weight == Weight.TURNING, entry.numbers.get(HARM, 0), entry.weight
