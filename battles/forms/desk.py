"""The commands of every law: armies that join, taking back, and answering what is pending."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.codec.members import SLUG_MAX
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


class AnswerForm(CommandForm):
    """Answers one of the things its sender has to answer. Whether it still is one, the law says."""

    kind = "answer"
    key = forms.CharField(max_length=SLUG_MAX)
    choice = forms.CharField(max_length=SLUG_MAX)

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)


FORMS: dict[str, Any] = {"undo": UndoForm, "reinforce": ReinforceForm, "answer": AnswerForm}
