"""Options of a battle that override the campaign's house rules, as form fields.

`HouseOpening` is the form that opens a battle: sides with the army whose commander leads them, and these options. Its
data has the shape of the API's POST battles/, so both share one reader and its refusals.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import Any, ClassVar

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.models import Army
from battles.default.ui import FEWEST, PlainOpening, PlainSetup
from battles.field.gm_forms import StepForm
from battles.field.page import BattlePage
from battles.setup.seating import offer_only
from core.clean_input import parse_whole
from core.text import render
from kingdom.realms.figures import house_rules_of
from kingdom.rendering import add_refusal
from rules.core.errors import Refusal
from rules.core.shapes import DeclaredShape
from rules.core.text import _ as term
from rules.house import HouseRules

YES, NO = "yes", "no"
YES_NO = [(YES, _("yes")), (NO, _("no"))]


def whole_field(label: Any, bounds: tuple[int, int], now: Any) -> forms.Field:
    low, high = bounds
    box = forms.TextInput(attrs={"inputmode": "numeric"})
    return forms.IntegerField(label=label, min_value=low, max_value=high, initial=now, widget=box)


def yes_no_field(label: Any, now: Any, choices: Sequence[tuple[str, Any]] = YES_NO) -> forms.Field:
    return forms.TypedChoiceField(
        label=label, choices=choices, coerce=lambda told: told == YES, initial=YES if now else NO
    )


def option_field(rules: HouseRules, name: str, now: Any) -> forms.Field:
    """Field of an option, labelled as in the house rules, with `now` as its initial value."""
    rule = rules.rules[name]
    label = render(rule.name)
    if not rule.choices:
        box = forms.TextInput(attrs={"inputmode": "numeric"})
        return forms.IntegerField(label=label, min_value=rule.least, max_value=rule.most, initial=now, widget=box)
    if isinstance(rule.default, bool):
        return yes_no_field(label, now, [(YES if slug else NO, render(told)) for slug, told in rule.choices.items()])
    return forms.ChoiceField(
        label=label, choices=[(slug, render(told)) for slug, told in rule.choices.items()], initial=now
    )


class OptionStep(StepForm):
    """Form that changes one of the battle's options. A ruleset sets its `rules` and the `names` of the options."""

    kind = "option"
    title = term("Rules of this battle")
    sign, submit = "gm", _("Apply")
    rules: ClassVar[HouseRules]
    names: ClassVar[Sequence[str]]

    def __init__(self, page: BattlePage, data: QueryDict | None = None):
        super().__init__(page.battle.version, data)
        asked = page.look.what if data is None else str(data.get("name", ""))
        self.name = asked if asked in self.names else self.names[0]
        self.hidden = (("name", self.name),)
        self.fields["value"] = option_field(self.rules, self.name, getattr(page.state.options, self.name))

    def members(self) -> dict[str, Any]:
        return {"name": self.name, "value": self.cleaned_data["value"]}


def _leader(army: Army) -> str:
    """Commander and army that can lead the side."""
    return f"{army.commander.name} ({army.name})" if army.commander else army.name


class HouseOpening(PlainOpening):
    """Form that opens a battle with options. A ruleset sets its `rules`, the `names` of the options, and the labels of
    the leader's field.
    """

    rules: ClassVar[HouseRules]
    names: ClassVar[Sequence[str]]
    leader_label: ClassVar[Any]
    usual_leader: ClassVar[Any]

    def __init__(
        self,
        page: PlainSetup,
        data: QueryDict | None = None,
        *,
        count: int = FEWEST,
        options: DeclaredShape | None = None,
    ):
        super().__init__(page, data, count=count)
        armies = [(str(army.pk), _leader(army)) for army in page.available]
        for side in self.sides:
            self.fields[f"leader-{side}"] = forms.ChoiceField(
                label=self.leader_label, choices=[("", self.usual_leader), *armies], required=False
            )
        now = {**self.rules.defaults, **house_rules_of(page.campaign)}
        for name in self.names:
            self.fields[name] = option_field(self.rules, name, now[name])

    # for the template
    def more_of(self, side: int, armies: Collection[str]) -> list[forms.BoundField]:
        return [offer_only(self[f"leader-{self.sides[side]}"], armies)]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in self.names]

    # the body of POST battles/
    def to_json(self) -> dict[str, Any]:
        data = self.cleaned_data
        sides = [
            {"name": data[side], "armies": data[f"armies-{side}"], "leader": data[f"leader-{side}"]}
            for side in self.sides
        ]
        return {"name": data["name"], "sides": sides, **{name: data[name] for name in self.names}}

    def refused(self, refusal: Refusal) -> None:
        """Adds messages to the field of the side they are about, else as any form does."""
        for pointer, message in refusal.errors:
            field = self._field_of(pointer)
            if field:
                self.add_error(field, render(message))
        if not any(map(self._field_of, (pointer for pointer, _message in refusal.errors))):
            add_refusal(self, refusal)

    def _field_of(self, pointer: str) -> str | None:
        first, *rest = pointer.strip("/").split("/")
        number = parse_whole(rest[0]) if first == "sides" and rest else None
        if number is None or number >= len(self.sides):
            return None
        side, what = self.sides[number], rest[1] if len(rest) > 1 else ""
        return f"{what}-{side}" if f"{what}-{side}" in self.fields else side
