"""Forms that answer what a command left open: a choice, a hex, a whole number, a die to throw again."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext as _

from battles.field.dice_forms import DiceForm, DiceWords
from core.text import render
from rules.core.dice import Roll
from rules.core.errors import Refusal
from rules.law import AskedField, DieSide, Pending
from rules.pending import DIE

ANSWER = "answer"
LIE = ""  # what stands for no die
PREFIX = "answer"


class AnswerForm(DiceForm):
    """The answer to one question. Its fields are those the law asks for; a choice is a button (`choice`).

    Boards find the hexes that can be picked in the options of a field with `data-hexes`.
    """

    key = forms.CharField(required=False, widget=forms.HiddenInput)
    choice = forms.CharField(required=False, widget=forms.HiddenInput)

    def __init__(
        self, version: int, dice: DiceWords, pending: Pending | None, data: QueryDict | None = None, *, prefix: str = ""
    ):
        self.pending = pending
        super().__init__(ANSWER, version, dice, data)
        self.auto_id = f"{prefix or ANSWER}-%s"
        self.fields["key"].initial = pending.key if pending else ""
        for asked in pending.asks if pending else ():
            self.fields[name_of(asked)] = self._field(asked)

    @property
    def asks(self) -> list[Any]:
        """The fields that are drawn."""
        return [self[name_of(asked)] for asked in self.pending.asks] if self.pending else []

    def _field(self, asked: AskedField) -> forms.Field:
        label = render(asked.label)
        match asked.kind:
            case "choice":
                return forms.ChoiceField(label=label, choices=options_of(asked), widget=forms.RadioSelect)
            case "hex":
                widget = forms.Select(attrs={"data-hexes": asked.key})
                return forms.ChoiceField(label=label, choices=options_of(asked), widget=widget)
            case "number":
                return forms.IntegerField(label=label, min_value=asked.low, max_value=asked.high, initial=asked.low)
            case "die":
                choices = [*self._dice(asked.dice), (LIE, _("Let them lie"))]
                return forms.ChoiceField(
                    label=label, choices=choices, required=False, initial=LIE, widget=forms.RadioSelect
                )

    def _dice(self, dice: Iterable[Roll]) -> list[tuple[str, str]]:
        """Each die by its index, with what it is for and what it shows."""
        return [(str(index), f"{render(self._name(roll.name))}: {self._face(roll)}") for index, roll in enumerate(dice)]

    def _face(self, roll: Roll) -> str:
        sides: tuple[DieSide, ...] = self.die_sides.get(roll.name, ())
        return render(sides[roll.value - 1].name) if sides else str(roll.value)

    def members(self) -> dict[str, Any]:
        data = self.cleaned_data
        asks = self.pending.asks if self.pending else ()
        answers = {asked.key: _given(asked, data[name_of(asked)]) for asked in asks}
        told = {"key": data["key"]}
        return told | ({"choice": data["choice"]} if data["choice"] else {}) | ({"answers": answers} if answers else {})

    def refused(self, refusal: Refusal) -> None:
        """Beside the field it is about."""
        for pointer, message in refusal.errors:
            name = f"{PREFIX}-{pointer.removeprefix('/answers/')}"
            self.add_error(name if name in self.fields else None, render(message))


def name_of(asked: AskedField) -> str:
    """The name of its field: none of the frame's own."""
    return f"{PREFIX}-{asked.key}"


def options_of(asked: AskedField) -> list[tuple[str, str]]:
    return [(slug, render(label)) for slug, label in asked.options]


def _given(asked: AskedField, value: Any) -> str | int | None:
    if asked.kind == DIE:
        return int(value) if value != LIE else None
    return value


def pending_called(pending: Iterable[Pending], key: str) -> Pending | None:
    return next((one for one in pending if one.key == key), None)
