"""GM forms of breaking points: conditions, overrides and end."""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.breaking_point.command_shapes import condition_to_json
from battles.breaking_point.words import ICONS, OVERRIDES
from battles.field.gm_forms import HandForm, HeldForm, SettingForm, build_line_field
from battles.field.page import BattlePage
from core.text import render
from rules.breaking_point.battle.orders.legal import DEEDS, NUMBERS, STATUSES
from rules.breaking_point.battle.state.battle_state import BattleNow
from rules.breaking_point.battle.state.conditions import CONDITIONS, OF_BODY, OF_SIDE, ConditionKind
from rules.breaking_point.battle.telling.words import STATUS_WORDS, body_name
from rules.breaking_point.ground import GROUNDS, WEATHER
from rules.breaking_point.rulings import RULES, RULINGS, STATES
from rules.breaking_point.spec import IN_SHORT
from rules.core.text import NO_WORDS, Said

ALL_RULES = {**RULES, **RULINGS}
DEED_WORDS = {"attack": _("attack"), "shoot": _("shoot"), "hold": _("hold"), "withdraw": _("withdraw")}


def bodies_of(state: BattleNow) -> list[tuple[str, str]]:
    return [(body.id, render(body_name(state, body))) for body in state.bodies.values()]


def told_of(kind: ConditionKind) -> Said:
    """Return a sentence on the effect of a condition."""
    item = GROUNDS.get(kind.slug) or WEATHER.get(kind.slug) or STATES.get(kind.slug) or ALL_RULES.get(kind.rule)
    return item.summary if item else NO_WORDS


class ConditionForm(SettingForm):
    """Form to set one condition of the field, a side or a body."""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        slug = page.look.what if data is None else str(data.get("condition", ""))
        self.item = CONDITIONS.get(slug) or next(iter(CONDITIONS.values()))
        self.title, self.hidden = self.item.name, (("condition", self.item.slug),)
        self.help, self.drawn_by = told_of(self.item), ICONS[self.item.family]
        if self.item.of == OF_SIDE:
            sides = [(str(side.index), side.name) for side in page.sides]
            self.fields["side"] = forms.TypedChoiceField(label=_("Side"), choices=sides, coerce=int)
        if self.item.of == OF_BODY:
            self.fields["body"] = forms.ChoiceField(label=_("Body"), choices=bodies_of(page.state))
        if field := _value_field(self.item, page):
            self.fields["value"] = field
        if self.item.reasoned:
            self.fields["reason"] = build_line_field(_("Reason"), help_text=_("The log keeps the reason."))

    def members(self) -> dict[str, Any]:
        told = {name: value for name, value in self.cleaned_data.items() if value not in (None, "")}
        return {"condition": self.item.slug, **told}


def _value_field(item: ConditionKind, page: BattlePage) -> forms.Field | None:
    if item.choices:
        return forms.ChoiceField(label=render(item.name), choices=[(c, render(IN_SHORT[c])) for c in item.choices])
    if item.armies:
        return forms.ChoiceField(label=_("Army"), choices=[(card.id, card.name) for card in page.cards])
    if item.whole is None:
        return None
    low, high = item.whole
    return forms.IntegerField(
        label=render(item.name), min_value=low, max_value=high, initial=item.usual,
        widget=forms.TextInput(attrs={"inputmode": "numeric"}),
    )  # fmt: skip


class LiftForm(HeldForm):
    command_type = "condition"

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page, data)
        self.names = tuple(side.name for side in page.sides)

    def members(self) -> dict[str, Any]:
        told = {name: value for name, value in condition_to_json(self.held, self.names).items()
                if name not in ("value", "reason")}  # fmt: skip
        return {**told, "lift": True}


class OverrideForm(HandForm):
    """Form to override one figure, order or result of a body, with a reason (B-41)."""

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        asked = data if data is not None else {"body": page.look.army, "field": page.look.what}
        bodies = dict(bodies_of(page.state))
        self.body = str(asked.get("body")) if asked.get("body") in bodies else next(iter(bodies))
        self.what = str(asked.get("field")) if asked.get("field") in OVERRIDES else "losses"
        self.about, self.what_is_set = bodies[self.body], OVERRIDES[self.what]
        self.hidden = (("body", self.body), ("field", self.what))
        self.fields["value"] = self._value(page.state)
        self.fields["reason"] = build_line_field(_("Reason"), help_text=_("The log keeps the reason."))

    def _value(self, state: BattleNow) -> forms.Field:
        body, label = state.bodies[self.body], render(self.what_is_set).capitalize()
        if self.what in NUMBERS:
            low, high = NUMBERS[self.what]
            now = {"losses": body.losses, "force": body.force, "breaking": body.breaking, "penalty": body.penalty}
            return forms.IntegerField(
                label=label, min_value=low, max_value=high, initial=now.get(self.what, 0),
                required=self.what != "breaking", widget=forms.TextInput(attrs={"inputmode": "text"}),
            )  # fmt: skip
        match self.what:
            case "status":
                choices: list[tuple[str, Any]] = [(slug, render(STATUS_WORDS[slug])) for slug in STATUSES]
            case "do":
                choices = [(slug, DEED_WORDS[slug]) for slug in DEEDS]
            case _:
                foes = [one for one in state.bodies.values() if one.side != body.side]
                choices = [("", _("nobody")), *((foe.id, render(body_name(state, foe))) for foe in foes)]
        return forms.ChoiceField(label=label, choices=choices, required=self.what != "target")

    def members(self) -> dict[str, Any]:
        value = self.cleaned_data["value"]
        told = {"body": self.body, "field": self.what, "reason": self.cleaned_data["reason"]}
        return {**told, "value": None if value == "" else value}
