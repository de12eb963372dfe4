"""Form of one order for a side or a selection: who gets it. A ruleset's UI adds what it is."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.field.forms import CommandForm
from battles.field.page import BattlePage
from battles.ruleset_ui import ArmyCard


class TogetherForm(CommandForm):
    """The armies its reader can order now, by side or one by one. A law adds its fields in `add_order`."""

    kind = "together"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.page = page
        self.mine = [card for card in page.cards if card.orderable]
        sides = [(str(side.index), side.name) for side in page.sides if any(c.orderable for c in side.cards)]
        self.fields["sides"] = _several(_("All armies of"), sides)
        self.fields["armies"] = _several(_("And these"), [(card.id, card.name) for card in self.mine])
        self.add_order()

    @abstractmethod
    def add_order(self) -> None:
        """The fields of the order, each empty where an army goes on as it is."""

    @abstractmethod
    def command(self, card: ArmyCard) -> Any:
        """The command of the law by which this army is ordered so."""

    def clean(self) -> dict[str, Any]:
        data = super().clean() or {}
        if not self.errors and not (data.get("sides") or data.get("armies")):
            self.add_error("armies", _("Choose a side or at least one army."))
        said = [name for name in data if name not in ("sides", "armies") and data[name]]
        if not self.errors and not said:
            self.add_error(None, _("Choose what they are to do."))
        return data

    def commands(self) -> Mapping[str, Any]:
        data = self.cleaned_data
        meant = [card for card in self.mine if str(card.side) in data["sides"] or card.id in data["armies"]]
        return {card.id: self.command(card) for card in meant}


def _several(label: Any, choices: list[tuple[str, str]]) -> forms.MultipleChoiceField:
    return forms.MultipleChoiceField(label=label, choices=choices, required=False, widget=forms.CheckboxSelectMultiple)
