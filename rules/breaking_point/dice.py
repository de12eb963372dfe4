"""Dice of this law: the open d10 (B-1), and the effects of margins."""

from __future__ import annotations

from collections.abc import Sequence

from rules.core.dice import Dice, Roll, further
from rules.core.text import Message, Said, _, say

# Open d10 (B-1), asked for face by face.

DIE = 10
WOUND_DIE = 3
MOST_FACES = 5
RUNS_ON = (1, DIE)
MEAN = 5.5
"""Mean of the open die, equal to the plain one's: it gains by a 10 as much as it loses by a 1."""


def value_of(faces: Sequence[int], *, plain: bool = False) -> int:
    """Return the value of an open die's faces (B-1): after a first 10 the following are added, after a first 1
    subtracted. `value_of((10, 4)) == 14`.
    """
    first, further = faces[0], sum(faces[1:])
    if plain:
        return first
    return first - further if first == 1 else first + further


def runs_on(faces: Sequence[int], *, plain: bool = False) -> bool:
    """Whether these faces require another one (B-1)."""
    if plain or len(faces) >= MOST_FACES:
        return False
    return faces[0] in RUNS_ON if len(faces) == 1 else faces[-1] == DIE


def throw(dice: Dice, owner: str, name: str, *, plain: bool = False) -> tuple[Roll, ...]:
    """Roll one open die. Returns its faces in order.

    A face still to be typed requires no further one. If the server rolled the first face, it rolls all.
    """
    first = dice.roll(owner, name, DIE)
    if plain or first.value not in RUNS_ON or not first.known:
        return (first,)
    rolls = [first]
    while rolls[-1].known and runs_on([roll.value for roll in rolls], plain=plain):
        rolls.append(further(dice, rolls[-1]))
    return tuple(rolls)


def worth(rolls: Sequence[Roll], *, plain: bool = False) -> int:
    """Return the value of a rolled die."""
    return rolls[0].value if len(rolls) == 1 else value_of([roll.value for roll in rolls], plain=plain)


# Needs of an open die that is still to be typed (B-1).

ANY, NONE = _("any roll succeeds"), _("no roll succeeds")
FROM, UP_TO = _("{face}+ succeeds"), _("{face} or less succeeds")
TEN = _("only a 10 followed by {more}+ succeeds")
TEN_OFF = _("9 or less succeeds, and a 10 if the dice after it subtract at most {most}")
ONE = _("2+ succeeds, and a 1 if the dice after it subtract at most {most}")
AGAINST = _("{target}, {bonus:+} against {difficulty}: {enough}")
GOES_ON = _("{target}, {bonus:+} against {difficulty}, {value} so far: {enough}")


def need_of(target: Said | str, rolls: Sequence[Roll], score: int, difficulty: int, *, plain: bool = False) -> Message:
    """Return the target of a die that is still to be typed, in words. `score` was computed with a placeholder face."""
    faces = known(rolls)
    bonus = score - worth(rolls, plain=plain)
    told: dict[str, object] = {"target": target, "bonus": bonus, "difficulty": difficulty}
    told["enough"] = enough(difficulty - bonus, faces, plain=plain)
    return say(GOES_ON, **told, value=value_of(faces)) if faces else say(AGAINST, **told)


def known(rolls: Sequence[Roll]) -> tuple[int, ...]:
    """Return the faces of a die that have been typed."""
    return tuple(roll.value for roll in rolls if roll.known)


def enough(least: int, faces: Sequence[int] = (), *, plain: bool = False) -> Said:
    """Return, in words, the next face needed to bring the whole die to at least `least`. `faces` are those already
    rolled.
    """
    if plain:
        return _more(least, 1)
    if not faces:
        return _first(least)
    left, so_far = MOST_FACES - len(faces), value_of(faces)
    return _less(so_far - least, left) if faces[0] == 1 else _more(least - so_far, left)


def _first(least: int) -> Said:
    most = 1 - least  # most that may be subtracted from a 1
    if most < 0:
        return _more(least, MOST_FACES)
    if not most:
        return say(FROM, face=2)
    return ANY if most >= DIE * (MOST_FACES - 1) else say(ONE, most=most)


def _more(least: int, left: int) -> Said:
    """Return the need of the next of `left` faces in words. Faces are added while tens come up."""
    if least <= 1:
        return ANY
    if least <= DIE or (least == DIE + 1 and left > 1):  # no face follows the last one, even after a 10
        return say(FROM, face=min(least, DIE))
    return say(TEN, more=least - DIE) if least <= DIE * left else NONE


def _less(most: int, left: int) -> Said:
    """Return the need of the next of `left` faces in words. Faces are subtracted while tens come up."""
    if most < 1:
        return NONE
    if most >= DIE * left:
        return ANY
    return say(UP_TO, face=min(most, DIE - 1)) if most <= DIE else say(TEN_OFF, most=most - DIE)


# Effects of a characteristic, a ratio of powers and a margin, in battles and sieges.

AVERAGE = 5  # characteristic with modifier 0 (B-14)
RATIOS = ((5, 1, 5), (4, 1, 4), (3, 1, 3), (2, 1, 2), (3, 2, 1))
"""Ratios of numbers from the highest to the lowest: (ours, theirs, bonus)."""


def modifier(characteristic: int) -> int:
    """Return the modifier of MENTAL, PRESENCE and the like (B-14)."""
    return characteristic - AVERAGE


def ratio_bonus(ours: int, theirs: int) -> int:
    """Return the bonus of the highest ratio reached; the highest of all against nothing (BP-4.5, B-29). 0 without
    power.
    """
    if not ours:
        return 0
    for many, few, bonus in RATIOS:
        if ours * few >= theirs * many:
            return bonus
    return 0


def percent_lost(margin: int) -> int:
    """Return the percentage of the power lost by a margin of success: 10 %, and 10 % more for every
    2 points (BP-4.6).
    """
    return 10 + 10 * (margin // 2)


def percent_rallied(margin: int) -> int:
    """Return the percentage of losses recovered by a rally's margin: 10 % for every 2 points, up to 100 %; 0 if
    negative (BP-4.11).
    """
    return min(100, 10 * (margin // 2)) if margin >= 0 else 0
