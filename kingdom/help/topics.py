"""Topics of the Help page, and the topic of each page of the site."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from kingdom.access.guests import is_account_page


class Topic(NamedTuple):
    """A part of the Help page. `slug` is its anchor."""

    slug: str
    title: Promise | str
    template: str


TOPICS = (
    Topic("start", _("How to start"), "kingdom/help/start.html"),
    Topic("evening", _("An evening in ten lines"), "kingdom/help/evening.html"),
    Topic("campaign", _("Campaign"), "kingdom/help/campaign.html"),
    Topic("kingdoms", _("Kingdoms and treasury"), "kingdom/help/kingdoms.html"),
    Topic("armies", _("Armies and commanders"), "kingdom/help/armies.html"),
    Topic("map", _("Map and marches"), "kingdom/help/map.html"),
    Topic("time", _("Time"), "kingdom/help/time.html"),
    Topic("battles", _("Battles"), "kingdom/help/battles.html"),
    Topic("members", _("Members and invitations"), "kingdom/help/members.html"),
    Topic("account", _("Account"), "kingdom/help/account.html"),
    Topic("rulesets", _("Rulesets and terms"), "kingdom/help/rulesets.html"),
    Topic("shortcuts", _("Keyboard shortcuts"), "kingdom/help/shortcuts.html"),
    Topic("install", _("Install as an app"), "kingdom/help/install.html"),
)

PAGES: Mapping[str, tuple[str, ...]] = {
    "kingdoms": (
        "kingdom:kingdom", "kingdom:kingdom_new", "kingdom:kingdom_edit", "kingdom:kingdom_entry",
        "kingdom:kingdom_check", "kingdom:outlook", "kingdom:arms", "kingdom:ledger", "kingdom:plan",
        "kingdom:planned", "kingdom:settlement_new", "kingdom:settlement_edit",
    ),
    "armies": ("kingdom:people",),
    "map": (
        "armies:map", "armies:map_make", "armies:map_rules", "armies:army_march", "armies:army_place",
        "armies:army_way", "kingdom:map_paint", "kingdom:map_sheet",
    ),
    "time": ("armies:time", "kingdom:calendar"),
    "members": ("kingdom:members", "kingdom:invite", "kingdom:invitation", "kingdom:shares"),
    "account": ("kingdom:account", "kingdom:tokens", "kingdom:security", "kingdom:account_delete", "kingdom:keep_seat"),
    "rulesets": ("battles:codex", "kingdom:rule", "kingdom:rule_item"),
    "start": ("kingdom:home", "kingdom:help", "kingdom:campaign_new"),
}  # fmt: skip
"""View names by topic. All other pages belong to the topic of their app."""
ENTRANCES = ("account_signup", "account_login")
_TOPIC_OF_PAGE = {page: topic for topic, pages in PAGES.items() for page in pages}
_TOPIC_OF_APP = {"kingdom": "campaign", "armies": "armies", "battles": "battles"}


def find_topic(page: str) -> str:
    """Return the slug of the topic for a page's view name ("armies:map"); "" for none."""
    if page in ENTRANCES:
        return "start"
    if is_account_page(page):
        return "account"
    return _TOPIC_OF_PAGE.get(page) or _TOPIC_OF_APP.get(page.partition(":")[0], "")
