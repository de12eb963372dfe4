"""Working state of a command's decision: the state so far, the events, the dice."""

from __future__ import annotations

from typing import Any, NamedTuple

from rules.core.dice import Dice, Roll
from rules.core.errors import IllegalCommand
from rules.core.text import Said
from rules.hexbattle import seeing
from rules.hexbattle.field import Field
from rules.wing_command.battle.record.events import PostureTaken
from rules.wing_command.battle.record.fold import after
from rules.wing_command.battle.record.state import HostState
from rules.wing_command.battle.situation import seen_of, unseen_in
from rules.wing_command.spec import INFILTRATING

D6 = 6


class Loss(NamedTuple):
    """A unit that was destroyed or fled from the map, with the wing it led (WC-5)."""

    unit: str
    wing: str
    side: int
    led: str
    army_leader: bool


class Run:
    """A command being decided. Each event changes `state` as it is emitted."""

    def __init__(self, state: HostState, dice: Dice):
        self.state, self.dice = state, dice
        self.events: list[Any] = []
        self.lost: list[Loss] = []

    def emit(self, *events: Any) -> None:
        for event in events:
            self.events.append(event)
            self.state = after(self.state, event)

    def roll(self, who: str, name: str, count: int = 2) -> tuple[Roll, ...]:
        """The dice of one throw. Typed dice are asked for at the next `checkpoint`."""
        return tuple(self.dice.roll(who, name, D6) for _die in range(count))

    def checkpoint(self) -> None:
        self.dice.checkpoint()

    def seen(self, unit: str) -> tuple[bool, ...]:
        """Visibility of a unit for each side: one bool per side."""
        return seen_of(self.state, unit)

    def move(self, unit: str, path: tuple[str, ...]) -> None:
        """Move a unit along a path, and reveal units that come into sight."""
        before = self.state.field
        self.emit(seeing.moved(before, unit, path, unseen_in))
        self.sights(before)

    def sights(self, before: Field) -> None:
        """Reveal units that a side sees now and didn't see before."""
        if any(token.hidden for token in self.state.field.tokens.values()):
            self.emit(*seeing.come_into_sight(before, self.state.field, unseen_in))

    def take_posture(self, unit: str, posture: str) -> None:
        """Change a unit's posture; the event records who sees it afterwards."""
        hidden = posture == INFILTRATING
        field = self.state.field.put(unit, hidden=hidden)
        self.emit(PostureTaken(unit, posture, seeing.all_who_see(field, unit, unseen_in)))

    def place_seen(self, unit: str, at: str) -> tuple[bool, ...]:
        """Visibility of a unit if it were on this hex: one bool per side."""
        return seeing.all_who_see(self.state.field.put(unit, at=at), unit, unseen_in)


def forbid(why: Said | None, field: str) -> None:
    """Raise `IllegalCommand` with this reason, if there is one."""
    if why is not None:
        raise IllegalCommand(why, field)


def faces(rolls: tuple[Roll, ...]) -> int:
    """The total of the dice."""
    return sum(roll.value for roll in rolls)
