"""Needs of an open die: what it still has to show (B-1)."""

from __future__ import annotations

from collections.abc import Sequence

from rules.breaking_point.dice import DIE, MOST_FACES, value_of, worth
from rules.core.dice import Roll
from rules.core.text import Message, Said, _, say

ANY, NONE = _("any face is enough"), _("no face is enough")
FROM, UP_TO = _("{face} or more is enough"), _("{face} or less is enough")
TEN = _("only a 10, with {more} or more after it")
TEN_OFF = _("9 or less is enough, and a 10 unless more than {most} comes off after it")
ONE = _("2 or more is enough, and a 1 unless more than {most} comes off after it")
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
