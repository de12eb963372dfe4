"""The GM's answers to what the aftermath leaves open."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict

from battles.forms.dice import DiceForm, dice_words
from battles.models import Battle
from kingdom.text import render
from rules.errors import Refusal

STEM = "choice-"


class AftermathForm(DiceForm):
    """Choices are read as they come (the rules know which are asked for); `draw` makes their selects."""

    def __init__(self, battle: Battle, data: QueryDict | None = None, *, by_hand: bool = False):
        super().__init__("aftermath", battle.version, dice_words(battle), data, by_hand=by_hand)

    @property
    def confirmed(self) -> bool:
        return self.data.get("do") == "confirm"

    @property
    def throws_again(self) -> bool:
        return self.data.get("do") == "reroll"

    def choices(self) -> dict[str, str]:
        """What was chosen: an empty answer is an answer ("nothing"), and is left to the default."""
        return {name.removeprefix(STEM): value for name, value in self.data.items() if name.startswith(STEM)}

    def draw(self, questions: Iterable[Any]) -> None:
        for question in questions:
            options = [(slug, render(label)) for slug, label in question.options]
            self.fields[STEM + question.key] = forms.ChoiceField(
                label=render(question.label), choices=options, initial=question.chosen or "", required=False
            )

    @property
    def questions(self) -> list[forms.BoundField]:
        return [self[name] for name in self.fields if name.startswith(STEM)]

    def refused(self, refusal: Refusal) -> None:
        for _pointer, message in refusal.errors:
            self.add_error(None, render(message))
