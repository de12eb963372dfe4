"""Stored dice: rolled before, they show the same faces when they are asked for again.

What is taken back and decided anew, with other choices, takes up the dice on the table first. Those it does not need
stay aside; only for one that never fell is another source asked.
"""

from __future__ import annotations

from collections.abc import Iterable

from rules.core.dice import Dice, Roll, TypedDie, further
from rules.core.errors import require
from rules.core.text import _

type Whose = tuple[str, str]  # army, roll


def by_name(rolls: Iterable[Roll]) -> dict[Whose, list[Roll]]:
    """Dice by whose they are and what for, in the order they fell."""
    found: dict[Whose, list[Roll]] = {}
    for roll in rolls:
        found.setdefault((roll.army, roll.name), []).append(roll)
    return found


class StoredDice:
    """A source of dice that gives out those that lie first. `taken`: which of them were needed."""

    def __init__(self, lying: Iterable[Roll], then: Dice):
        self._lying = by_name(lying)
        self._then = then
        self.taken: list[Roll] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        return self._lie(army, name) or self._then.roll(army, name, die)

    def again(self, before: Roll) -> Roll:
        return self._lie(before.army, before.name) or further(self._then, before)

    def _lie(self, army: str, name: str) -> Roll | None:
        if not (lying := self._lying.get((army, name))):
            return None
        self.taken.append(lying.pop(0))
        return self.taken[-1]

    def checkpoint(self) -> None:
        self._then.checkpoint()

    def finish(self) -> None:
        self._then.finish()


def still_to_fall(typed: Iterable[TypedDie], lying: Iterable[Roll]) -> tuple[TypedDie, ...]:
    """The typed dice that do not lie yet. Raises `IllegalCommand` for a face that differs from the one that lies."""
    left = by_name(lying)
    found = []
    for die in typed:
        queue = left.get((die.army, die.name), [])
        for number, (value, roll) in enumerate(zip(die.values, queue, strict=False)):
            require(
                value in (None, roll.value),
                _("This die has fallen already and shows {value}. Throw the dice of the aftermath again, or leave it."),
                field=die.place(number),
                value=roll.value,
            )
        left[die.army, die.name] = queue[len(die.values) :]
        lie = min(len(queue), len(die.values))
        found.append(die._replace(values=die.values[lie:], first=die.first + lie if die.at else 0))
    return tuple(die for die in found if die.values)
