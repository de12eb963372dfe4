"""Form that opens a battle of wing command: sides with their army leaders, and what of the house rules is otherwise.

What it collects is the body of POST battles/ of the API: one reader and one refusal for both.
"""

from __future__ import annotations

from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from battles.default.ui import FEWEST, PlainOpening, PlainSetup
from battles.setup.page import pick_colour
from core.clean_input import parse_whole
from core.text import render
from kingdom.realms.figures import house_rules_of
from kingdom.rendering import add_refusal
from rules.core.errors import Refusal
from rules.core.shapes import DeclaredShape
from rules.wing_command.battle.setup.setup_commands import OPTIONS
from rules.wing_command.house import HOUSE_RULES

YES, NO = "yes", "no"


class WingOpening(PlainOpening):
    def __init__(
        self,
        page: PlainSetup,
        data: QueryDict | None = None,
        *,
        count: int = FEWEST,
        options: DeclaredShape | None = None,
    ):
        super().__init__(page, data, count=count)
        armies = [(str(army.pk), army.name) for army in page.available]
        for side in self.sides:
            self.fields[side].label, self.fields[side].required = _("Name, if not its kingdom’s"), False
            self.fields[f"leader-{side}"] = forms.ChoiceField(
                label=_("Army leader"), choices=[("", _("the best commander")), *armies], required=False
            )
        now = {**HOUSE_RULES.defaults, **house_rules_of(page.campaign)}
        for name in OPTIONS:
            self.fields[name] = option_field(name, now[name])

    # for the template
    @property
    def side_rows(self) -> list[dict[str, Any]]:
        return [
            {
                "colour": pick_colour(number),
                "name": self[side],
                "armies": self[f"armies-{side}"],
                "leader": self[f"leader-{side}"],
            }
            for number, side in enumerate(self.sides)
        ]

    @property
    def option_fields(self) -> list[forms.BoundField]:
        return [self[name] for name in OPTIONS]

    # the body of POST battles/
    def to_json(self) -> dict[str, Any]:
        data = self.cleaned_data
        sides = [
            {"name": data[side], "armies": data[f"armies-{side}"], "leader": data[f"leader-{side}"]}
            for side in self.sides
        ]
        return {"name": data["name"], "sides": sides, **{name: data[name] for name in OPTIONS}}

    def refused(self, refusal: Refusal) -> None:
        """Beside the side's field it is about, else as any form does it."""
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


def option_field(name: str, now: Any) -> forms.Field:
    """The field of an option, as the house rules call it; it begins with what holds `now`."""
    rule = HOUSE_RULES.rules[name]
    label = render(rule.name)
    if not rule.choices:
        box = forms.TextInput(attrs={"inputmode": "numeric"})
        return forms.IntegerField(label=label, min_value=rule.least, max_value=rule.most, initial=now, widget=box)
    if not isinstance(rule.default, bool):
        return forms.ChoiceField(
            label=label, choices=[(slug, render(told)) for slug, told in rule.choices.items()], initial=now
        )
    choices = [(YES if slug else NO, render(told)) for slug, told in rule.choices.items()]
    return forms.TypedChoiceField(
        label=label, choices=choices, coerce=lambda told: told == YES, initial=YES if now else NO
    )
