"""Form widgets drawn without a template for each: a page may have hundreds.

What they say is what Django's own templates say, but for white space; a test holds them together. Widgets that are
not here are drawn by their templates.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from typing import Any

from django.forms.renderers import DjangoTemplates
from django.utils.html import conditional_escape as safe
from django.utils.safestring import mark_safe

type Widget = Mapping[str, Any]

FOLDER = "django/forms/widgets/"
INPUTS = ("text", "number", "email", "url", "color", "search", "tel", "password", "hidden", "checkbox")


class WidgetsByHand(DjangoTemplates):
    """`FORM_RENDERER` of the settings."""

    def render(self, template_name: str, context: dict[str, Any], request: Any = None) -> str:
        drawn = DRAWN.get(template_name)
        if drawn is None:
            return super().render(template_name, context, request)
        return mark_safe(drawn(context["widget"]))


def _attrs(attrs: Mapping[str, Any]) -> str:
    given = ((name, value) for name, value in attrs.items() if value is not False)
    return "".join(f" {safe(name)}" if value is True else f' {safe(name)}="{safe(value)}"' for name, value in given)


def _input(widget: Widget) -> str:
    value = "" if widget["value"] is None else f' value="{safe(widget["value"])}"'
    return f'<input type="{safe(widget["type"])}" name="{safe(widget["name"])}"{value}{_attrs(widget["attrs"])}>'


def _select(widget: Widget) -> str:
    options = "".join(_in_groups(widget, '\n  <optgroup label="{}">', _option, "\n  </optgroup>"))
    return f'<select name="{safe(widget["name"])}"{_attrs(widget["attrs"])}>{options}\n</select>'


def _option(option: Widget) -> str:
    return f'\n  <option value="{safe(option["value"])}"{_attrs(option["attrs"])}>{safe(option["label"])}</option>'


def _boxes(widget: Widget) -> str:
    attrs = widget["attrs"]
    named = "".join(f' {name}="{safe(attrs[name])}"' for name in ("id", "class") if attrs.get(name))
    rows = "".join(_in_groups(widget, "\n  <div><label>{}</label>", _box_row, "\n  </div>"))
    return f"<div{named}>{rows}\n</div>"


def _box_row(option: Widget) -> str:
    return f"<div>\n    {_box(option)}</div>"


def _in_groups(widget: Widget, opening: str, drawn: Callable[[Widget], str], closing: str) -> Iterator[str]:
    """Every choice as it is drawn; those of a group between its name, in `opening`, and `closing`."""
    for group, options, _index in widget["optgroups"]:
        if group:
            yield opening.format(safe(group))
        yield from map(drawn, options)
        if group:
            yield closing


def _box(option: Widget) -> str:
    if not option["wrap_label"]:
        return _input(option)
    key = option["attrs"].get("id")
    pointing = f' for="{safe(key)}"' if key else ""
    return f"<label{pointing}>{_input(option)} {safe(option['label'])}</label>"


DRAWN: Mapping[str, Callable[[Widget], str]] = {
    **{f"{FOLDER}{kind}.html": _input for kind in INPUTS},
    f"{FOLDER}select.html": _select,
    f"{FOLDER}radio.html": _boxes,
    f"{FOLDER}checkbox_select.html": _boxes,
}
