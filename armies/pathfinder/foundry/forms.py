"""Form for Foundry actors to import."""

from __future__ import annotations

from typing import Any

from django import forms
from django.utils.translation import gettext_lazy as _

from armies.tables.forms import TableForm
from kingdom.models import Campaign, Kingdom


class ActorForm(TableForm):
    accept = ".json,application/json"

    file = forms.FileField(label=_("JSON file of an actor"), required=False, allow_empty_file=True)
    kingdom = forms.ModelChoiceField(
        Kingdom.objects.none(), label=_("Kingdom of the armies"), required=False,
        empty_label=_("as stated in the file"),
        help_text=_("For armies whose file doesn’t name a kingdom of this campaign."),
    )  # fmt: skip
    field_order = ("file", "pasted", "kingdom")

    def __init__(self, *args: Any, campaign: Campaign, **options: Any):
        super().__init__(*args, **options)
        self.fields["kingdom"].queryset = Kingdom.objects.filter(campaign=campaign)  # type: ignore[attr-defined]
