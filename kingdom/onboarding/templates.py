"""Campaign templates by ruleset. Kingdoms know no armies, so whoever can fill a campaign registers how (`register`): a
source is asked for what it offers under a ruleset.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import NamedTuple

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
_sources: list[Source] = []


def register(source: Source) -> None:
    """`source(law's slug)` gives the templates there are under this law."""
    if source not in _sources:
        _sources.append(source)


def list_templates(ruleset: str) -> dict[str, CampaignTemplate]:
    """Those of one law, by slug."""
    return {one.slug: one for source in _sources for one in source(ruleset)}


def list_all_templates() -> dict[str, CampaignTemplate]:
    """Those of all laws there are, each once."""
    return {slug: one for law in reversed(RULESETS) for slug, one in list_templates(law).items()}


def find_template(slug: str, ruleset: str) -> CampaignTemplate:
    """The template of this name. Raises `InvalidInput` where the law has none of it."""
    found = list_templates(ruleset)
    known = ", ".join(found) or "–"
    demand(slug in found, _("This ruleset has no such template. It has: {known}."), field="/template", known=known)
    return found[slug]
