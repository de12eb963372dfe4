"""The GM's commands that every law has: armies that join, and taking back."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.forms.base import CommandForm
from battles.selectors.pages.battle import BattlePage
from kingdom.text import render
from rules.errors import Refusal


class PlainForm(CommandForm):
    """A command that is only a button."""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)

    def refused(self, refusal: Refusal) -> None:
        self.add_error(None, render(refusal.message))


class UndoForm(PlainForm):
    kind = "undo"


class ReinforceForm(CommandForm):
    kind = "reinforce"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        reserves = page.tray.reserves if page.tray else ()
        sides = [(side.index, side.name) for side in page.sides]
        self.fields["army"] = forms.ChoiceField(label=_("Army"), choices=reserves)
        self.fields["side"] = forms.TypedChoiceField(label=_("Side"), choices=sides, coerce=int)


DESK: dict[str, Any] = {"undo": UndoForm, "reinforce": ReinforceForm}
