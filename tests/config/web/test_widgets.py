"""Widgets drawn by hand say what Django's templates say."""

from __future__ import annotations

import pytest
from django import forms
from django.forms.renderers import DjangoTemplates, get_default_renderer
from django.utils.safestring import mark_safe

from config.web.widgets import WidgetsByHand

ODD = ["", None, "a", "q\"<b>&'", 0, 3.5, 12_345_678, mark_safe("<i>"), True]
CHOICES = [
    ("", "none"),
    ("a", "<A> & co"),
    (3, mark_safe("<b>three</b>")),
    ("G", [("g", "in a group"), ('"', "quote")]),
]
WIDGETS = [
    forms.TextInput({"size": 4, "required": True, "disabled": False}), forms.NumberInput(), forms.EmailInput(),
    forms.URLInput(), forms.PasswordInput(render_value=True), forms.HiddenInput(), forms.SearchInput(),
    forms.CheckboxInput(), forms.Select(choices=CHOICES), forms.SelectMultiple(choices=CHOICES),
    forms.RadioSelect({"class": "x<y"}, choices=CHOICES), forms.CheckboxSelectMultiple(choices=CHOICES),
    forms.Textarea(), forms.DateInput(), forms.FileInput(),
]  # fmt: skip
OURS, DJANGOS = WidgetsByHand(), DjangoTemplates()  # a new one would read every template again


@pytest.mark.parametrize("widget", WIDGETS, ids=lambda widget: type(widget).__name__)
@pytest.mark.parametrize("attrs", [None, {"id": "id_x"}, {"id": 'q"', "aria-describedby": "<h>", "data-on": True}])
def test_a_widget_is_drawn_as_by_its_template(widget, attrs):
    for value in [*ODD, ["a", "g"], ['"']]:
        ours = widget.render("na<me", value, attrs, renderer=OURS)
        assert close(ours) == close(widget.render("na<me", value, attrs, renderer=DJANGOS))


def close(markup: str) -> str:
    """Without white space between tags."""
    return " ".join(markup.split()).replace(" <", "<").replace("> ", ">")


def test_forms_are_drawn_so():
    assert isinstance(get_default_renderer(), WidgetsByHand)
