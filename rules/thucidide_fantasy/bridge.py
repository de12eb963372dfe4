"""Contingents made of armies of other laws (TF-8, the bridge); all of it can be edited in setup."""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction

from rules.core.breakdown import shared
from rules.core.errors import demand
from rules.core.text import Namer
from rules.hexbattle.tokens import numbered
from rules.muster import Muster, MusteredLeader, MusteredTroops, TroopTag
from rules.thucidide_fantasy.contingent import ContingentCommander, ContingentUnit
from rules.thucidide_fantasy.figures import NO_MASTER, Tables, commander_figures, rate_of, unit_figures
from rules.thucidide_fantasy.spec import (
    CASTER,
    CAVALRY,
    ELITE,
    FANATIC,
    GENERAL,
    GUARD,
    HEAVY,
    INFANTRY,
    LIGHT,
    MEDIUM,
    RECRUITS,
    REGULAR,
    TENACIOUS,
    UNDEAD,
    VERY_HEAVY,
    BorneTrait,
    CharacterFigures,
    CharacterSpec,
    ContingentSpec,
    UnitFigures,
    UnitSpec,
    Weapon,
)
from rules.thucidide_fantasy.starter import CHARACTERS, ISOLATED_MOVE, WEIGHTS

UNITS_BY_SIZE: Mapping[str, int] = {"medium": 1, "large": 2, "huge": 4, "gargantuan": 6, "colossal": 8}
"""Below medium: one weak unit."""
WEAK, NORMAL = 3, 4
"""Stands (TF-1.9)."""
SINGLE, HUGE_FROM = "fine", 8
"""A fine army of this rating is one huge monster."""
WEIGHT_FROM: tuple[tuple[int, str], ...] = ((6, VERY_HEAVY), (4, HEAVY), (1, MEDIUM))
"""Weights by protection; below: light."""
TYPES: Mapping[tuple[str, str], str] = {
    (INFANTRY, LIGHT): "foot-light", (INFANTRY, MEDIUM): "foot-medium", (INFANTRY, HEAVY): "foot-heavy",
    (INFANTRY, VERY_HEAVY): "foot-heavy", (CAVALRY, LIGHT): "riders-light", (CAVALRY, MEDIUM): "riders-medium",
    (CAVALRY, HEAVY): "riders-heavy", (CAVALRY, VERY_HEAVY): "riders-heavy",
}  # fmt: skip
"""The type of troops each comes nearest to."""
CLAWS: tuple[tuple[int, str], ...] = ((8, "very-strong-claw"), (2, "strong-claw"))
CLAW, LANCE, SPEAR, BOW, BREATH = "claw", "lance", "spear", "bow", "flame-thrower-light"
RECRUITS_MOST = Fraction(1, 3)
EXPERIENCE_FROM: tuple[tuple[int, str], ...] = ((6, GUARD), (3, ELITE))
TRAITS: tuple[tuple[TroopTag, str], ...] = (
    ("flies", "flyer"), ("unseen", "blur"), ("magic-proof", "bell"), ("hard-to-hurt", "invulnerable"),
    ("inspires", "morale"), ("frightens", "threat"), ("unnatural", "hindrance"), ("undead", UNDEAD),
)  # fmt: skip
LEVEL_FROM: tuple[tuple[int, str], ...] = ((12, "great"), (6, "normal"))
CASTER_MORE = 2
"""Points of spells beside the level of spellcasting."""


def contingent_from(muster: Muster, tables: Tables | None = None, named: Namer = str) -> ContingentSpec:
    """The army as a contingent of side 0. Raises `InvalidInput` for undead without a master, and where the campaign's
    tables lack what the bridge names.
    """
    known = tables or Tables()
    characters = (*_leader(muster.leader, known), *_caster(muster.caster, named))
    units = _units(muster, characters, known)
    return ContingentSpec(muster.id, muster.name, 0, units, characters, muster.kingdom)


def _units(muster: Muster, characters: tuple[CharacterSpec, ...], tables: Tables) -> tuple[UnitSpec, ...]:
    """As many as the army's size says, shared among its kinds by what each is worth."""
    counts = shared(UNITS_BY_SIZE.get(muster.size, 1), [kind.worth for kind in muster.troops])
    found = [kind for kind, count in zip(muster.troops, counts, strict=True) for _unit in range(count)]
    units = []
    for name, kind in zip(numbered([kind.name for kind in found]), found, strict=True):
        figures = figures_of(kind, muster.size, tables)
        units.append(UnitSpec(name, figures, figures.stands, _master(name, figures, characters)))
    return tuple(units)


