"""Template filters for texts on kingdom pages."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django import template
from django.urls import reverse
from django.utils.translation import gettext

from core.text import build_absolute_url, load_said, render
from kingdom.campaign.queries import format_distinction, name_apart

register = template.Library()


@register.filter
def told(data: Any) -> str:
    """Return text stored as JSON (a ledger reason, a chronicle line) in the reader's language."""
    return render(load_said(data))


@register.filter
def who(user: Any) -> str:
    """Return the name of a user; "former member" for a deleted account."""
    return str(user) if user else gettext("former member")


@register.filter
def at(mapping: Mapping[Any, Any], key: Any) -> Any:
    """Return the value of a key, or an empty tuple."""
    return mapping.get(key, ())


register.simple_tag(format_distinction, name="told_apart")
register.simple_tag(name_apart)


@register.simple_tag(takes_context=True)
def invitation_url(context: Mapping[str, Any], invitation: Any) -> str:
    """Return the full address of an invitation, to be copied."""
    return build_absolute_url(context["request"], reverse("kingdom:invitation", args=[invitation.token]))
