"""Armies of sieges as the law keeps them."""

from __future__ import annotations

from typing import Any

from armies.models import Army
from kingdom.models import Kingdom


def foot(strength: int, combat: int = 8, **given: Any) -> dict[str, Any]:
    """Five points a head."""
    unit = {"name": "Foot", "type": "infantry", "strength": strength, "combat": combat, "armour": 0,
            "group": "contact", "weapons": ["sword"]}  # fmt: skip
    return {**unit, **given}


def guns(pieces: int, combat: int = 6) -> dict[str, Any]:
    """Four men and a fire power of 20 a piece."""
    return {"name": "Guns", "type": "artillery", "strength": pieces * 4, "combat": combat, "armour": 1,
            "group": "shooting", "weapons": ["8-pounder"], "pieces": pieces}  # fmt: skip


def army(kingdom: Kingdom, name: str, *units: dict[str, Any], **given: Any) -> Army:
    """As the law keeps it."""
    able = sum(unit["strength"] for unit in units)
    wounded = sum(unit.get("wounded", 0) for unit in units)
    sheet = {"units": list(units), "version": 1}
    figures: dict[str, Any] = {"health": able, "health_max": able + wounded, "sheet": sheet, **given}
    return Army.objects.create(campaign=kingdom.campaign, kingdom=kingdom, name=name, **figures)


def again(row: Any) -> Any:
    """The row as it is now."""
    return type(row)._default_manager.get(pk=row.pk)
