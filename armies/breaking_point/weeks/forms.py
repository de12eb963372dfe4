"""Form that lets time pass under breaking point: in which sieges to offer terms."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.translation import gettext_lazy as _

from armies.breaking_point.models import SiegeRow
from armies.breaking_point.sieges.specs import ROLLS
from armies.breaking_point.weeks.services import TERMS
from armies.weeks.forms import TimeForm
from kingdom.models import Campaign


class SiegeTimeForm(TimeForm):
    """Form with the sieges in which terms can be offered; without sieges there are no choices."""

    def __init__(self, data: QueryDict | None = None, *, campaign: Campaign, offers: Sequence[SiegeRow]):
        super().__init__(data, campaign=campaign, rolls=ROLLS)
        if offers:
            self.fields[TERMS] = forms.MultipleChoiceField(
                label=_("Offer terms each week"),
                help_text=_("If the garrison is willing to talk."),
                choices=[(str(row.pk), row.place.name) for row in offers],
                required=False,
                widget=forms.CheckboxSelectMultiple,
            )

    @property
    def terms_field(self) -> forms.BoundField | None:
        return self[TERMS] if TERMS in self.fields else None

    @property
    def choices(self) -> dict[str, Any]:
        return {TERMS: self.cleaned_data.get(TERMS, [])} if TERMS in self.fields else {}
