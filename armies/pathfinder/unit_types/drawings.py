"""Drawings for unit types without a picture, and the slug of a unit type by its name."""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Any

from django.conf import settings
from django.utils import translation

from armies.pathfinder.unit_types.services import make_stem
from core.text import render
from core.text_search import fold_name
from rules.pathfinder.catalogue.units import UNITS

DRAWINGS: Mapping[str, str] = {
    "aberration": "beast", "animal": "beast", "construct": "construct", "dragon": "winged", "fey": "plant",
    "humanoid": "foot", "magical-beast": "beast", "monstrous-humanoid": "giant", "ooze": "elemental",
    "outsider": "elemental", "plant": "plant", "undead": "undead", "vermin": "beast",
}  # fmt: skip
"""Symbols of static/portraits.svg by creature type."""
BY_ABILITY: Mapping[str, str] = {"mount": "rider", "flight": "winged", "spellcasting": "caster"}


def choose_drawing(unit: Mapping[str, Any], *, mounted: bool = False) -> str:
    """Symbol for a unit in the shape of the API."""
    if mounted:
        return "rider"
    drawing = DRAWINGS.get(unit["creature_type"], "foot")
    if drawing not in ("foot", "beast"):
        return drawing
    has = {choice["ability"] for choice in unit["abilities"]}
    special = next((symbol for ability, symbol in BY_ABILITY.items() if ability in has), "")
    return special or ("archer" if unit["ranged"] and drawing == "foot" else drawing)


def find_slug(name: str) -> str:
    """Slug of the unit type with this name: the library's in any language, else the one that a new type would get."""
    return _library().get(fold_name(name)) or make_stem(name)


@cache
def _library() -> dict[str, str]:
    found: dict[str, str] = {}
    for language, _name in settings.LANGUAGES:
        with translation.override(language):
            found |= {fold_name(render(kind.name)): slug for slug, kind in UNITS.items()}
    return found
