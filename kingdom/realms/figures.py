"""Figures of kingdoms and settlements, each with its lines, by the campaign's ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kingdom.campaign import house_rules
from kingdom.models import Campaign, Kingdom, Settlement
from rules.core.breakdown import Breakdown
from rules.realm import RealmLaw
from rules.registry import ruleset as find_ruleset


def get_ruleset(campaign: Campaign) -> Any:
    """The ruleset the campaign is played by, its house rules applied."""
    return find_ruleset(campaign.ruleset, campaign.house_rules)


def get_realm_law(campaign: Campaign) -> RealmLaw:
    """What that ruleset says of kingdoms."""
    realm: RealmLaw = get_ruleset(campaign).realm
    return realm


def house_rules_of(campaign: Campaign) -> dict[str, Any]:
    """Every house rule with its value."""
    return house_rules.all_house_rules(campaign.house_rules, campaign.ruleset)


def count_districts(kingdom: Kingdom) -> int:
    """Districts that count: those of the settlements, or what was noted on the sheet when that is more.

    So a kingdom kept without settlements has its figure, and a settlement on record is never ignored.
    """
    counted: int | None = getattr(kingdom, "town_districts", None)  # on boards
    if counted is None:
        counted = sum(settlement.districts for settlement in kingdom.settlements.all())
    return max(kingdom.districts, counted)


def read_figures(kingdom: Kingdom) -> dict[str, int | None]:
    """The kingdom's sheet, as its law reads it. Reads the settlements: prefetch them in lists."""
    known = get_realm_law(kingdom.campaign).sheet
    return {slug: count_districts(kingdom) if slug == "districts" else getattr(kingdom, slug) for slug in known}


def derive_figures(kingdom: Kingdom) -> Mapping[str, Breakdown]:
    """What follows from the sheet, by the law's slugs. Reads the settlements: prefetch them in lists."""
    return get_realm_law(kingdom.campaign).derive(read_figures(kingdom))


def check_target(kingdom: Kingdom) -> int:
    """What a kingdom check must reach unless somebody says otherwise; 0 where there are no checks."""
    checks = get_realm_law(kingdom.campaign).checks
    return derive_figures(kingdom)[checks.target].total if checks else 0


def compute_defense(settlement: Settlement) -> Breakdown | None:
    """What the settlement is worth to its defenders; None where its law knows no such figure."""
    realm = get_realm_law(settlement.kingdom.campaign)
    return realm.defense(settlement.buildings, settlement.defense_override)


def buildings_of(kingdom: Kingdom) -> set[str]:
    """Slugs of every building that stands in a settlement of the kingdom."""
    if "settlements" in getattr(kingdom, "_prefetched_objects_cache", ()):
        return {slug for settlement in kingdom.settlements.all() for slug in settlement.buildings}
    rows = Settlement.objects.filter(kingdom=kingdom).order_by().values_list("buildings", flat=True)
    return {slug for buildings in rows for slug in buildings}
