"""Fields several forms share."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from typing import Any

from django import forms
from django.forms.utils import flatatt
from django.utils.functional import lazy
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

from kingdom.text import render
from rules.text import MINUS, Said

said = lazy(render, str)


def choices_of(
    items: Mapping[Any, Any] | Callable[[], Iterable[tuple[Any, Said]]],
) -> Callable[[], list[tuple[Any, str]]]:
    """Choices in the reader's language, made when the form is: `{slug: item or term}`."""

    def choices() -> list[tuple[Any, str]]:
        pairs = items() if callable(items) else items.items()
        return [(value, render(getattr(item, "name", item))) for value, item in pairs]

    return choices


class Ticks(forms.CheckboxSelectMultiple):
    """Checkboxes as Django draws them, without a template for each: a form may offer hundreds."""

    def render(self, name: str, value: Any, attrs: Any = None, renderer: Any = None) -> SafeString:
        context = self.get_context(name, value, attrs)["widget"]
        boxes = (self._box(option) for _group, options, _index in context["optgroups"] for option in options)
        return format_html(
            "<div{}>{}</div>", flatatt({"id": context["attrs"].get("id")}), format_html_join("", "{}", boxes)
        )

    @staticmethod
    def _box(option: Mapping[str, Any]) -> tuple[SafeString]:
        attrs = {"type": "checkbox", "name": option["name"], "value": str(option["value"]), **option["attrs"]}
        label = format_html('<label for="{}"><input{}> {}</label>', attrs["id"], flatatt(attrs), option["label"])
        return (format_html("<div>{}</div>", label),)


class Whole(forms.IntegerField):
    """A whole number with its limits. A typographic minus is one, too."""

    def __init__(self, *, least: int, most: int, **options: Any):
        super().__init__(min_value=least, max_value=most, **options)

    def to_python(self, value: Any) -> int | None:
        return super().to_python(value.replace(MINUS, "-") if isinstance(value, str) else value)
