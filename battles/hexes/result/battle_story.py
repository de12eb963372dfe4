"""Story of a battle that ended: its course, the moment that weighed most, and where units left it.

All of it is read from the whole battle, so it is kept with the state the battle ended in.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from battles.hexes.result.turn_losses import Course, TurnLosses, load_course
from battles.log.queries import LogLine, log_of
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from rules.core.text import Said
from rules.hexbattle.common import Destroyed, Withdrawn
from rules.hexbattle.field import Ended
from rules.law import Viewer


class LastSeen(NamedTuple):
    """Where a unit left the battle: the turn (0 for setup), and its last hex ("" where none is told)."""

    turn: int
    hex: str


class BattleStory(NamedTuple):
    """`turning_point`: the turn that decided the battle; `moment`: what weighs most in it, in words; `stop`: the step
    of the replay it begins with. `left`: by unit, where it left the battle.
    """

    course: Course
    turning_point: TurnLosses | None
    moment: Said | None
    stop: int
    left: Mapping[str, LastSeen]


def load_story(battle: Battle, state: Any, viewer: Viewer, winner: int | None) -> BattleStory:
    """As this viewer may know it. `state`: what they see of the battle as it stands."""
    return play_battle_state.reckon_once(battle, ("story", viewer), lambda: _read_story(battle, state, viewer, winner))


def _read_story(battle: Battle, state: Any, viewer: Viewer, winner: int | None) -> BattleStory:
    course, lines = load_course(battle, viewer), log_of(battle, state, viewer)
    turn = course.turning_point(winner)
    moment = _moment(lines, turn) if turn else None
    stop = sum(not line.entry.quiet for line in lines if turn and line.seq < turn.first_event) + 1
    return BattleStory(course, turn, moment, stop, dict(_departures(course, lines)))


def _moment(lines: Sequence[LogLine], turn: TurnLosses) -> Said | None:
    """What weighs most in the turn, of equals the last; the end itself is told elsewhere."""
    told = [
        line
        for line in lines
        if turn.first_event <= line.seq <= turn.last_event
        and not (line.entry.quiet or line.entry.heading or isinstance(line.event, Ended))
    ]
    found = max(reversed(told), key=lambda line: line.entry.weight, default=None)
    return found.entry.text if found else None


def _departures(course: Course, lines: Sequence[LogLine]) -> Iterator[tuple[str, LastSeen]]:
    """Of each unit its end, else the last that is told of it."""
    latest: dict[str, LogLine] = {}
    for line in lines:
        unit = getattr(line.event, "unit", "")
        if unit and not isinstance(getattr(latest.get(unit), "event", None), Destroyed | Withdrawn):
            latest[unit] = line
    for unit, line in latest.items():
        yield unit, LastSeen(course.turn_of(line.seq), getattr(line.event, "at", ""))
