"""Every ruleset by its slug. A variant is an amendment; nothing else branches on a ruleset's name."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.errors import demand
from rules.pathfinder.ruleset import House, Ruleset
from rules.pathfinder.rulesets import COMBAT_DE_MASSE, ULTIMATE_CAMPAIGN
from rules.text import _

RULESETS: dict[str, Ruleset] = {law.slug: law for law in (COMBAT_DE_MASSE, ULTIMATE_CAMPAIGN)}


def ruleset(slug: str, house: Mapping[str, Any] | None = None) -> Ruleset:
    """The ruleset with a campaign's house rules. Raises InvalidInput for an unknown slug."""
    demand(slug in RULESETS, _("There is no ruleset “{slug}”."), field="/ruleset", slug=slug)
    law = RULESETS[slug]
    return law.with_house(House.from_json(house)) if house else law
