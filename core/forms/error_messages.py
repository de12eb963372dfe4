"""Error messages of form fields: every message of Django that players meet, in the site's own words."""

from __future__ import annotations

from typing import Any

from django import forms
from django.core import validators
from django.utils.translation import gettext_lazy as _
from django.utils.translation import ngettext_lazy

NOT_OFFERED = _("This choice isn’t available. Choose another one.")
FIELD_MESSAGES: dict[type[forms.Field], dict[str, Any]] = {
    forms.Field: {"required": _("Fill this in.")},
    forms.BooleanField: {"required": _("Check this box to go on.")},
    forms.ChoiceField: {"required": _("Choose one."), "invalid_choice": NOT_OFFERED},
    forms.MultipleChoiceField: {
        "required": _("Choose at least one."),
        "invalid_choice": NOT_OFFERED,
        "invalid_list": NOT_OFFERED,
    },
    forms.ModelChoiceField: {"required": _("Choose one."), "invalid_choice": NOT_OFFERED},
    forms.ModelMultipleChoiceField: {
        "required": _("Choose at least one."),
        "invalid_choice": NOT_OFFERED,
        "invalid_list": NOT_OFFERED,
        "invalid_pk_value": NOT_OFFERED,
    },
    forms.FileField: {
        "required": _("Choose a file."),
        "missing": _("Choose a file."),
        "invalid": _("Choose a file."),
        "empty": _("This file is empty. Choose another one."),
    },
}
"""Messages by the field class that Django defines them in. Subclasses and single fields may have their own."""

VALIDATOR_MESSAGES: dict[type, Any] = {
    validators.MaxValueValidator: _("At most %(limit_value)s."),
    validators.MinValueValidator: _("At least %(limit_value)s."),
    validators.MaxLengthValidator: ngettext_lazy(
        "At most %(limit_value)d character; this has %(show_value)d.",
        "At most %(limit_value)d characters; this has %(show_value)d.",
        "limit_value",
    ),
    validators.MinLengthValidator: ngettext_lazy(
        "At least %(limit_value)d character; this has %(show_value)d.",
        "At least %(limit_value)d characters; this has %(show_value)d.",
        "limit_value",
    ),
    validators.ProhibitNullCharactersValidator: _("Some characters can’t be stored. Type this again."),
}


def set_error_messages() -> None:
    """Put these messages in the place of Django's. Call it before any form is defined."""
    for field, messages in FIELD_MESSAGES.items():
        field.default_error_messages = {**field.__dict__.get("default_error_messages", {}), **messages}
    for validator, message in VALIDATOR_MESSAGES.items():
        validator.message = message  # type: ignore[attr-defined]
