"""Declaration of ready unit types."""

from __future__ import annotations

from dataclasses import dataclass

from rules.core.text import Term, _
from rules.pathfinder.catalogue.units.homes import HOMES
from rules.pathfinder.spec import AbilityChoice, UnitSpec

FAMILIES: dict[str, Term] = {
    "humanoids": _("Humanoids"),
    "giants": _("Giants"),
    "monsters": _("Monsters"),
    "animals": _("Animals"),
    "mounts": _("Mounts and riding beasts"),
    "undead": _("Undead"),
    "constructs": _("Constructs"),
    "elementals": _("Elementals"),
    "outsiders": _("Outsiders"),
    "other": _("Other units"),
}


@dataclass(frozen=True, slots=True)
class UnitKind:
    """A unit type of the library: its slug, its translatable name, the family it is listed under, its figures.

    `homes`: the terrains of travel it is at home in; none means any.
    """

    slug: str
    name: Term
    family: str
    unit: UnitSpec
    homes: tuple[str, ...] = ()


def ability(slug: str, value: int | None = None, **options: object) -> AbilityChoice:
    return AbilityChoice(slug, value, options)


def kind(
    slug: str,
    name: Term,
    cr: str,
    hit_die: str,
    speed_m: float,
    alignment: str = "N",
    *abilities: AbilityChoice | str,
    family: str = "humanoids",
    creature_type: str = "humanoid",
    level: int = 1,
    ranged: bool = False,
) -> UnitKind:
    """A line of the library. A bare ability slug is an ability without number or options."""
    chosen = tuple(AbilityChoice(a) if isinstance(a, str) else a for a in abilities)
    unit = UnitSpec(str(name), cr, hit_die, speed_m, creature_type, alignment, level, ranged, chosen)
    return UnitKind(slug, name, family, unit, HOMES.get(slug, ()))
