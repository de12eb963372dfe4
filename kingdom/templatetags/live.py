"""Template tags for live pages, and for counts of what awaits the reader.

A page that refreshes sends a hash of what it shows (`Live-Seen`). If nothing has changed it gets 204
(`kingdom.rendering.render_page`), else its title, its <main> and its counts without the rest of the page.
"""

from __future__ import annotations

import re
from hashlib import blake2b
from typing import Any, NamedTuple

from django import template
from django.template import Context, NodeList
from django.template.base import Parser, Token
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from kingdom.access.queries import is_gm
from kingdom.approvals.serializers import count_waiting
from kingdom.campaign.awaiting_counts import awaiting
from kingdom.members.queries import is_landless
from kingdom.models import Campaign

register = template.Library()

TOKENS = re.compile(r'name="csrfmiddlewaretoken" value="[^"]*"')  # differs in each response without meaning


class PageSeen(NamedTuple):
    """Version of a page: the hash of its content, and the campaign's revision at which it was read."""

    seen: str
    revision: int


class Main(template.Node):
    child_nodelists = ("about", "inside")

    def __init__(self, about: NodeList, inside: NodeList):
        self.about, self.inside = about, inside

    def render(self, context: Context) -> SafeString:
        about, request = self.about.render(context), context.get("request")
        campaign: Campaign | None = getattr(request, "followed", None)
        if campaign is None:
            return mark_safe(f'<main id="main" tabindex="-1"{about}>{self.inside.render(context)}</main>')
        around = {
            "landless": str(landless(context, campaign)),
            "waits": str(waits(context, campaign)),
            "battles-wait": str(awaits(context, campaign, "battles")),
        }
        inside = self.inside.render(context)
        shown = request.shown = PageSeen(_mark("".join((inside, *around.values()))), campaign.revision)  # type: ignore[union-attr]
        opening = f'<main id="main" tabindex="-1"{about} data-version="{shown.revision}" data-seen="{shown.seen}">'
        again = "".join(map(_out_of_band, around, around.values())) if context.get("again") else ""
        return mark_safe(f"{opening}{inside}</main>{again}")


@register.tag
def main(parser: Parser, token: Token) -> Main:
    """Parse {% main %}attributes of <main>{% inside %}its content{% endmain %}"""
    about = parser.parse(("inside",))
    parser.delete_first_token()
    inside = parser.parse(("endmain",))
    parser.delete_first_token()
    return Main(about, inside)


@register.simple_tag(takes_context=True)
def follows(context: Context, campaign: Campaign, beside: str = "") -> SafeString:
    """Return the attribute that makes this page follow its campaign, with `beside` also its battles.

    Only for GET: a refresh would remove the errors of a submitted form.
    """
    request: Any = context["request"]
    if request.method != "GET":
        return SafeString()
    request.followed = campaign
    more = "&beside" if beside else ""
    url = f"{reverse('kingdom:live', args=['campaign', campaign.pk])}?version={campaign.revision}{more}"
    return format_html(' data-live-url="{}"', url)


@register.simple_tag(takes_context=True)
def waits(context: Context, campaign: Campaign) -> SafeString:
    """Return the number of waiting requests as a badge for the GM; else nothing."""
    user = context["request"].user
    count = count_waiting(campaign) if is_gm(user, campaign) else 0
    told = ngettext("request waits", "requests wait", count)
    badge = '<b class="badge warn">{}<span class="visually-hidden"> {}</span></b>'
    return format_html(badge, count, told) if count else SafeString()


@register.simple_tag(takes_context=True)
def awaits(context: Context, campaign: Campaign, tab: str) -> SafeString:
    """Return how much of this tab awaits the reader as a badge; nothing for 0."""
    return tab_badge(context["request"].user, campaign, tab)


def tab_badge(user: Any, campaign: Campaign, tab: str) -> SafeString:
    """Return the badge of a tab for this user."""
    count = awaiting(user, campaign, tab)
    told = ngettext("waits for you", "wait for you", count)
    badge = '<b class="badge warn">{}<span class="visually-hidden"> {}</span></b>'
    return format_html(badge, count, told) if count else SafeString()


@register.simple_tag(takes_context=True)
def landless(context: Context, campaign: Campaign) -> SafeString:
    """Return a notice for a player without a kingdom, on every page but the campaign's own, which says more."""
    request: Any = context["request"]
    board = reverse("kingdom:campaign", args=[campaign.pk])
    if request.path == board or not is_landless(request.user, campaign):
        return SafeString()
    said, onward = _("You have no kingdom yet. The GM assigns kingdoms."), _("What you can do until then")
    return format_html('<p>{} <a href="{}#your-kingdom">{}</a></p>', said, board, onward)


def _out_of_band(place: str, html: str) -> str:
    return f'<div id="{place}" hx-swap-oob="innerHTML">{html}</div>'


def _mark(html: str) -> str:
    return blake2b(TOKENS.sub("", html).encode(), digest_size=12).hexdigest()


@register.filter(is_safe=True)
def live_attribute(url: str) -> SafeString:
    """Return `data-live-url` for <main>, if the page has one."""
    return format_html(' data-live-url="{}"', url.strip()) if url.strip() else SafeString()
