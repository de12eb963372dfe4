"""Dice form of a phase: rolled by the server, or typed by the table. The secret behind the rolled ones stays in the
session (`battles.play.dice_seed`).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.http import QueryDict

from battles.field.forms import CommandForm
from battles.models import Battle
from battles.setup.other_laws import find_dice_words
from core.text import render
from kingdom.dice_fields import ASKED, DiceFields
from rules.core.errors import Refusal
from rules.core.text import Term
from rules.law import DieSide


class DiceWords(NamedTuple):
    """What each kind of roll is called, and the sides of the dice that bear no numbers."""

    rolls: Mapping[str, Term]
    sides: Mapping[str, tuple[DieSide, ...]]


def dice_words(battle: Battle) -> DiceWords:
    return DiceWords(*find_dice_words(battle))


class DiceForm(DiceFields, CommandForm):
    """Whatever needs dice. `by_hand`: whether its user throws their own, where the form itself says nothing."""

    def __init__(
        self, kind: str, version: int, dice: DiceWords, data: QueryDict | None = None, *, by_hand: bool = False
    ):
        self.kind, self.usually_by_hand = kind, by_hand
        self.rolls, self.die_sides = dice
        super().__init__(version, data, auto_id=f"{kind}-%s")
        self.take_dice(data)

    @property
    def by_hand(self) -> bool:
        return self.usually_by_hand or self.data.get(self.settled_by) == ASKED

    def clean(self) -> None:
        self.check_faces()

    def members(self) -> dict[str, Any]:
        return {}

    def refused(self, refusal: Refusal) -> None:
        self.add_error(None, render(refusal.message))
