"""Demo battles: played through the ordinary services, with every die typed."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from itertools import cycle
from typing import Any

from battles.models import Battle
from battles.play import services as play_services
from kingdom.models import User
from rules.core.dice import DiceNeeded, TypedDie

MOST = 20  # The faces are given for a die of this many sides.


class DemoTable:
    """A GM who types dice in a fixed, repeating order of faces, so that every demo is the same."""

    def __init__(self, owner: User, battle: Battle, faces: tuple[int, ...]):
        self.owner = owner
        self.battle = battle
        self._faces: Iterator[int] = cycle(faces)

    def play(self, *commands: Any) -> None:
        for command in commands:
            self.typing(play_services.play, command=command)

    def typing(self, play: Callable[..., Any], typed: list[TypedDie] | None = None, **told: Any) -> None:
        """Calls the service `play` again and again, each time with the dice it asked for, until it needs no more."""
        dice = list(typed or ())
        while True:
            seen = {"by": self.owner, "battle_id": self.battle.pk, "version": self.battle.version}
            try:
                self.battle = play(**seen, typed=dice, ask=True, **told).battle
                return
            except DiceNeeded as needed:
                dice += [TypedDie(ask.army, ask.name, (self._face(ask.die),)) for ask in needed.asks]

    def _face(self, die: int) -> int:
        face = next(self._faces)
        return face if die >= MOST else face % die + 1
