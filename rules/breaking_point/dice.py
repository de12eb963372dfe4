"""The law's dice: the ten-sided one that may run on (B-1), and how it is asked for face by face."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.dice import Dice, Roll, further

DIE = 10
WOUND_DIE = 3
MOST_FACES = 5
RUNS_ON = (1, DIE)
MEAN = 5.5
"""Of the open die as of the plain one: what it gains by running on it loses as often."""


def value_of(faces: Sequence[int], *, plain: bool = False) -> int:
    """What these faces are worth together (B-1): a first 10 adds what follows, a first 1 subtracts it."""
    first, further = faces[0], sum(faces[1:])
    if plain:
        return first
    return first - further if first == 1 else first + further


def runs_on(faces: Sequence[int], *, plain: bool = False) -> bool:
    """Whether these faces call for another one (B-1)."""
    if plain or len(faces) >= MOST_FACES:
        return False
    return faces[0] in RUNS_ON if len(faces) == 1 else faces[-1] == DIE


def throw(dice: Dice, owner: str, name: str, *, plain: bool = False) -> tuple[Roll, ...]:
    """One open die: its faces in the order they fell. A face still to be typed calls for no other, and
    after one that was left to the server all are.
    """
    first = dice.roll(owner, name, DIE)
    if plain or first.value not in RUNS_ON or not first.known:
        return (first,)
    rolls = [first]
    while rolls[-1].known and runs_on([roll.value for roll in rolls], plain=plain):
        rolls.append(further(dice, rolls[-1]))
    return tuple(rolls)


def worth(rolls: Sequence[Roll], *, plain: bool = False) -> int:
    """The value of a die as it was thrown."""
    return rolls[0].value if len(rolls) == 1 else value_of([roll.value for roll in rolls], plain=plain)
