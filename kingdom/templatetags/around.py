"""Template tags for the surroundings of a page: its campaign, or the kingdom of a commander."""

from __future__ import annotations

from typing import NamedTuple

from django import template
from django.template import Context

from kingdom.access.queries import reads_kingdom
from kingdom.campaign.page import campaign_around
from kingdom.models import Campaign, Kingdom
from kingdom.realms.figures import get_realm_law

register = template.Library()


@register.simple_tag(name="campaign_around", takes_context=True)
def around(context: Context) -> Campaign | None:
    request = context.get("request")
    return campaign_around(request) if request else None


class KingdomTabs(NamedTuple):
    """Context of the tabs of a kingdom's pages. `stores`: the ruleset has stores."""

    kingdom: Kingdom
    stores: bool


@register.simple_tag(takes_context=True)
def kingdom_around(context: Context, kingdom: Kingdom) -> KingdomTabs | None:
    """Return the kingdom's tabs, for readers of its pages; else None."""
    if not reads_kingdom(context["user"], kingdom):
        return None
    return KingdomTabs(kingdom, bool(get_realm_law(kingdom.campaign).market_rule))
