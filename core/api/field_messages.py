"""Error messages of serializer fields and requests: every message of REST framework that users of the API meet, in the
site's own words.
"""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext_lazy as _
from rest_framework import exceptions, fields, relations, serializers

MISSING = _("This is missing. Send a value.")
WHOLE = _("Enter a whole number.")
NUMBER = _("Enter a number.")
TOO_LONG = _("This number is too long. Send a shorter one.")
NOT_OFFERED = _("“{input}” isn’t one of the choices. The API’s document lists them.")
LIST = _("Send a list here.")
EMPTY_LIST = _("This list is empty. Send at least one entry.")
OBJECT = _("Enter a JSON object here.")

BOUNDS = {"max_value": _("At most {max_value}."), "min_value": _("At least {min_value}.")}
LENGTHS = {
    "max_length": _("Too long. Characters allowed: {max_length}."),
    "min_length": _("Too short. Characters needed: {min_length}."),
}
ENTRIES = {
    "not_a_list": LIST,
    "empty": EMPTY_LIST,
    "max_length": _("Too many entries. Allowed: {max_length}."),
    "min_length": _("Too few entries. Needed: {min_length}."),
}

FIELD_MESSAGES: dict[type[fields.Field], dict[str, Any]] = {
    fields.Field: {"required": MISSING, "null": _("This can’t be null. Send a value.")},
    fields.BooleanField: {"invalid": _("Use true or false.")},
    fields.CharField: {"invalid": _("Enter text here."), "blank": _("This is empty. Enter text here."), **LENGTHS},
    fields.EmailField: {"invalid": _("Enter an email address, such as name@example.org.")},
    fields.RegexField: {"invalid": _("This has another form than the API’s document asks for. Correct it.")},
    fields.URLField: {"invalid": _("Enter a whole web address, such as https://example.org/.")},
    fields.UUIDField: {"invalid": _("Send an id as the API gives it.")},
    fields.IntegerField: {"invalid": WHOLE, "max_string_length": TOO_LONG, **BOUNDS},
    fields.FloatField: {"invalid": NUMBER, "max_string_length": TOO_LONG, "overflow": TOO_LONG, **BOUNDS},
    fields.DecimalField: {"invalid": NUMBER, "max_string_length": TOO_LONG, **BOUNDS},
    fields.DateTimeField: {
        "invalid": _("Enter a date and time, such as 2026-11-29T20:00:00Z."),
        "date": _("Enter a date and time, such as 2026-11-29T20:00:00Z."),
        "overflow": _("This date is out of range. Send another one."),
    },
    fields.DateField: {
        "invalid": _("Enter a date, such as 2026-11-29."),
        "datetime": _("Enter a date, such as 2026-11-29."),
    },
    fields.ChoiceField: {"invalid_choice": NOT_OFFERED},
    fields.MultipleChoiceField: {"invalid_choice": NOT_OFFERED, "not_a_list": LIST, "empty": EMPTY_LIST},
    fields.FileField: {
        "required": _("Choose a file."),
        "invalid": _("Send a file, as multipart/form-data."),
        "no_name": _("This file has no name. Give it one."),
        "empty": _("This file is empty. Choose another one."),
        "max_length": _("This file’s name is too long. Characters allowed: {max_length}, not {length}."),
    },
    fields.ImageField: {"invalid_image": _("Choose a JPEG, PNG or WebP picture.")},
    fields.ListField: ENTRIES,
    fields.DictField: {"not_a_dict": OBJECT, "empty": _("This object is empty. Send at least one member.")},
    fields.JSONField: {"invalid": _("This isn’t valid JSON. Correct it.")},
    relations.PrimaryKeyRelatedField: {
        "required": MISSING,
        "does_not_exist": _("“{pk_value}” wasn’t found. Check the id."),
        "incorrect_type": _("Send an id as the API gives it."),
    },
    relations.SlugRelatedField: {
        "does_not_exist": _("“{value}” wasn’t found. Check it."),
        "invalid": _("Enter text here."),
    },
    relations.ManyRelatedField: {"not_a_list": LIST, "empty": EMPTY_LIST},
    serializers.Serializer: {"invalid": OBJECT},
    serializers.ListSerializer: ENTRIES,
}
"""Messages by the field class that REST framework defines them in. Subclasses and single fields may have their own."""

REQUEST_MESSAGES: dict[type[exceptions.APIException], Any] = {
    exceptions.APIException: _("Something went wrong on the server. Try again in a moment."),
    exceptions.ValidationError: _("Some values aren’t valid."),
    exceptions.ParseError: _("This request can’t be read. Check its format."),
    exceptions.AuthenticationFailed: _("This token or password isn’t valid. Check it."),
    exceptions.NotAuthenticated: _("Sign in, or send a token in the header Authorization."),
    exceptions.PermissionDenied: _("You aren’t allowed to do this."),
    exceptions.NotFound: _("Not found, or you have no access to it."),
    exceptions.MethodNotAllowed: _("{method} isn’t possible here. The header Allow lists what is."),
    exceptions.NotAcceptable: _("This format isn’t available. Ask for application/json in the header Accept."),
    exceptions.UnsupportedMediaType: _("“{media_type}” can’t be read here. The API’s document lists what can."),
}


def set_api_messages() -> None:
    """Put these messages in the place of REST framework's. Call it before any serializer is defined."""
    for field, messages in FIELD_MESSAGES.items():
        field.default_error_messages = {**field.__dict__.get("default_error_messages", {}), **messages}
    for error, message in REQUEST_MESSAGES.items():
        error.default_detail = message
