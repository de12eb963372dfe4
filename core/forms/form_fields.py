"""Form fields shared by several forms."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django import forms
from django.http import QueryDict
from django.utils.functional import lazy

from core.text import render
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
