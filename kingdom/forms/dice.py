"""Dice typed at the table, step by step, on any page that asks for them.

A die is described as "whose|roll|die". What was typed (or left empty, for the server to roll) in earlier steps
travels along in hidden fields of the same names, so the page needs no memory of its own.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from kingdom.inputs import whole_in
from kingdom.text import render
from rules.dice import Ask, TypedDie
from rules.law import DieSide
from rules.text import Term


@dataclass
class DieField:
    """One die on the page: whose, for what, and what was typed so far."""

    subject: str
    roll: str
    die: int
    name: Term
    typed: str = ""
    who: str = ""
    error: str = ""
    sides: tuple[DieSide, ...] = ()

    @property
    def key(self) -> str:
        return f"{self.subject}|{self.roll}|{self.die}"

    @property
    def label(self) -> str:
        return render(self.name)

    def read(self) -> int | None:
        """The face typed, or None when the die is left to the server. Notes an error when it has no such face."""
        if not self.typed:
            return None
        if self.sides:
            return self._read_side()
        if face := whole_in(self.typed, self.die):
            return face
        self.error = _("A d%(die)s shows 1 to %(die)s.") % {"die": self.die}
        return None

    def _read_side(self) -> int | None:
        for face, side in enumerate(self.sides, start=1):
            if side.slug == self.typed:
                return face
        self.error = _("Choose one of its sides.")
        return None


class DiceFields:
    """For a form: the dice typed so far (`dice`), and those it asks for now (`asked`).

    `rolls` names every roll; `die_sides`: the sides of those that bear no numbers.
    """

    rolls: Mapping[str, Term] = {}
    die_sides: Mapping[str, tuple[DieSide, ...]] = {}
    most_dice = 400
    add_error: Any

    def take_dice(self, data: QueryDict | None) -> None:
        self.asked: list[DieField] = []
        faces = [] if data is None else zip(data.getlist("die"), data.getlist("face"), strict=False)
        found = [self._die_of(key, face.strip()) for key, face in list(faces)[: self.most_dice]]
        self.dice = [die for die in found if die is not None]

    def check_faces(self) -> None:
        """Asks again for the dice that have no such face."""
        for die in self.dice:
            die.read()
        if any(die.error for die in self.dice):
            self.asked = [die for die in self.dice if die.error]
            self.dice = [die for die in self.dice if not die.error]
            self.add_error(None, _("These dice have no such face."))

    def typed(self) -> tuple[TypedDie, ...]:
        """The dice known so far, in the order they were asked for."""
        return tuple(TypedDie(die.subject, die.roll, (die.read(),)) for die in self.dice)

    def ask_for(self, asks: Iterable[Ask], names: Mapping[str, str]) -> None:
        self.asked = [replace(self._die(ask.army, ask.name, ask.die), who=names.get(ask.army, "")) for ask in asks]

    def _die_of(self, key: str, face: str) -> DieField | None:
        subject, roll, sides = (*key.split("|"), "", "")[:3]
        die = whole_in(sides, most=999)
        return replace(self._die(subject, roll, die), typed=face) if die and roll in self.rolls else None

    def _die(self, subject: str, roll: str, die: int) -> DieField:
        return DieField(subject, roll, die, self._name(roll), sides=self.die_sides.get(roll, ()))

    def _name(self, roll: str) -> Term:
        return self.rolls.get(roll, Term(roll))
