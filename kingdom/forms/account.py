"""Forms of a person's own account."""

from __future__ import annotations

from typing import Any

from django import forms
from django.conf import settings
from django.utils.translation import gettext_lazy as _

from kingdom.inputs import NAME_MAX

LIVES = ((7, _("a week")), (30, _("a month")), (90, _("three months")), (365, _("a year")))


class TokenForm(forms.Form):
    name = forms.CharField(
        label=_("What is it for?"), max_length=NAME_MAX, help_text=_("For example: the table’s dice bot.")
    )
    days = forms.TypedChoiceField(label=_("Works for"), choices=LIVES, coerce=int, initial=90)


class LanguageForm(forms.Form):
    language = forms.ChoiceField(label=_("Language of the pages"), required=False, widget=forms.RadioSelect)

    def __init__(self, *args: Any, **options: Any):
        super().__init__(*args, **options)
        language: Any = self.fields["language"]
        language.choices = [("", _("as the browser asks")), *settings.LANGUAGES]
