"""The dice of a phase: rolled by the server, or typed by the table, step by step.

A die is described as "army|roll|die". What was typed (or left empty, for the server to roll) in earlier steps
travels along in hidden fields of the same names, so the page needs no memory but the secret behind the rolled
ones, which stays in the session.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

from django.http import QueryDict
from django.utils.translation import gettext as _

from battles.forms.base import CommandForm
from kingdom.text import render
from rules.dice import Ask, TypedDie
from rules.errors import Refusal
from rules.text import Term
from rules.text import _ as term

ROLLED, ASKED = "rolled", "asked"
MOST_DICE = 400
ROLL_NAMES: Mapping[str, Term] = {
    "ambush": term("ambush"),
    "tactic": term("changes tactic"),
    "strategy": term("changes strategy"),
    "taunt": term("resists the taunt"),
    "withdraw": term("withdrawal"),
    "attack": term("attacks"),
    "extra": term("extra damage"),
    "siege": term("siege engine"),
    "siegebreaker": term("breaks an engine"),
    "fear": term("resists fear"),
    "bleed": term("bleeds"),
    "rout": term("rout check"),
    "rout-reroll": term("rout check, again"),
    "parting": term("parting shot"),
    "loyalty-tactic": term("Loyalty: a tactic"),
    "loyalty-boon": term("Loyalty: a boon"),
    "commander-fate": term("the commander’s fate"),
}


@dataclass
class DieField:
    """One die on the page: whose, for what, and what was typed so far."""

    army: str
    roll: str
    die: int
    typed: str = ""
    error: str = ""
    who: str = ""

    @property
    def key(self) -> str:
        return f"{self.army}|{self.roll}|{self.die}"

    @property
    def label(self) -> str:
        return render(ROLL_NAMES.get(self.roll, Term(self.roll)))

    def read(self) -> int | None:
        """The face typed, or None when the die is left to the server. Notes an error when it has no such face."""
        if not self.typed:
            return None
        if self.typed.isdecimal() and len(self.typed) < 4 and 1 <= int(self.typed) <= self.die:
            return int(self.typed)
        self.error = _("A d%(die)s shows 1 to %(die)s.") % {"die": self.die}
        return None


class DiceForm(CommandForm):
    """Resolves the phase, or ends the setup: whatever needs dice. `how`: all rolled, or asked for."""

    def __init__(self, kind: str, version: int, data: QueryDict | None = None, **names: str):
        self.kind = kind
        super().__init__(version, data, auto_id=f"{kind}-%s")
        self.dice = _dice_of(data) if data is not None else []
        self.asked: list[DieField] = []

    @property
    def ask(self) -> bool:
        return self.data.get("how") == ASKED

    def clean(self) -> None:
        faces = [die.read() for die in self.dice]
        if any(die.error for die in self.dice):
            self.asked = [die for die in self.dice if die.error]
            self.dice = [die for die in self.dice if not die.error]
            self.add_error(None, _("These dice have no such face."))
        self.faces = faces

    def typed(self) -> tuple[TypedDie, ...]:
        """The dice known so far, in the order they were asked for."""
        return tuple(TypedDie(die.army, die.roll, (die.read(),)) for die in self.dice)

    def ask_for(self, asks: Iterable[Ask], names: Mapping[str, str]) -> None:
        self.asked = [DieField(ask.army, ask.name, ask.die, who=names.get(ask.army, "")) for ask in asks]

    def to_json(self) -> dict[str, Any]:
        return {"type": self.kind}

    def refused(self, refusal: Refusal) -> None:
        self.add_error(None, render(refusal.message))


def _dice_of(data: QueryDict) -> list[DieField]:
    keys, typed = data.getlist("die")[:MOST_DICE], data.getlist("face")[:MOST_DICE]
    found = (_die_of(key, face.strip()) for key, face in zip(keys, typed, strict=False))
    return [die for die in found if die is not None]


def _die_of(key: str, face: str) -> DieField | None:
    army, roll, die = (*key.split("|"), "", "")[:3]
    known = roll in ROLL_NAMES and die.isdecimal() and len(die) < 4 and int(die) > 0
    return DieField(army, roll, int(die), face) if known else None
