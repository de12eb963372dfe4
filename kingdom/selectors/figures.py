"""Figures of kingdoms and settlements, each with its lines."""

from __future__ import annotations

from typing import Any

from kingdom import house_rules
from kingdom.models import Campaign, Kingdom, Settlement
from rules.breakdown import Breakdown
from rules.pathfinder import kingdom as law
from rules.registry import ruleset as find_ruleset


def ruleset_of(campaign: Campaign) -> Any:
    """The ruleset the campaign is played by, its house rules applied."""
    return find_ruleset(campaign.ruleset, campaign.house_rules)


def house_rules_of(campaign: Campaign) -> dict[str, Any]:
    """Every house rule with its value."""
    return house_rules.all_house_rules(campaign.house_rules, campaign.ruleset)


def districts_of(kingdom: Kingdom) -> int:
    """Districts that count: those of the settlements, or what was noted on the sheet when that is more.

    So a kingdom kept without settlements has its figure, and a settlement on record is never ignored.
    """
    return max(kingdom.districts, sum(settlement.districts for settlement in kingdom.settlements.all()))


def control_dc(kingdom: Kingdom) -> Breakdown:
    """What a kingdom check must reach (PF-8.2). Reads the settlements: prefetch them in lists."""
    return law.control_dc(
        size=kingdom.size,
        districts=districts_of(kingdom),
        modifier=kingdom.control_dc_modifier,
        override=kingdom.control_dc_override,
    )


def settlement_defense(settlement: Settlement) -> Breakdown:
    """The settlement's Defense (PF-8.3)."""
    return law.settlement_defense(settlement.buildings, settlement.defense_override)


def buildings_of(kingdom: Kingdom) -> set[str]:
    """Slugs of every building that stands in a settlement of the kingdom."""
    return {slug for settlement in kingdom.settlements.all() for slug in settlement.buildings}
