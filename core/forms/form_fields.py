"""Form fields shared by several forms, and the token against double submission."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.http import HttpRequest, QueryDict
from django.utils.crypto import get_random_string
from django.utils.functional import lazy

from core.text import render
from rules.core.characters import UNSHOWN, unfit_in
from rules.core.text import MINUS, Said

said = lazy(render, str)


def list_choices(
    items: Mapping[Any, Any] | Callable[[], Iterable[tuple[Any, Said]]],
) -> Callable[[], list[tuple[Any, str]]]:
    """Choices in the reader's language, made when the form is: `{slug: item or term}`."""

    def choices() -> list[tuple[Any, str]]:
        pairs = items() if callable(items) else items.items()
        return [(value, render(getattr(item, "name", item))) for value, item in pairs]

    return choices


class Whole(forms.IntegerField):
    """A whole number with its limits. A typographic minus is one, too."""

    def __init__(self, *, least: int, most: int, **options: Any):
        super().__init__(min_value=least, max_value=most, **options)

    def to_python(self, value: Any) -> int | None:
        return super().to_python(value.replace(MINUS, "-") if isinstance(value, str) else value)


def read_unchecked(form: forms.Form, data: QueryDict) -> dict[str, Any]:
    """What was typed, nothing checked yet, to begin a form with; what was not sent begins as it always does."""
    widgets = {name: field.widget for name, field in form.fields.items()}
    return {
        name: widget.value_from_datadict(data, {}, name)
        for name, widget in widgets.items()
        if not widget.value_omitted_from_data(data, {}, name)
    }


# Text fields of forms. All of them, Django's and allauth's too, refuse what no text may hold.


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


# Sent files as text: a form that is a body of the API has no files, so their text stands among its fields.


FILE_MOST = 256 * 1024


def read_sent(request: HttpRequest) -> QueryDict:
    """What was sent, the text of files among it; of a longer one so much that it is seen to be too long."""
    if not request.FILES:
        return request.POST
    data = request.POST.copy()
    for name in request.FILES:
        file = request.FILES.get(name)
        data[name] = file.read(FILE_MOST + 1).decode("utf-8", "replace") if file else ""
    return data


# Token against double submission: a form sent again (a page reloaded) creates no second thing. A form bears a mark
# (`new_submit_token`, as its hidden field `once`); the session keeps that of the latest that made something.


LONGEST = 22


def new_submit_token() -> str:
    """For a form that is drawn."""
    return get_random_string(LONGEST)


def was_submitted(request: HttpRequest, what: str) -> bool:
    """Whether this very form has made its `what` already."""
    mark = _mark(request)
    return bool(mark) and mark == request.session.get(_key(what))


def mark_submitted(request: HttpRequest, what: str) -> None:
    """It has made it now."""
    if mark := _mark(request):
        request.session[_key(what)] = mark


def _mark(request: HttpRequest) -> str:
    return str(request.POST.get("once", ""))[:LONGEST]


def _key(what: str) -> str:
    return f"{what}_sent"
