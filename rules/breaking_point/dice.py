"""The law's dice: the ten-sided one that may run on (B-1), and what margins come to."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.dice import Dice, Roll, further
from rules.core.text import Message, Said, _, say

# The ten-sided die that may run on (B-1), and how it is asked for face by face.

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


# Needs of an open die: what it still has to show (B-1).

ANY, NONE = _("any die succeeds"), _("no die succeeds")
FROM, UP_TO = _("{face}+ succeeds"), _("{face} or less succeeds")
TEN = _("only a 10 followed by {more}+ succeeds")
TEN_OFF = _("9 or less succeeds, and a 10 if the dice after it subtract at most {most}")
ONE = _("2+ succeeds, and a 1 if the dice after it subtract at most {most}")
AGAINST = _("{target}, {bonus:+} against {difficulty}: {enough}")
GOES_ON = _("{target}, {bonus:+} against {difficulty}, {value} so far: {enough}")


def need_of(target: Said | str, rolls: Sequence[Roll], score: int, difficulty: int, *, plain: bool = False) -> Message:
    """Of a die that is still to be typed. `score`: as it was worked out, with a face that stands in for it."""
    faces = known(rolls)
    bonus = score - worth(rolls, plain=plain)
    told: dict[str, object] = {"target": target, "bonus": bonus, "difficulty": difficulty}
    told["enough"] = enough(difficulty - bonus, faces, plain=plain)
    return say(GOES_ON, **told, value=value_of(faces)) if faces else say(AGAINST, **told)


def known(rolls: Sequence[Roll]) -> tuple[int, ...]:
    """Faces of a die that have been typed."""
    return tuple(roll.value for roll in rolls if roll.known)


def enough(least: int, faces: Sequence[int] = (), *, plain: bool = False) -> Said:
    """What the next face has to be for the whole die to be worth so much. `faces`: those that have fallen."""
    if plain:
        return _more(least, 1)
    if not faces:
        return _first(least)
    left, so_far = MOST_FACES - len(faces), value_of(faces)
    return _less(so_far - least, left) if faces[0] == 1 else _more(least - so_far, left)


def _first(least: int) -> Said:
    most = 1 - least  # what may come off a 1
    if most < 0:
        return _more(least, MOST_FACES)
    if not most:
        return say(FROM, face=2)
    return ANY if most >= DIE * (MOST_FACES - 1) else say(ONE, most=most)


def _more(least: int, left: int) -> Said:
    """Of so many faces, which are added while tens fall."""
    if least <= 1:
        return ANY
    if least <= DIE or (least == DIE + 1 and left > 1):  # a 10 is never the last of them
        return say(FROM, face=min(least, DIE))
    return say(TEN, more=least - DIE) if least <= DIE * left else NONE


def _less(most: int, left: int) -> Said:
    """Of so many faces, which come off while tens fall."""
    if most < 1:
        return NONE
    if most >= DIE * left:
        return ANY
    return say(UP_TO, face=min(most, DIE - 1)) if most <= DIE else say(TEN_OFF, most=most - DIE)


# Margins: what a characteristic, a ratio of powers and a margin come to, the same in battles and in sieges.

AVERAGE = 5  # the characteristic whose modifier is 0 (B-14)
RATIOS = ((5, 1, 5), (4, 1, 4), (3, 1, 3), (2, 1, 2), (3, 2, 1))
"""Numbers, from highest to lowest: so much to so much, and what it adds (BP-4.5)."""


def modifier(characteristic: int) -> int:
    """Of MENTAL, PRESENCE and the like (B-14)."""
    return characteristic - AVERAGE


def ratio_bonus(ours: int, theirs: int) -> int:
    """The highest row reached; with nothing to set against it the highest of all (BP-4.5, B-29). 0 without power."""
    if not ours:
        return 0
    for many, few, bonus in RATIOS:
        if ours * few >= theirs * many:
            return bonus
    return 0


def percent_lost(margin: int) -> int:
    """Of the power, by the margin of success: 10 % and 10 % per 2 points (BP-4.6)."""
    return 10 + 10 * (margin // 2)


def percent_rallied(margin: int) -> int:
    """Of the losses, by the margin of a rally: 10 % per 2 points, all at most; below 0 none (BP-4.11)."""
    return min(100, 10 * (margin // 2)) if margin >= 0 else 0
