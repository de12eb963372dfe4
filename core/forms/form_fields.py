"""Form fields shared by several forms, text validation, and the token against double submission."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django import forms
from django.core.exceptions import ValidationError
from django.db import transaction
from django.db.models import fields as model_fields
from django.http import HttpRequest, QueryDict
from django.utils.crypto import get_random_string
from django.utils.functional import lazy
from django.utils.translation import gettext_lazy as _

from core.queries import find_one
from core.text import render
from rules.core.errors import UNSHOWN, unfit_in
from rules.core.text import MINUS, Said

said = lazy(render, str)


def list_choices(
    items: Mapping[Any, Any] | Callable[[], Iterable[tuple[Any, Said]]],
) -> Callable[[], list[tuple[Any, str]]]:
    """Return a callable for a field's `choices`, evaluated in the reader's language when the form is built. `items` is
    `{slug: item or term}`.
    """

    def choices() -> list[tuple[Any, str]]:
        pairs = items() if callable(items) else items.items()
        return [(value, render(getattr(item, "name", item))) for value, item in pairs]

    return choices


def name_empty_choice() -> None:
    """Replace Django's own empty choice of selects. Call it before any form is defined."""
    model_fields.BLANK_CHOICE_LABEL = _("Choose…")


class LinesField(forms.CharField):
    """Text area with an item on each line."""

    widget = forms.Textarea(attrs={"rows": 3})

    def __init__(self, **options: Any):
        super().__init__(required=False, **options)

    def prepare_value(self, value: Any) -> Any:
        return "\n".join(value) if isinstance(value, list) else value

    def to_python(self, value: Any) -> Any:
        return [line.strip() for line in (super().to_python(value) or "").splitlines() if line.strip()]


class Whole(forms.IntegerField):
    """Integer field with limits. It accepts a typographic minus."""

    def __init__(self, *, least: int, most: int, **options: Any):
        super().__init__(min_value=least, max_value=most, **options)

    def to_python(self, value: Any) -> int | None:
        return super().to_python(value.replace(MINUS, "-") if isinstance(value, str) else value)


def read_unchecked(form: forms.Form, data: QueryDict) -> dict[str, Any]:
    """Return the unchecked input as initial values of a form. Fields that were not sent keep their own."""
    widgets = {name: field.widget for name, field in form.fields.items()}
    return {
        name: widget.value_from_datadict(data, {}, name)
        for name, widget in widgets.items()
        if not widget.value_omitted_from_data(data, {}, name)
    }


# Text fields of forms. All of them, also Django's and allauth's, refuse forbidden characters.


def validate_text(value: object) -> None:
    """Raise `ValidationError` for forbidden characters. Django itself refuses NUL."""
    text = str(value)  # a field may have converted it
    if "\0" not in text and unfit_in(text):
        raise ValidationError(render(UNSHOWN), code="unfit")


class _TextValidators:
    """Default validators of text fields. A password has none, because it is never shown and any
    character is allowed.
    """

    def __get__(self, field: Any, kind: type | None = None) -> list[Callable[[object], None]]:
        return [] if isinstance(getattr(field, "widget", None), forms.PasswordInput) else [validate_text]


def guard_text_fields() -> None:
    """Add this validator to every text field, so that none is forgotten. Call it before any form is defined."""
    forms.CharField.default_validators = _TextValidators()  # type: ignore[assignment]
    if validate_text not in forms.EmailField.default_validators:
        forms.EmailField.default_validators = [*forms.EmailField.default_validators, validate_text]


# Uploaded files as text: API bodies have no files, so their text is read as a field.


FILE_MOST = 256 * 1024


def read_sent(request: HttpRequest) -> QueryDict:
    """Return the POST data with the text of uploaded files. A file beyond the limit is cut just after it, so that the
    check notices.
    """
    if not request.FILES:
        return request.POST
    data = request.POST.copy()
    for name in request.FILES:
        file = request.FILES.get(name)
        data[name] = file.read(FILE_MOST + 1).decode("utf-8", "replace") if file else ""
    return data


# Token against double submission: a resubmitted form (a page reloaded) creates nothing twice. A form carries a token
# (`new_submit_token`, in the hidden field `once`); the session stores the last ones that created something. The session
# is locked meanwhile, because the second half of a double click may arrive before the first is answered.


LONGEST = 22
KEPT_TOKENS = 5  # of each kind of form


def new_submit_token() -> str:
    """Return a token for a new form."""
    return get_random_string(LONGEST)


def claim_submission(request: HttpRequest, what: str) -> bool:
    """Store that this form creates its `what`. False if it has already, or if another request is creating it."""
    if not (mark := _mark(request)):
        return True
    name, session = _key(what), request.session
    with transaction.atomic():
        rows = session.model.objects.select_for_update()  # type: ignore[attr-defined]
        row = find_one(rows.filter(session_key=session.session_key))
        stored = row.get_decoded() if row else {}
        marks = list(stored.get(name, ()))
        free = mark not in marks
        session[name] = [*marks, mark][-KEPT_TOKENS:] if free else marks
        if row and free:
            row.session_data = session.encode({**stored, name: session[name]})
            row.save(update_fields=["session_data"])
    return free


def release_submission(request: HttpRequest, what: str) -> None:
    """Forget the claim of a form that created nothing: it may be sent again. Those of other forms stay."""
    if mark := _mark(request):
        name = _key(what)
        request.session[name] = [one for one in request.session.get(name, ()) if one != mark]


def _mark(request: HttpRequest) -> str:
    return str(request.POST.get("once", ""))[:LONGEST]


def _key(what: str) -> str:
    return f"{what}_sent"