def _master(name: str, figures: UnitFigures, characters: tuple[CharacterSpec, ...]) -> str:
    """The key of the undead's master: the army's commander, without one its caster."""
    if not figures.has(UNDEAD):
        return ""
    demand(characters, NO_MASTER, name=name)
    return characters[0].key


def figures_of(kind: MusteredTroops, size: str, tables: Tables) -> UnitFigures:
    """What one unit of these is worth."""
    if size == SINGLE and kind.rating >= HUGE_FROM:
        return _monster(kind, tables)
    troops, weight = kind_of(kind), weight_of(kind)
    rate, experience = rate_of(troops, weight, tables), tables.experiences[experience_of(kind)]
    blade, missile = tables.weapons[weapon_of(kind)], _missile(kind, tables)
    return UnitFigures(
        TYPES[troops, weight], troops, WEIGHTS[weight].level, NORMAL if size in UNITS_BY_SIZE else WEAK,
        rate.move, rate.calm, rate.fixed, blade.slug, missile.slug if missile else "", blade.assault, blade.melee,
        missile.shot if missile else 0, missile.range if missile else 0, missile is not None and missile.fire,
        experience.slug, experience.dice, temper_of(kind), traits_of(kind),
    )  # fmt: skip


def _monster(kind: MusteredTroops, tables: Tables) -> UnitFigures:
    """A dragon, or another single huge monster: a mammoth. With what its own law says of it beside."""
    own = unit_figures(ContingentUnit("dragon" if "dragon" in kind.tags else "mammoth"), tables)
    more = tuple(one for one in traits_of(kind) if not own.has(one.trait))
    return own._replace(traits=(*own.traits, *more), temper=temper_of(kind))


def kind_of(kind: MusteredTroops) -> str:
    """Mounts, a flight of beasts, animals: cavalry."""
    return CAVALRY if kind.tags & {"rides", "beast", "animal"} else INFANTRY


def weight_of(kind: MusteredTroops) -> str:
    return next((weight for least, weight in WEIGHT_FROM if kind.protection >= least), LIGHT)


def weapon_of(kind: MusteredTroops) -> str:
    """Lances on mounts, claws by their rating for beasts, else spears."""
    if "rides" in kind.tags:
        return LANCE
    if not kind.tags & {"beast", "animal", "dragon"}:
        return SPEAR
    return next((claw for least, claw in CLAWS if kind.rating >= least), CLAW)


def _missile(kind: MusteredTroops, tables: Tables) -> Weapon | None:
    """Whoever breathes fire does that rather than shoot."""
    if "breathes-fire" in kind.tags:
        return tables.weapons[BREATH]
    return tables.weapons[BOW] if "shoots" in kind.tags else None


def experience_of(kind: MusteredTroops) -> str:
    if kind.rating <= RECRUITS_MOST:
        return RECRUITS
    return next((slug for least, slug in EXPERIENCE_FROM if kind.rating >= least), REGULAR)


def temper_of(kind: MusteredTroops) -> str:
    if "mindless" in kind.tags:
        return FANATIC
    return TENACIOUS if "brave" in kind.tags else ""


def traits_of(kind: MusteredTroops) -> tuple[BorneTrait, ...]:
    return tuple(BorneTrait(trait) for tag, trait in TRAITS if tag in kind.tags)


def level_of(rank: int) -> str:
    return next((level for least, level in LEVEL_FROM if rank >= least), "poor")


def _leader(leader: MusteredLeader | None, tables: Tables) -> tuple[CharacterSpec, ...]:
    """A general: of several of a side all but one lead as sub-generals (T-84)."""
    if leader is None:
        return ()
    figures = commander_figures(ContingentCommander(GENERAL, level_of(leader.rank)), tables)
    return (CharacterSpec(leader.name, figures, True, leader.id),)


def _caster(level: int, named: Namer) -> tuple[CharacterSpec, ...]:
    if level < 1:
        return ()
    name = named(CHARACTERS[CASTER].name)
    figures = CharacterFigures(CASTER, points=level + CASTER_MORE, move=ISOLATED_MOVE, calm=ISOLATED_MOVE)
    return (CharacterSpec(name, figures, key=name),)
