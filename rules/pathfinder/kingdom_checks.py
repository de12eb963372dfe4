"""Kingdom checks: control DC, settlement Defense, checks and Unrest (PF-3.1, PF-8)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass

from rules.core.breakdown import Breakdown, Line
from rules.core.content import Item
from rules.core.text import NO_WORDS, Message, Said, Term, _, say
from rules.realm import KingdomCheck
from rules.realm import counted as counted_building

CONTROL_DC_BASE = 20
ANARCHY = 20
SIDES_PER_DISTRICT = 4

__all__ = [
    "ATTRIBUTES", "BUILDINGS", "Building", "KingdomCheck", "control_dc", "counted_building", "kingdom_check",
    "kingdom_need", "settlement_defense", "stability_unrest", "upkeep_unrest",
]  # fmt: skip

ATTRIBUTES: Mapping[str, Term] = {
    "economy": _("Economy"),
    "loyalty": _("Loyalty"),
    "stability": _("Stability"),
}


@dataclass(frozen=True, slots=True)
class Building(Item):
    """Building of a settlement, with its purpose and the Defense that each one adds (PF-8.3)."""

    defense: int = 0
    per_side: bool = False


def _armoury(slug: str, name: Term) -> Building:
    return Building(slug, name, "PF-5", _("Sells improved and magic armor and weapons to armies."))


def _potions(slug: str, name: Term) -> Building:
    return Building(slug, name, "PF-5", _("Sells healing potions to armies."))


def _engines(slug: str, name: Term) -> Building:
    return Building(slug, name, "PF-5", _("Builds siege engines for armies."))


def _mounts(slug: str, name: Term) -> Building:
    return Building(slug, name, "PF-5", _("Sells mounts to armies."))


_ALL = (
    Building(
        "foreign-quarter",
        _("Foreign quarter"),
        "PF-5",
        _("Sells improved and magic gear, siege engines and mounts to armies."),
    ),
    Building(
        "military-academy",
        _("Military academy"),
        "PF-5",
        _("Sells improved and magic gear and siege engines to armies."),
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
    Building("city-wall", _("City wall"), "PF-8.3", _("Defense +1 for each district border it closes."), 1, True),
    Building("moat", _("Moat"), "PF-8.3", _("Defense +1 for each district border it closes."), 1, True),
    Building("barracks", _("Barracks"), "PF-8.3", _("Defense +2."), 2),
    Building("watchtower", _("Watchtower"), "PF-8.3", _("Defense +2."), 2),
    Building("castle", _("Castle"), "PF-8.3", _("Defense +8."), 8),
    Building("fort", _("Fort"), "PF-8.3", _("Defense +4, on the map outside a town."), 4),
)

BUILDINGS: Mapping[str, Building] = {building.slug: building for building in _ALL}


def control_dc(*, size: int, districts: int, modifier: int = 0, override: int | None = None) -> Breakdown:
    """Return the DC of kingdom checks (PF-8.2). An override replaces the whole number."""
    if override is not None:
        return Breakdown((Line(_("Set by the GM"), override, "PF-8.2"),))
    return (
        Breakdown((Line(_("Base"), CONTROL_DC_BASE, "PF-8.2"),))
        .plus(_("Size in hexes"), size, "PF-8.2")
        .plus(_("Settlement districts"), districts, "PF-8.2")
        .plus(_("Modifier"), modifier, "PF-8.2")
    )


def settlement_defense(buildings: Iterable[str], override: int | None = None) -> Breakdown:
    """Return a settlement's Defense from its buildings; repeated buildings count each time (PF-8.3)."""
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


def kingdom_check(*, attribute: str, value: int, unrest: int, dc: int, roll: int, disease: int = 0) -> KingdomCheck:
    """Roll a kingdom check: d20 + attribute − Unrest against `dc`. A natural 1 fails, a natural 20 succeeds (PF-3.1).

    `disease` is the penalty of a sick army, subtracted from the check that may cure it (PF-7.3). In anarchy (Unrest 20
    or more) the total is 0 (PF-8.4), and a natural 20 does not help.
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
    return KingdomCheck(attribute, roll, dc, success, lines, _natural(roll, success))


def _natural(roll: int, success: bool) -> Said:
    if roll == 1:
        return _("a natural 1 fails")
    return _("a natural 20 succeeds") if roll == 20 and success else NO_WORDS


def kingdom_need(check: Callable[..., KingdomCheck]) -> Message:
    """Return the d20 that this check needs to succeed, in words. `check` lacks only its `roll`."""
    tried = [check(roll=face) for face in range(1, 21)]
    bonus, dc = tried[1].total - tried[1].roll, tried[1].dc
    if tried[0].total == tried[1].total:
        return say(_("counts as 0 against {dc}, whatever the die"), dc=dc)
    face = next((found.roll for found in tried if found.success), None)
    if face is None:
        return say(_("{bonus:+} against {dc}: no roll succeeds"), bonus=bonus, dc=dc)
    if face == 1:
        return say(_("{bonus:+} against {dc}: any roll succeeds"), bonus=bonus, dc=dc)
    return say(_("{bonus:+} against {dc}: {face}+ succeeds"), bonus=bonus, dc=dc, face=face)


def stability_unrest(check: KingdomCheck, d4: int) -> int:
    """Return the change of Unrest by the Stability check of the upkeep phase (PF-8.4). `d4` counts only for a failure
    by 5 or more.
    """
    if check.success:
        return -1
    return d4 if check.margin <= -5 else 1


def upkeep_unrest(*, treasury: int, attributes: Iterable[int]) -> Breakdown:
    """Return the Unrest gained in the upkeep phase, beside the Stability check (PF-8.4)."""
    negative = sum(value < 0 for value in attributes)
    return (
        Breakdown()
        .plus(_("Treasury below 0"), 2 if treasury < 0 else 0, "PF-8.4")
        .plus(_("Negative attributes"), negative, "PF-8.4")
    )
