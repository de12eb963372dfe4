"""GM forms of every ruleset: reinforcements, undo, conditions, overrides and the end of the battle."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.urls import reverse
from django.utils.translation import gettext_lazy as _

from battles.field.forms import CommandForm
from battles.field.page import BattlePage
from battles.setup.queries import find_reserves
from core.clean_input import NAME_MAX
from core.text import render
from rules.core.errors import Refusal
from rules.core.text import NO_WORDS, Said
from rules.core.text import _ as term


class PlainForm(CommandForm):
    """Form of a command that is only a button."""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)

    def refused(self, refusal: Refusal) -> None:
        self.add_error(None, render(refusal.message))


class UndoForm(PlainForm):
    """Undoes the last command, or all commands after the event `to`."""

    kind = "undo"
    to = forms.IntegerField(required=False, min_value=0, widget=forms.HiddenInput)


class ForwardForm(PlainForm):
    """Resolves phase after phase until something happens."""

    kind = "forward"


class ReinforceForm(CommandForm):
    """Adds an army to the battle. It is searched by its name, and by its kingdom's where several have that name."""

    kind = "reinforce"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.battle = page.battle
        sides = [(side.index, side.name) for side in page.sides]
        self.fields["army"] = forms.CharField(label=_("Army"), max_length=2 * NAME_MAX + 3, widget=self._search())
        self.fields["side"] = forms.TypedChoiceField(label=_("Side"), choices=sides, coerce=int)

    def _search(self) -> forms.TextInput:
        """Text field that offers names of reserves while one is typed."""
        return forms.TextInput(
            attrs={
                "type": "search",
                "list": "reserves",
                "autocomplete": "off",
                "hx-get": reverse("battles:reserves", args=[self.battle.pk]),
                "hx-trigger": "input changed delay:200ms",
                "hx-target": "#reserves",
                "hx-swap": "innerHTML",
                "hx-sync": "this:replace",
            }
        )

    def clean_army(self) -> str:
        found = find_reserves(self.battle, self.cleaned_data["army"])
        if not found:
            raise forms.ValidationError(_("No army with this name can join."))
        if len(found) > 1:
            raise forms.ValidationError(_("Several armies have this name: add the kingdom, as in “Raiders (Horde)”."))
        return found[0]


class StepForm(CommandForm):
    """Form that takes the whole GM's desk.

    `title`, what it is `about`, and `help`. `hidden`: further hidden fields. `drawn_by` and `sign`: icons of its title
    and of its button, which is labelled `submit`.
    """

    own_template = "battles/field/step.html"
    title: Said = NO_WORDS
    about: Said | str = ""
    what_is_set: Said = NO_WORDS
    help: Said = NO_WORDS
    hidden: tuple[tuple[str, str], ...] = ()
    drawn_by = sign = ""
    submit: Any = ""


class SettingForm(StepForm):
    """Sets a condition of the battle."""

    kind = "condition"
    submit = _("Set the condition")


class HandForm(StepForm):
    """Override by the GM: a figure, order or result, with a reason."""

    kind = "override"
    title = term("Override")
    sign, submit = "gm", _("Apply")


REASON_MAX = 200


def build_line_field(label: Any, **options: Any) -> forms.CharField:
    """Field for a reason of one line."""
    return forms.CharField(label=label, max_length=REASON_MAX, **options)


class EndForm(CommandForm):
    """Ends the battle, where the ruleset lets the GM do so."""

    kind = "end"
    reason = build_line_field(_("Reason for ending"))

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        sides = [("", _("nobody")), *((side.index, side.name) for side in page.sides)]
        self.fields["winner"] = forms.TypedChoiceField(
            label=_("Winner"), choices=sides, coerce=int, required=False, empty_value=None
        )


class HeldForm(CommandForm):
    """Lifts a condition in force. `index`: its place in `state.conditions`, as the sender saw it."""

    kind = "lift"
    index = forms.IntegerField(min_value=0, widget=forms.HiddenInput)

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.conditions = page.state.conditions

    @property
    def held(self) -> Any:
        return self.conditions[min(self.cleaned_data["index"], len(self.conditions) - 1)]

    def clean_index(self) -> int:
        index = self.cleaned_data["index"]
        if index >= len(self.conditions):
            raise forms.ValidationError(_("This condition has already ended."))
        return index


def fresh(known: Mapping[str, Any], page: BattlePage) -> dict[str, CommandForm]:
    """Fresh forms of the GM's desk: those whose commands are legal now, and the one in use.

    A form with a template of its own takes the desk only once its first step, what it is about, is taken.
    """
    allowed = (*(page.tray.commands if page.tray else ()), page.look.doing)
    wanted = (kind for kind in known if kind in allowed and (not known[kind].own_template or page.look.doing == kind))
    return {kind: known[kind](page) for kind in wanted}


FORMS: dict[str, Any] = {"undo": UndoForm, "forward": ForwardForm, "reinforce": ReinforceForm}
