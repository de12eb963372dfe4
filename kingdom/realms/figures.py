"""Figures of kingdoms and settlements with their breakdowns, by the campaign's ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from kingdom.campaign import house_rules
from kingdom.models import Campaign, Kingdom, Settlement
from rules.core.breakdown import Breakdown
from rules.realm import RealmLaw
from rules.registry import ruleset as find_ruleset


def get_ruleset(campaign: Campaign) -> Any:
    """Return the campaign's ruleset with its house rules applied."""
    return find_ruleset(campaign.ruleset, campaign.house_rules)


def get_realm_law(campaign: Campaign) -> RealmLaw:
    """Return the ruleset's rules for kingdoms."""
    realm: RealmLaw = get_ruleset(campaign).realm
    return realm


def house_rules_of(campaign: Campaign) -> dict[str, Any]:
    """Return every house rule with its value."""
    return house_rules.all_house_rules(campaign.house_rules, campaign.ruleset)


def count_districts(kingdom: Kingdom) -> int:
    """Return the number of districts: those of the settlements, or the number on the sheet if that is greater.

    So a kingdom without recorded settlements keeps its number, and a recorded settlement always counts.
    """
    counted: int | None = getattr(kingdom, "town_districts", None)  # annotated on the campaign's page
    if counted is None:
        counted = sum(settlement.districts for settlement in kingdom.settlements.all())
    return max(kingdom.districts, counted)


def read_figures(kingdom: Kingdom) -> dict[str, int | None]:
    """Return the figures on the kingdom's sheet by slug. Reads the settlements: prefetch them for lists."""
    known = get_realm_law(kingdom.campaign).sheet
    return {slug: count_districts(kingdom) if slug == "districts" else getattr(kingdom, slug) for slug in known}


def derive_figures(kingdom: Kingdom) -> Mapping[str, Breakdown]:
    """Return the figures derived from the sheet, by the ruleset's slugs. Reads the settlements: prefetch them for
    lists.
    """
    return get_realm_law(kingdom.campaign).derive(read_figures(kingdom))


def check_target(kingdom: Kingdom) -> int:
    """Return the default DC of a kingdom check; 0 if the ruleset has no checks."""
    checks = get_realm_law(kingdom.campaign).checks
    return derive_figures(kingdom)[checks.target].total if checks else 0


def compute_defense(settlement: Settlement) -> Breakdown | None:
    """Return the settlement's Defense; None if the ruleset has no such figure."""
    realm = get_realm_law(settlement.kingdom.campaign)
    return realm.defense(settlement.buildings, settlement.defense_override)


def buildings_of(kingdom: Kingdom) -> set[str]:
    """Return the slugs of all buildings in the kingdom's settlements."""
    if "settlements" in getattr(kingdom, "_prefetched_objects_cache", ()):
        return {slug for settlement in kingdom.settlements.all() for slug in settlement.buildings}
    rows = Settlement.objects.filter(kingdom=kingdom).order_by().values_list("buildings", flat=True)
    return {slug for buildings in rows for slug in buildings}
