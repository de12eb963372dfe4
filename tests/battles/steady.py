"""Dice that fall around the middle: no natural 1 spoils the next phase of a test, and no tie lasts."""

from __future__ import annotations

from itertools import cycle

from rules.core.dice import Roll


class Steady:
    def __init__(self) -> None:
        self._steps = cycle((0, 1, 3))

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, min(die, die // 2 + next(self._steps)))

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...
