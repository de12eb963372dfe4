"""Forms for units that have fought."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from armies.models import Army
from core.forms.form_fields import Whole


class OneUnitForm(forms.Form):
    """About one unit of an army, by its number."""

    unit = forms.TypedChoiceField(label=_("Unit"), coerce=int)

    def __init__(self, data: Any = None, *, army: Army):
        super().__init__(data, auto_id=f"{self.prefix_of_ids}-%s")
        units = army.sheet.get("units", ())
        field: Any = self.fields["unit"]
        field.choices = [(place, unit["name"]) for place, unit in enumerate(units) if self.concerns(unit)]

    prefix_of_ids = "unit"

    def concerns(self, unit: dict[str, Any]) -> bool:
        return True


class RecruitsForm(OneUnitForm):
    prefix_of_ids = "recruits"
    men = Whole(label=_("Recruits"), least=1, most=1_000_000)
    combat = Whole(label=_("Their combat"), least=-20, most=30, initial=0)


class GrantForm(OneUnitForm):
    prefix_of_ids = "grant"
    points = Whole(label=_("Points"), least=-10_000, most=10_000, help_text=_("Less than 0 takes some back."))


class WoundedForm(OneUnitForm):
    prefix_of_ids = "wounded"
    back = Whole(label=_("Back in the ranks"), least=0, most=1_000_000, initial=0)
    dead = Whole(label=_("Dead"), least=0, most=1_000_000, initial=0)

    def concerns(self, unit: dict[str, Any]) -> bool:
        return bool(unit.get("wounded"))
