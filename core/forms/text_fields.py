"""Text fields of forms. All of them, Django's and allauth's too, refuse what no text may hold."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django import forms
from django.core.exceptions import ValidationError

from core.text import render
from rules.core.characters import UNSHOWN, unfit_in


def validate_text(value: object) -> None:
    """Raise `ValidationError` for characters that no text holds. NUL is refused by Django itself."""
    text = str(value)  # a field may have made something of it
    if "\0" not in text and unfit_in(text):
        raise ValidationError(render(UNSHOWN), code="unfit")


class _TextValidators:
    """What a text field begins with. A password is no text: it is shown to nobody, and any character will do."""

    def __get__(self, field: Any, kind: type | None = None) -> list[Callable[[object], None]]:
        return [] if isinstance(getattr(field, "widget", None), forms.PasswordInput) else [validate_text]


def guard_text_fields() -> None:
    """From now on every text field begins with this validator: none can be forgotten. Called before forms are made."""
    forms.CharField.default_validators = _TextValidators()  # type: ignore[assignment]
    if validate_text not in forms.EmailField.default_validators:
        forms.EmailField.default_validators = [*forms.EmailField.default_validators, validate_text]
