"""GM forms of mass combat: conditions, overrides, interruption and end."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.field.forms import CommandForm
from battles.field.gm_forms import HandForm, HeldForm, PlainForm, SettingForm, build_line_field
from battles.field.page import BattlePage
from battles.pathfinder.setup.forms import HEROES
from battles.pathfinder.words import OVERRIDES
from core.text import render
from rules.pathfinder.battle.orders.commands import CHECKS, STATUSES
from rules.pathfinder.battle.telling.summary import STATUS_WORDS
from rules.pathfinder.catalogue.conditions import MARKS, MATERIALS, PART_KINDS, WIND_NAMES


def build_number_field(label: Any, **options: Any) -> forms.IntegerField:
    return forms.IntegerField(label=label, widget=forms.TextInput(attrs={"inputmode": "numeric"}), **options)


class ConditionForm(SettingForm):
    """Form to set one condition of the field or of some armies."""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        law = page.state.law
        slug = page.look.what if data is None else str(data.get("condition", ""))
        self.item = law.conditions.get(slug) or next(iter(law.conditions.values()))
        self.title, self.help, self.drawn_by = self.item.name, self.item.summary, self.item.slug
        self.hidden = (("condition", self.item.slug),)
        self._add_value(self.item.value)
        concerned = self.item.scope == "army"
        self.fields["armies"] = _armies(
            page, _("Armies affected") if concerned else _("Only these armies (none: the whole field)"), concerned
        )
        if not concerned:
            self.fields["except"] = _armies(page, _("Except for"), False)

    def _add_value(self, kind: str) -> None:
        match kind:
            case "wind":
                winds = [(slug, render(name)) for slug, name in WIND_NAMES.items()]
                self.fields["value"] = forms.ChoiceField(label=_("Force"), choices=winds)
            case "heroes":
                self.fields["value"] = forms.TypedChoiceField(label=_("Heroes"), choices=HEROES[1:], coerce=int)
            case "defense":
                self.fields["value"] = build_number_field(
                    _("Defense"), required=False, help_text=_("Leave empty for +8.")
                )
                kinds = [(slug, render(item.name)) for slug, item in PART_KINDS.items()]
                stuff = [(slug, render(item.name)) for slug, item in MATERIALS.items()]
                self.fields["part"] = forms.ChoiceField(label=_("Part"), choices=kinds, initial="wall")
                self.fields["material"] = forms.ChoiceField(label=_("Material"), choices=stuff)

    def members(self) -> dict[str, Any]:
        data = self.cleaned_data
        told: dict[str, Any] = {"condition": self.item.slug, "armies": data["armies"]}
        told["except"] = data.get("except", [])
        if data.get("value") not in (None, ""):
            told["value"] = data["value"]
            if "part" in self.fields:
                told["parts"] = [{"kind": data["part"], "material": data["material"], "value": data["value"]}]
        return told


class LiftForm(HeldForm):
    command_type = "condition"

    def members(self) -> dict[str, Any]:
        held = self.held
        value = {} if held.value is None else {"value": held.value}
        return {"condition": held.condition, "armies": list(held.armies), "lift": True, **value}


class OverrideForm(HandForm):
    """Form to override one figure, mark or result of an army, with a reason (PF-3.12)."""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        self.page = page
        asked = data if data is not None else {"army": page.look.army, "field": page.look.what}
        self.army = next((card for card in page.cards if card.id == asked.get("army")), page.cards[0])
        what = str(asked.get("field"))
        self.what = what if what in CHECKS else "hp"
        self.about, self.what_is_set = self.army.name, OVERRIDES[self.what]
        self.hidden = (("army", self.army.id), ("field", self.what))
        if self.what in ("mark", "ability", "invincible"):
            signs = (("+", _("give")), ("-", _("remove")))
            self.fields["sign"] = forms.ChoiceField(label=_("Action"), choices=signs)
        self.fields["value"] = self._value()
        if self.what == "ability":
            self.fields["number"] = build_number_field(_("Number, if any"), required=False, min_value=0, max_value=99)
        self.fields["reason"] = build_line_field(_("Reason"), help_text=_("The log keeps the reason."))

    def _value(self) -> forms.Field:
        now = self.page.state.armies[self.army.id]
        match self.what:
            case "hp":
                return build_number_field(_("Hit points"), initial=now.hp)
            case "morale":
                return build_number_field(_("Morale"), initial=now.morale)
            case "engines":
                return build_number_field(_("Siege engines"), initial=now.engines)
            case "om" | "dv":
                return build_number_field(_("Amount (negative to subtract)"))
        required = self.what != "target"
        label = render(self.what_is_set).capitalize()
        return forms.ChoiceField(label=label, choices=self._choices(), required=required)

    def _choices(self) -> list[tuple[str, Any]]:
        law = self.page.state.law
        match self.what:
            case "status":
                return [(slug, render(STATUS_WORDS[slug])) for slug in STATUSES]
            case "target":
                return [
                    ("", _("hold (no target)")),
                    *((c.id, c.name) for c in self.page.cards if c.side != self.army.side),
                ]
            case "invincible":
                return [(card.id, card.name) for card in self.page.cards if card.side != self.army.side]
            case "mark":
                worn = {mark.kind for mark in self.page.state.armies[self.army.id].marks}
                shown = [mark for mark in MARKS.values() if not mark.hidden and (mark.by_hand or mark.slug in worn)]
                return [(mark.slug, render(mark.name)) for mark in shown]
            case "ability":
                return [(slug, render(item.name)) for slug, item in law.abilities.items()]
        items = law.tactics if self.what == "tactic" else law.strategies
        return [(slug, render(item.name)) for slug, item in items.items()]

    def members(self) -> dict[str, Any]:
        data = self.cleaned_data
        value: Any = data["value"]
        if "sign" in self.fields:
            number = f" {data['number']}" if data.get("number") is not None else ""
            value = f"{data['sign']}{value}{number}"
        if self.what == "target" and not value:
            value = None
        return {"army": self.army.id, "field": self.what, "value": value, "reason": data["reason"]}


class InterruptForm(CommandForm):
    kind = "interrupt"
    reason = build_line_field(_("Reason for the interruption"), required=False)

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)


class RangedForm(PlainForm):
    kind, command_type = "ranged", "next"

    def members(self) -> dict[str, Any]:
        return {"kind": "ranged"}


def _armies(page: BattlePage, label: Any, required: bool) -> forms.MultipleChoiceField:
    choices = [(card.id, card.name) for card in page.cards if not card.gone]
    return forms.MultipleChoiceField(
        label=label, choices=choices, required=required, widget=forms.CheckboxSelectMultiple
    )
