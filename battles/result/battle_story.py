"""Story of a battle that ended: its course, the moment that weighed most, and the lines it is read from.

All of it is read from the whole battle, so it is kept with the state the battle ended in.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

from battles.log.queries import LogLine, log_of
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.result.turn_losses import BattleCourse, TurnLosses, load_course
from rules.law import Viewer, Weight

HARM = "damage"  # the number of an entry
ENDS = ("ended", "battle-ended")  # entries that tell the end itself


class BattleStory(NamedTuple):
    """`turning_point`: the turn that decided the battle; `moment`: what weighs most in it; `stop`: the step of the
    replay it begins with.
    """

    course: BattleCourse
    turning_point: TurnLosses | None
    moment: LogLine | None
    stop: int
    lines: tuple[LogLine, ...]


def load_story(battle: Battle, state: Any, viewer: Viewer, winner: int | None) -> BattleStory:
    """As this viewer may know it. `state`: what they see of the battle as it stands."""
    return play_battle_state.reckon_once(battle, ("story", viewer), lambda: _read_story(battle, state, viewer, winner))


def _read_story(battle: Battle, state: Any, viewer: Viewer, winner: int | None) -> BattleStory:
    course, lines = load_course(battle, viewer), log_of(battle, state, viewer)
    turn = course.turning_point(winner)
    moment = _moment(lines, turn) if turn else None
    stop = sum(not line.entry.quiet for line in lines if turn and line.seq < turn.first_event) + 1
    return BattleStory(course, turn, moment, stop, tuple(lines))


def _moment(lines: Sequence[LogLine], turn: TurnLosses) -> LogLine | None:
    """What turned the battle, else what did most harm, else what weighs most, of equals the last. The end itself is
    told elsewhere.
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
