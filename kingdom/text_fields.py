"""Text fields of forms: every one of them refuses what no text may hold, Django's and allauth's among them."""

from __future__ import annotations

from django import forms
from django.core.exceptions import ValidationError

from kingdom.text import render
from rules.characters import UNSHOWN, unfit_in


def validate_text(value: object) -> None:
    """Raise `ValidationError` for characters that no text holds. NUL is refused by Django itself."""
    text = str(value)  # a field may have made something of it
    if "\0" not in text and unfit_in(text):
        raise ValidationError(render(UNSHOWN), code="unfit")


def guard_text_fields() -> None:
    """From now on every text field begins with this validator: none can be forgotten. Called before forms are made."""
    for kind in (forms.CharField, forms.EmailField):
        if validate_text not in kind.default_validators:
            kind.default_validators = [*kind.default_validators, validate_text]
