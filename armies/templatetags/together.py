"""Template tags for orders to many armies."""

from __future__ import annotations

from django import template
from django.forms.boundfield import BoundField

from armies.bulk.forms import EachForm
from armies.models import Army

register = template.Library()


@register.simple_tag
def field_of(form: EachForm, army: Army) -> BoundField | None:
    """The field that chooses for this army, if the deed asks for one."""
    return form.of(army)
