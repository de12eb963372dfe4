"""Template filters for form fields."""

from __future__ import annotations

from django import template
from django.forms import BoundField, ModelChoiceField, RadioSelect, Select

register = template.Library()


@register.filter
def may_stay_empty(field: BoundField) -> bool:
    """Return whether the field may be left empty; False for a choice that always has a value."""
    if field.field.required:
        return False
    widget = field.field.widget
    if isinstance(field.field, ModelChoiceField) or not isinstance(widget, RadioSelect | Select):
        return True
    values = {str(value) for value, _label in widget.choices}
    if isinstance(widget, RadioSelect):
        return str("" if field.value() is None else field.value()) not in values
    return widget.allow_multiple_selected or "" in values
