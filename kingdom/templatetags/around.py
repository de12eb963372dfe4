"""Template tag for the campaign around a page that is none of its own."""

from __future__ import annotations

from django import template
from django.template import Context

from kingdom.campaign.frame import campaign_around
from kingdom.models import Campaign

register = template.Library()


@register.simple_tag(name="campaign_around", takes_context=True)
def around(context: Context) -> Campaign | None:
    request = context.get("request")
    return campaign_around(request) if request else None
