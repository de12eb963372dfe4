"""Muster of an army: what it is to the law of a battle that is not its own."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import replace

from rules.muster import Muster, MusteredLeader, MusteredTroops, TroopTag
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.resources import ARMOUR
from rules.pathfinder.catalogue.traits import Trait
from rules.pathfinder.catalogue.units import UNITS
from rules.pathfinder.figures import Profile, compile_profile
from rules.pathfinder.leadership import commander_sheet
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import army_sheet, rating_of
from rules.pathfinder.size import hit_points, parse_cr
from rules.pathfinder.spec import ArmySpec, CommanderSpec, UnitSpec

FLEXIBLE = "flexible-tactics"
ANIMAL, DRAGON, BEASTS = "animal", "dragon", ("animal", "magical-beast", "vermin")
TAGGED: tuple[tuple[Trait, TroopTag], ...] = (
    (t.FLIES, "flies"),
    (t.MOUNTED, "rides"),
    (t.ROCKS, "throws-rocks"),
    (t.RANGED, "shoots"),
    (t.UNDEAD, "undead"),
    (t.MINDLESS, "mindless"),
    (t.MOBILITY, "infiltrates"),
    (t.INVISIBLE, "infiltrates"),
    (t.BURROWS, "infiltrates"),
    (t.EARTH_GLIDES, "infiltrates"),
)
BY_ABILITY: Mapping[str, TroopTag] = {
    "breath-weapon": "breathes-fire", "invisibility": "unseen", "spell-resistance": "magic-proof",
    "damage-reduction": "hard-to-hurt", "incorporeal": "hard-to-hurt", "regeneration": "hard-to-hurt",
    "aura-of-courage": "inspires", "inspire-courage": "inspires", "fear": "frightens",
    "unnatural-aura": "unnatural", "bravery": "brave",
}  # fmt: skip
BASE_DV = 10
"""The DV of an army of ACR 0 that nothing guards (PF-1.5)."""


def _nameless(unit: UnitSpec) -> UnitSpec:
    return replace(unit, name="", abilities=tuple(sorted(unit.abilities, key=lambda choice: choice.ability)))


GIANTS = tuple(_nameless(kind.unit) for kind in UNITS.values() if kind.family == "giants")
"""Giants have no creature type of their own here: units like those of the library, whatever they are called."""


def muster_of(law: Rulebook, spec: ArmySpec) -> Muster:
    """Raises `InvalidInput` where so few are no army."""
    size, acr = rating_of(spec)
    profile = compile_profile(law, spec, spec.unit.abilities)
    hp_max = hit_points(acr, spec.unit.hit_die)
    troops = MusteredTroops(
        spec.unit.name,
        spec.count,
        spec.count,
        parse_cr(spec.unit.cr).exact,
        frozenset(_tags(law, spec, profile)),
        army_sheet(law, spec).dv.total - BASE_DV - acr.floor,
    )
    leader = spec.commander if spec.commander is not None and spec.commander.active else None
    return Muster(
        spec.id,
        spec.name,
        spec.kingdom,
        size.slug,
        (troops,),
        hp_max if spec.hp is None else min(spec.hp, hp_max),
        hp_max,
        spirit=spec.morale,
        caster=profile.values.get("spellcasting", 0),
        leader=_leader(law, leader) if leader else None,
    )


def _tags(law: Rulebook, spec: ArmySpec, profile: Profile) -> Iterator[TroopTag]:
    yield from (tag for trait, tag in TAGGED if trait in profile.traits)
    yield from (BY_ABILITY[slug] for slug in profile.choices if slug in BY_ABILITY)
    creature = spec.unit.creature_type
    if creature == DRAGON:
        yield "dragon"
    if creature in BEASTS:
        yield "beast"
    if creature == ANIMAL:
        yield "animal"
    if _nameless(spec.unit) in GIANTS:
        yield "giant"
    if creature == "undead":
        yield "undead"
    if "C" in spec.unit.alignment:
        yield "chaotic"
    if any(spec.resources.get(slug) and not law.resources[slug].off for slug in ARMOUR):
        yield "armored"


def _leader(law: Rulebook, spec: CommanderSpec) -> MusteredLeader:
    sheet = commander_sheet(law, spec)
    flexible = any(state.active and state.boon.slug == FLEXIBLE for state in sheet.boons)
    return MusteredLeader(spec.id, spec.name, sheet.leadership.total, flexible)
