"""Form of the GM's choices in an aftermath."""

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
    """Choice that shows its initial value if it was not in the submitted form."""

    def bound_data(self, data: Any, initial: Any) -> Any:
        return initial if data is None else super().bound_data(data, initial)


class AftermathForm(DiceForm):
    """The GM's choices, with dice. They are read from the data as they come, since only the rules know which are asked
    for; `draw` makes their select fields.
    """

    def __init__(
        self,
        battle: Battle,
        data: QueryDict | None = None,
        *,
        by_hand: bool = False,
        before: Mapping[str, str] | None = None,
    ):
        """`before`: the choices of an earlier confirmation, for a form without data."""
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
        """The chosen slugs by the question's key, "" ("nothing") included."""
        if not self.is_bound:
            return self.before
        return {name.removeprefix(STEM): value for name, value in self.data.items() if name.startswith(STEM)}

    def leave_aside(self, keys: Iterable[str]) -> bool:
        """Drops earlier choices with these keys. Returns whether there were any."""
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
        """Number of choices nobody has made yet; those with a single option do not count."""
        made = self.data if self.is_bound else {STEM + key for key in self.before}
        return sum(name not in made and len(self.fields[name].choices) > 1 for name in self._stems)  # type: ignore[attr-defined]

    @property
    def _stems(self) -> list[str]:
        return [name for name in self.fields if name.startswith(STEM)]

    @property
    def asks(self) -> list[tuple[str, forms.BoundField]]:
        """The fields, each with the id of whom it is about."""
        return [(self.about[field.name], field) for field in self.questions]

    def refused(self, refusal: Refusal) -> None:
        for _pointer, message in refusal.errors:
            self.add_error(None, render(message))
