"""Templates of campaigns and demo campaigns, by ruleset. Apps contribute them."""

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
    """A template. `fill(by=user, campaign=campaign)` fills a new campaign through the services."""

    slug: str
    name: Said
    text: Said
    icon: str
    fill: Callable[..., object]


Source = Callable[[str], Iterable[CampaignTemplate]]
"""`source(ruleset)` returns the templates for a ruleset's slug."""


def list_templates(ruleset: str) -> dict[str, CampaignTemplate]:
    """Return the templates of one ruleset, by slug."""
    return {one.slug: one for source in contributed().templates for one in source(ruleset)}


def list_all_templates() -> dict[str, CampaignTemplate]:
    """Return the templates of all rulesets, each once."""
    return {slug: one for law in reversed(RULESETS) for slug, one in list_templates(law).items()}


def find_template(slug: str, ruleset: str) -> CampaignTemplate:
    """Return the template with this slug. Raises `InvalidInput` if the ruleset lacks it."""
    found = list_templates(ruleset)
    known = ", ".join(found) or "–"
    demand(slug in found, _("Unknown template for this ruleset. Use one of: {known}."), field="/template", known=known)
    return found[slug]


# Demo campaigns, created by makers that apps contribute for each ruleset.


LOADED = Limit("demo", 3, 60)
DemoMaker = str | Callable[..., Any]
"""`maker(owner=user)` creates a ruleset's demo campaign and returns it; a dotted path is imported when needed."""


def list_demos() -> list[tuple[str, Said]]:
    """Return the rulesets with a demo, by slug and name."""
    return [(slug, ruleset(slug).name) for slug in contributed().demos]


def load(*, owner: User, law: str = "") -> Campaign:
    """Create a demo campaign with `owner` as its GM, of this ruleset or the first that has one.

    Raises Http404 if there is no demo, `IllegalCommand` for too many in an hour: each is some thousand rows.
    """
    makers = contributed().demos
    if not makers or (law and law not in makers):
        raise Http404
    wait = count_attempt(LOADED, str(owner.pk))
    require(not wait, _("You can create {most} demo campaigns per hour. Try again in {minutes} min."),
            most=LOADED.most, minutes=math.ceil(wait / 60))  # fmt: skip
    return make(owner=owner, law=law)


def make(*, owner: User, law: str = "") -> Campaign:
    """Create a demo campaign for the administrator, without a limit."""
    makers = contributed().demos
    maker = makers[law or next(iter(makers))]
    found = import_string(maker) if isinstance(maker, str) else maker
    campaign: Campaign = found(owner=owner)
    return campaign
