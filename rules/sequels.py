"""Consequences of a battle: changes of the world, remarks with their dice, questions to people, and fates of
commanders.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol

from rules.core.breakdown import Breakdown
from rules.core.dice import Roll
from rules.core.text import Said, Term, _


class Band(NamedTuple):
    """Part of a scale: its name, the highest face on it, and its `tone` for whoever rolls ("good", "warn", "bad" or
    "").
    """

    name: Said
    most: int
    tone: str = ""


@dataclass(frozen=True, slots=True)
class Remark:
    """Remark beside the changes. `about` is the id of the army, commander or kingdom concerned, "" for the battle as a
    whole. `sum` is added to the dice. `moment`: a fate is decided here; `scale` gives the meaning of its first die's
    faces, from 1 up.
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
    """Question that the rules leave to a person. `chosen` is the answer given, or the default.
    `about`: as in `Remark`.
    """

    key: str
    label: Said
    options: tuple[tuple[str, Said], ...]
    chosen: str | None
    about: str = ""


class PlainSequel(NamedTuple):
    """Plain `Sequel`."""

    changes: Sequence[Any]
    notes: Sequence[Remark] = ()
    questions: Sequence[Question] = ()
    rolls: Sequence[Roll] = ()


class Sequel(Protocol):
    """Protocol of what a battle does to the world: changes, notes, open questions and the dice behind them."""

    @property
    def changes(self) -> Sequence[Any]: ...
    @property
    def notes(self) -> Sequence[Remark]: ...
    @property
    def questions(self) -> Sequence[Question]: ...
    @property
    def rolls(self) -> Sequence[Roll]: ...


# Fates of commanders lost in a battle, rolled on d100.


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
    """Return the fate for this face of a d100: a slug of `FATES`."""
    return next(fate for fate, band in FATE_SCALE.items() if face <= band.most)
