"""Templates and demo campaigns by ruleset. Whoever can fill a campaign contributes one."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable
from typing import Any, NamedTuple

from django.http import Http404
from django.utils.module_loading import import_string

from kingdom.accounts.rate_limits import Limit, count_attempt
from kingdom.contributions import contributed
from kingdom.models import Campaign, User
from rules.core.errors import demand, require
from rules.core.text import Said, _
from rules.registry import RULESETS, ruleset


class CampaignTemplate(NamedTuple):
    """A template. `fill(by=user, campaign=campaign)` fills a campaign that was just opened, through the services."""

    slug: str
    name: Said
    text: Said
    icon: str
    fill: Callable[..., object]


Source = Callable[[str], Iterable[CampaignTemplate]]
"""`source(law's slug)` gives the templates there are under this law."""


def list_templates(ruleset: str) -> dict[str, CampaignTemplate]:
    """Those of one law, by slug."""
    return {one.slug: one for source in contributed().templates for one in source(ruleset)}


def list_all_templates() -> dict[str, CampaignTemplate]:
    """Those of all laws there are, each once."""
    return {slug: one for law in reversed(RULESETS) for slug, one in list_templates(law).items()}


def find_template(slug: str, ruleset: str) -> CampaignTemplate:
    """The template of this name. Raises `InvalidInput` where the law has none of it."""
    found = list_templates(ruleset)
    known = ", ".join(found) or "–"
    demand(slug in found, _("Unknown template for this ruleset. Use one of: {known}."), field="/template", known=known)
    return found[slug]


# Demo campaigns, by makers that apps contribute for each ruleset.


LOADED = Limit("demo", 3, 60)
DemoMaker = str | Callable[..., Any]
"""`maker(owner=user)` makes the demo campaign of a law and returns it; a dotted path is imported when needed."""


def list_demos() -> list[tuple[str, Said]]:
    """The laws of which there is one, by slug and name."""
    return [(slug, ruleset(slug).name) for slug in contributed().demos]


def load(*, owner: User, law: str = "") -> Campaign:
    """A fresh demo campaign whose GM is `owner`; where no law is named, of the first.

    Raises Http404 when nobody makes one, `IllegalCommand` when they ask for too many: one is some thousand rows.
    """
    makers = contributed().demos
    if not makers or (law and law not in makers):
        raise Http404
    wait = count_attempt(LOADED, str(owner.pk))
    require(not wait, _("You can create {most} demo campaigns per hour. Try again in {minutes} min."),
            most=LOADED.most, minutes=math.ceil(wait / 60))  # fmt: skip
    return make(owner=owner, law=law)


def make(*, owner: User, law: str = "") -> Campaign:
    """The same for whoever runs the server: as often as they like."""
    makers = contributed().demos
    maker = makers[law or next(iter(makers))]
    found = import_string(maker) if isinstance(maker, str) else maker
    campaign: Campaign = found(owner=owner)
    return campaign
