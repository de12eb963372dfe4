"""Form of an army that is in no campaign: the fields of every ruleset."""

from __future__ import annotations

from django import forms
from django.utils.translation import gettext_lazy as _

from battles.workshop.matchups import LONGEST


def pasted_field() -> forms.CharField:
    return forms.CharField(
        label=_("Army in API format (JSON)"), required=False, max_length=LONGEST,
        widget=forms.Textarea(attrs={"rows": 6, "spellcheck": "false"}),
        help_text=_("Text pasted here replaces the fields above."),
    )  # fmt: skip
