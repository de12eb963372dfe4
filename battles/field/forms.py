"""Forms of commands: plain ones, forms with dice, forms declared by a ruleset, and answers to pending questions."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any, NamedTuple

from django import forms
from django.http import QueryDict
from django.utils.html import format_html
from django.utils.translation import gettext as _

from battles.codec.requests import read_command
from battles.models import Battle
from battles.setup.queries import find_dice_words
from core.clean_input import parse_whole
from core.shapes.forms import CatalogueChoices, ShapeForm, add_refusal
from core.text import render
from kingdom.dice_fields import ASKED, DiceFields
from kingdom.templatetags.glyphs import glyph
from rules.core.dice import Roll
from rules.core.errors import Refusal
from rules.core.shapes import DeclaredShape
from rules.core.text import Term
from rules.law import AskedField, DieSide, Pending
from rules.pending import DIE


class CommandForm(forms.Form):
    """Base of the command forms. `kind`: the command's type in the API, unless `command_type` is set. Refusals are
    shown beside the field they are about.
    """

    kind = command_type = ""
    own_template = ""  # template of a form that takes the whole GM's desk
    concerns = ""  # id of the army it is about, for forms that a page has many of

    def __init__(self, version: int, data: QueryDict | None = None, *, auto_id: str = "", **options: Any):
        super().__init__(data, auto_id=auto_id or f"{self.kind}-%s", label_suffix="", **options)
        self.version = version

    @property
    def seen(self) -> int:
        """The battle's version that the sender saw; 0, which is never current, where it is missing."""
        return parse_whole(self.data.get("version")) or 0

    def members(self) -> dict[str, Any]:
        """Members of the command, as the ruleset's reader takes them."""
        return self.cleaned_data

    def command_for(self, battle: Battle) -> Any:
        """The command that the form makes for this battle. Raises `InvalidInput`."""
        members = self.members()
        return read_command(self.command_type or self.kind, members, battle)

    def refused(self, refusal: Refusal) -> None:
        for pointer, message in refusal.errors:
            name = pointer.strip("/").split("/")[0]
            self.add_error(name if name in self.fields else None, render(message))


# Form of a command with dice, which the server rolls or people type. The secret behind the server's dice stays in the
# session (`battles.play.dice_session`).


class DiceWords(NamedTuple):
    """Names of the rolls, and the sides of the dice that bear no numbers."""

    rolls: Mapping[str, Term]
    sides: Mapping[str, tuple[DieSide, ...]]


def dice_words(battle: Battle) -> DiceWords:
    return DiceWords(*find_dice_words(battle))


class DiceForm(DiceFields, CommandForm):
    """Form of any command that needs dice. `by_hand`: whether its user types their dice, where the form itself does not
    say.
    """

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


# Form of a command that its ruleset declares.


class DeclaredCommandForm(CommandForm):
    """Fields of a command's declared shape. They validate nothing: the reader's refusals are shown beside the
    fields.
    """

    def __init__(
        self,
        kind: str,
        shape: DeclaredShape,
        version: int,
        data: QueryDict | None = None,
        *,
        offers: CatalogueChoices | None = None,
        initial: dict[str, Any] | None = None,
    ):
        self.kind, self._shape = kind, ShapeForm(shape, offers)
        begun = initial or {}
        super().__init__(version, data, initial=self._shape.flat("", begun))
        self.fields.update(self._shape.fields("", self._shape.posted(data, "") if data is not None else begun))

    def members(self) -> dict[str, Any]:
        sent = self.data if isinstance(self.data, QueryDict) else QueryDict()
        return self._shape.posted(sent, "")

    def refused(self, refusal: Refusal) -> None:
        add_refusal(self, refusal)


# Forms that answer a pending question: with a choice, a hex, a whole number, or a die to reroll.


ANSWER = "answer"
LIE = ""  # option for no die
PREFIX = "answer"


class AnswerForm(DiceForm):
    """Answer to one pending question, with the fields that the ruleset asks for; a choice is a button (`choice`).

    Boards find the hexes that can be chosen in the options of a field with `data-hexes`.
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
        """The fields to draw."""
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
                choices = [*self._dice(asked.dice), (LIE, _("Reroll none"))]
                return forms.ChoiceField(
                    label=label, choices=choices, required=False, initial=LIE, widget=forms.RadioSelect
                )

    def _dice(self, dice: Iterable[Roll]) -> list[tuple[str, str]]:
        """Options of the dice: index, and what the die shows. A symbol is labelled by the die's number, a number by the
        roll's name.
        """
        return [(str(index), self._shown(roll, index + 1)) for index, roll in enumerate(dice)]

    def _shown(self, roll: Roll, number: int) -> str:
        sides: tuple[DieSide, ...] = self.die_sides.get(roll.name, ())
        if not sides:
            return _("%(roll)s: %(face)s") % {"roll": render(self._name(roll.name)), "face": roll.value}
        side = sides[roll.value - 1]
        drawing = glyph(side.glyph, f"face-glyph {side.slug}") if side.glyph else ""
        return format_html("{}. {} {}", number, drawing, render(side.name))

    def members(self) -> dict[str, Any]:
        data = self.cleaned_data
        asks = self.pending.asks if self.pending else ()
        answers = {asked.key: _given(asked, data[name_of(asked)]) for asked in asks}
        told = {"key": data["key"]}
        return told | ({"choice": data["choice"]} if data["choice"] else {}) | ({"answers": answers} if answers else {})

    def refused(self, refusal: Refusal) -> None:
        """Adds the refusal's messages to the fields they are about."""
        for pointer, message in refusal.errors:
            name = f"{PREFIX}-{pointer.removeprefix('/answers/')}"
            self.add_error(name if name in self.fields else None, render(message))


def name_of(asked: AskedField) -> str:
    """Name of the form field of a question, which clashes with none of the frame's own."""
    return f"{PREFIX}-{asked.key}"


def options_of(asked: AskedField) -> list[tuple[str, str]]:
    return [(slug, render(label)) for slug, label in asked.options]


def _given(asked: AskedField, value: Any) -> str | int | None:
    if asked.kind == DIE:
        return int(value) if value != LIE else None
    return value


def pending_called(pending: Iterable[Pending], key: str) -> Pending | None:
    return next((one for one in pending if one.key == key), None)
