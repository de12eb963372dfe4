"""What a campaign changes of the content (PF-HOUSE): items switched off do nothing, some numbers are its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from tests.rules.pathfinder.oracle import tables as t


def is_off(house: Mapping[str, Any], kind: str, slug: str) -> bool:
    """Kinds: abilities, boons, conditions, resources, tactics."""
    return bool(_item(house, kind, slug).get("off"))


def all_off(house: Mapping[str, Any], kind: str) -> set[str]:
    """Everything of this kind the campaign does without."""
    return {slug for slug, item in house.get("overlay", {}).get(kind, {}).items() if item.get("off")}


def leadership_for(house: Mapping[str, Any], boon: str) -> int | None:
    """The leadership this boon asks for; None where it asks for none."""
    needed = _item(house, "boons", boon).get("leadership", t.BOON_LEADERSHIP.get(boon))
    return needed or None


def potion_price(house: Mapping[str, Any]) -> int:
    """What a use of healing potions adds to the week's Consumption, before the size factor (R-22)."""
    return int(_item(house, "resources", "healing-potions").get("consumption", 3))


def _item(house: Mapping[str, Any], kind: str, slug: str) -> Mapping[str, Any]:
    found: Mapping[str, Any] = house.get("overlay", {}).get(kind, {}).get(slug, {})
    return found
