"""Sequels of a battle, as a law says them: changes of the world, remarks with their dice, what people decide, fates."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.core.text import Said, Term, _


class Band(NamedTuple):
    """A part of a scale: its name, the highest face that still lies on it, and whether that is "good", "warn", "bad"
    or neither ("") for whom the die is thrown.
    """

    name: Said
    most: int
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """Something to know beside the changes.

    `about`: the id of the army, commander or kingdom it is told of, "" for the battle as a whole. `sum`: what is added
    to the dice. `moment`: a fate is decided here; `scale`: what the faces of its first die mean, from 1 up.
    """

    text: Said
    rule: str
    rolls: tuple[Roll, ...] = ()
    sum: Breakdown | None = None
    about: str = ""
    moment: bool = False
    scale: tuple[Band, ...] = ()


@dataclass(frozen=True, slots=True)
class Question:
    """Something the rules leave to a person. `chosen`: the answer given, or the default. `about`: as of a remark."""

    key: str
    label: Said
    options: tuple[tuple[str, Said], ...]
    chosen: str | None
    about: str = ""


class PlainSequel(NamedTuple):
    """`Sequel` as it is."""

    changes: Sequence[Any]
    notes: Sequence[Remark] = ()
    questions: Sequence[Question] = ()
    rolls: Sequence[Roll] = ()


class Sequel(Protocol):
    """What a battle would do to the world: changes, notes, questions left to a person, and the dice behind it."""

    @property
    def changes(self) -> Sequence[Any]: ...
    @property
    def notes(self) -> Sequence[Remark]: ...
    @property
    def questions(self) -> Sequence[Question]: ...
    @property
    def rolls(self) -> Sequence[Roll]: ...


# Fate of commanders who are lost in a battle, by a die of a hundred sides.


FATE_ROLL, FATE_DIE = "commander-fate", 100
FATES: Mapping[str, Term] = {
    "killed": _("{commander} is killed."),
    "captured": _("{commander} is captured."),
    "escapes": _("{commander} escapes."),
}
FATE_SCALE: Mapping[str, Band] = {
    "killed": Band(_("killed"), 20, "bad"),
    "captured": Band(_("captured"), 70, "warn"),
    "escapes": Band(_("escapes"), 100, "good"),
}


def fate_of(face: int) -> str:
    """What becomes of who threw this."""
    return next(fate for fate, band in FATE_SCALE.items() if face <= band.most)
