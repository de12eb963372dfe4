"""Campaign templates by ruleset. Whoever can fill a campaign contributes a source of them."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

from kingdom.contributions import contributed
from rules.core.errors import demand
from rules.core.text import Said, _
from rules.registry import RULESETS


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
    demand(slug in found, _("This ruleset has no such template. It has: {known}."), field="/template", known=known)
    return found[slug]
