"""Form of the GM's answers to what the aftermath leaves open."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict

from battles.field.forms import DiceForm, dice_words
from battles.models import Battle
from core.text import render
from rules.core.errors import Refusal
from rules.law import Question

STEM = "choice-"


class AnswerField(forms.ChoiceField):
    """What was not asked when the form was sent shows what holds meanwhile."""

    def bound_data(self, data: Any, initial: Any) -> Any:
        return initial if data is None else super().bound_data(data, initial)


class AftermathForm(DiceForm):
    """Choices are read as they come (the rules know which are asked for); `draw` makes their selects."""

    def __init__(
        self,
        battle: Battle,
        data: QueryDict | None = None,
        *,
        by_hand: bool = False,
        before: Mapping[str, str] | None = None,
    ):
        """`before`: what was chosen once, for a form that nothing was sent with."""
        self.about: dict[str, str] = {}
        self.before = dict(before or {})
        super().__init__("aftermath", battle.version, dice_words(battle), data, by_hand=by_hand)

    @property
    def confirmed(self) -> bool:
        return self.data.get("do") == "confirm"

    @property
    def throws_again(self) -> bool:
        return self.data.get("do") == "reroll"

    def choices(self) -> dict[str, str]:
        """What was chosen: an empty answer is an answer ("nothing"), and is left to the default."""
        if not self.is_bound:
            return self.before
        return {name.removeprefix(STEM): value for name, value in self.data.items() if name.startswith(STEM)}

    def leave_aside(self, keys: Iterable[str]) -> bool:
        """Whether any of these was among what was chosen once."""
        gone = [key for key in keys if key in self.before]
        for key in gone:
            del self.before[key]
        return bool(gone)

    def draw(self, questions: Iterable[Question]) -> None:
        for question in questions:
            self.about[STEM + question.key] = question.about
            options = [(slug, render(label)) for slug, label in question.options]
            self.fields[STEM + question.key] = AnswerField(
                label=render(question.label), choices=options, initial=question.chosen or "", required=False
            )

    @property
    def questions(self) -> list[forms.BoundField]:
        return [self[name] for name in self._stems]

    @property
    def open_questions(self) -> int:
        """How many choices nobody has made yet: what was sent is chosen, and one option is no choice."""
        made = self.data if self.is_bound else {STEM + key for key in self.before}
        return sum(name not in made and len(self.fields[name].choices) > 1 for name in self._stems)  # type: ignore[attr-defined]

    @property
    def _stems(self) -> list[str]:
        return [name for name in self.fields if name.startswith(STEM)]

    @property
    def asks(self) -> list[tuple[str, forms.BoundField]]:
        """The choices, each with whom it is about."""
        return [(self.about[field.name], field) for field in self.questions]

    def refused(self, refusal: Refusal) -> None:
        for _pointer, message in refusal.errors:
            self.add_error(None, render(message))
