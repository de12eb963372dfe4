"""Figures of kingdoms and settlements, each with its lines, by the campaign's ruleset."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any
from uuid import UUID

from core.db.compiled_queries import CompiledQuery
from kingdom.campaign import house_rules
from kingdom.models import Campaign, Kingdom, Settlement
from rules.core.breakdown import Breakdown
from rules.realm import RealmLaw
from rules.registry import ruleset as find_ruleset


def ruleset_of(campaign: Campaign) -> Any:
    """The ruleset the campaign is played by, its house rules applied."""
    return find_ruleset(campaign.ruleset, campaign.house_rules)


def realm_of(campaign: Campaign) -> RealmLaw:
    """What that ruleset says of kingdoms."""
    realm: RealmLaw = ruleset_of(campaign).realm
    return realm


def house_rules_of(campaign: Campaign) -> dict[str, Any]:
    """Every house rule with its value."""
    return house_rules.all_house_rules(campaign.house_rules, campaign.ruleset)


def districts_of(kingdom: Kingdom) -> int:
    """Districts that count: those of the settlements, or what was noted on the sheet when that is more.

    So a kingdom kept without settlements has its figure, and a settlement on record is never ignored.
    """
    counted: int | None = getattr(kingdom, "town_districts", None)  # on boards
    if counted is None:
        counted = sum(settlement.districts for settlement in kingdom.settlements.all())
    return max(kingdom.districts, counted)


def figures_of(kingdom: Kingdom) -> dict[str, int | None]:
    """The kingdom's sheet, as its law reads it. Reads the settlements: prefetch them in lists."""
    known = realm_of(kingdom.campaign).sheet
    return {slug: districts_of(kingdom) if slug == "districts" else getattr(kingdom, slug) for slug in known}


def derived_of(kingdom: Kingdom) -> Mapping[str, Breakdown]:
    """What follows from the sheet, by the law's slugs. Reads the settlements: prefetch them in lists."""
    return realm_of(kingdom.campaign).derive(figures_of(kingdom))


def check_target(kingdom: Kingdom) -> int:
    """What a kingdom check must reach unless somebody says otherwise; 0 where there are no checks."""
    checks = realm_of(kingdom.campaign).checks
    return derived_of(kingdom)[checks.target].total if checks else 0


def settlement_defense(settlement: Settlement) -> Breakdown | None:
    """What the settlement is worth to its defenders; None where its law knows no such figure."""
    realm = realm_of(settlement.kingdom.campaign)
    return realm.defense(settlement.buildings, settlement.defense_override)


def buildings_of(kingdom: Kingdom) -> set[str]:
    """Slugs of every building that stands in a settlement of the kingdom."""
    if "settlements" in getattr(kingdom, "_prefetched_objects_cache", ()):
        return {slug for settlement in kingdom.settlements.all() for slug in settlement.buildings}
    return {slug for (buildings,) in _ask_buildings(kingdom.pk) for slug in buildings}


_ask_buildings = CompiledQuery(
    lambda kingdom: Settlement.objects.filter(kingdom=kingdom).order_by().values_list("buildings"), UUID
)
