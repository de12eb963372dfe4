"""The kingdom: control DC, settlement Defense, kingdom checks and unrest (PF-3.1, PF-8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from rules.breakdown import Breakdown, Line
from rules.text import Said, Term, _, say

CONTROL_DC_BASE = 20
ANARCHY = 20
DEFENSE_WITHOUT_FIGURE = 8  # PF-4: a fortification whose place has no Defense of its own
SIDES_PER_DISTRICT = 4

ATTRIBUTES: Mapping[str, Term] = {
    "economy": _("Economy"),
    "loyalty": _("Loyalty"),
    "stability": _("Stability"),
}


@dataclass(frozen=True, slots=True)
class Building:
    """Something a settlement has: what it is for, and the Defense each one adds (PF-8.3)."""

    slug: str
    name: Term
    summary: Term
    rule: str
    defense: int = 0
    per_side: bool = False


def _armoury(slug: str, name: Term) -> Building:
    return Building(slug, name, _("Sells improved and magic armor and weapons to armies."), "PF-5")


def _potions(slug: str, name: Term) -> Building:
    return Building(slug, name, _("Sells healing potions to armies."), "PF-5")


def _engines(slug: str, name: Term) -> Building:
    return Building(slug, name, _("Builds siege engines for armies."), "PF-5")


def _mounts(slug: str, name: Term) -> Building:
    return Building(slug, name, _("Sells mounts to armies."), "PF-5")


_ALL = (
    Building(
        "foreign-quarter",
        _("Foreign quarter"),
        _("Sells improved and magic gear, siege engines and mounts to armies."),
        "PF-5",
    ),
    Building(
        "military-academy",
        _("Military academy"),
        _("Sells improved and magic gear and siege engines to armies."),
        "PF-5",
    ),
    _armoury("smithy", _("Smithy")),
    _engines("academy", _("Academy")),
    _engines("university", _("University")),
    _mounts("stable", _("Stable")),
    _mounts("stockyard", _("Stockyard")),
    _potions("alchemist", _("Alchemist")),
    _potions("casters-tower", _("Caster’s tower")),
    _potions("cathedral", _("Cathedral")),
    _potions("herbalist", _("Herbalist")),
    _potions("magic-shop", _("Magic shop")),
    _potions("magical-academy", _("Magical academy")),
    _potions("temple", _("Temple")),
    Building("city-wall", _("City wall"), _("Defense +1 for each side of a district it closes."), "PF-8.3", 1, True),
    Building("moat", _("Moat"), _("Defense +1 for each side of a district it closes."), "PF-8.3", 1, True),
    Building("barracks", _("Barracks"), _("Defense +2."), "PF-8.3", 2),
    Building("watchtower", _("Watchtower"), _("Defense +2."), "PF-8.3", 2),
    Building("castle", _("Castle"), _("Defense +8."), "PF-8.3", 8),
    Building("fort", _("Fort"), _("Defense +4, on the map outside a town."), "PF-8.3", 4),
)

BUILDINGS: Mapping[str, Building] = {building.slug: building for building in _ALL}


def control_dc(*, size: int, districts: int, modifier: int = 0, override: int | None = None) -> Breakdown:
    """What a kingdom check must reach (PF-8.2). An override is the whole figure."""
    if override is not None:
        return Breakdown((Line(_("Set by the GM"), override, "PF-8.2"),))
    return (
        Breakdown((Line(_("Base"), CONTROL_DC_BASE, "PF-8.2"),))
        .plus(_("Size in hexes"), size, "PF-8.2")
        .plus(_("Settlement districts"), districts, "PF-8.2")
        .plus(_("Modifier"), modifier, "PF-8.2")
    )


def settlement_defense(buildings: Iterable[str], override: int | None = None) -> Breakdown:
    """Defense of a settlement from its buildings, counted as often as they stand (PF-8.3)."""
    if override is not None:
        return Breakdown((Line(_("Set by the GM"), override, "PF-8.3"),))
    counted = Counter(buildings)
    return Breakdown(
        tuple(
            Line(counted_building(BUILDINGS[slug], counted[slug]), BUILDINGS[slug].defense * counted[slug], "PF-8.3")
            for slug in BUILDINGS
            if counted[slug] and BUILDINGS[slug].defense
        )
    )


def counted_building(building: Building, count: int) -> Said:
    return building.name if count == 1 else say(_("{building} × {count}"), building=building.name, count=count)


@dataclass(frozen=True, slots=True)
class KingdomCheck:
    """A kingdom check and its arithmetic: `roll` is the natural d20, `total` what counts."""

    attribute: str
    roll: int
    dc: int
    success: bool
    breakdown: Breakdown

    @property
    def total(self) -> int:
        return self.breakdown.total

    @property
    def margin(self) -> int:
        """By how much it succeeded (0 or more) or failed (negative)."""
        return self.total - self.dc


def kingdom_check(*, attribute: str, value: int, unrest: int, dc: int, roll: int, disease: int = 0) -> KingdomCheck:
    """d20 + attribute − Unrest against `dc`; a natural 1 fails, a natural 20 succeeds (PF-3.1).

    `disease` is the penalty of an ill army, subtracted from the check that may cure it (PF-7.3).

    In anarchy (Unrest 20 or more) the check counts as 0 (PF-8.4) and no natural roll saves it.
    """
    lines = (
        Breakdown((Line(_("d20"), roll, "PF-3.1"),))
        .plus(ATTRIBUTES[attribute], value, "PF-8.1")
        .plus(_("Unrest"), -unrest, "PF-8.1")
        .plus(_("Disease"), -disease, "PF-7.3")
    )
    if unrest >= ANARCHY:
        lines = lines.plus(_("Anarchy: the check counts as 0"), -lines.total, "PF-8.4")
        return KingdomCheck(attribute, roll, dc, dc <= 0, lines)
    success = roll == 20 or (roll != 1 and lines.total >= dc)
    return KingdomCheck(attribute, roll, dc, success, lines)


def stability_unrest(check: KingdomCheck, d4: int) -> int:
    """How the upkeep phase's Stability check moves Unrest (PF-8.4). `d4` counts on a bad failure only."""
    if check.success:
        return -1
    return d4 if check.margin <= -5 else 1


def upkeep_unrest(*, treasury: int, attributes: Iterable[int]) -> Breakdown:
    """Unrest gained in the upkeep phase beside the Stability check (PF-8.4)."""
    negative = sum(value < 0 for value in attributes)
    return (
        Breakdown()
        .plus(_("Treasury below 0"), 2 if treasury < 0 else 0, "PF-8.4")
        .plus(_("Negative attributes"), negative, "PF-8.4")
    )
