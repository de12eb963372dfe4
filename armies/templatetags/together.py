"""Template tags for orders to several armies."""

from __future__ import annotations

from django import template
from django.forms.boundfield import BoundField

from armies.bulk.forms import EachForm
from armies.models import Army

register = template.Library()


@register.simple_tag
def field_of(form: EachForm, army: Army) -> BoundField | None:
    """The form's field for this army; None where the deed asks for none."""
    return form.of(army)
