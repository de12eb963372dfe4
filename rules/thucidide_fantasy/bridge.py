"""Conversion of armies of other rulesets into contingents (TF-8, the bridge). The result can be edited during setup."""

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
"""Number of units by army size. Smaller sizes give one weak unit."""
WEAK, NORMAL = 3, 4
"""Stands of a weak and a normal unit (TF-1.9)."""
SINGLE, HUGE_FROM = "fine", 8
"""An army of size "fine" with at least this rating becomes one huge monster."""
WEIGHT_FROM: tuple[tuple[int, str], ...] = ((6, VERY_HEAVY), (4, HEAVY), (1, MEDIUM))
"""Least protection for each weight; below that the unit is light."""
TYPES: Mapping[tuple[str, str], str] = {
    (INFANTRY, LIGHT): "foot-light", (INFANTRY, MEDIUM): "foot-medium", (INFANTRY, HEAVY): "foot-heavy",
    (INFANTRY, VERY_HEAVY): "foot-heavy", (CAVALRY, LIGHT): "riders-light", (CAVALRY, MEDIUM): "riders-medium",
    (CAVALRY, HEAVY): "riders-heavy", (CAVALRY, VERY_HEAVY): "riders-heavy",
}  # fmt: skip
"""The nearest type of troops for each kind and weight."""
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
"""Spell points of a caster in addition to their caster level."""


def contingent_from(muster: Muster, tables: Tables | None = None, named: Namer = str) -> ContingentSpec:
    """The army as a contingent of side 0.

    `named`: translates the name of a unit or caster. Raises `InvalidInput` for undead without a master, and if the
    campaign's tables lack something the bridge uses.
    """
    known = tables or Tables()
    characters = (*_leader(muster.leader, known), *_caster(muster.caster, named))
    units = _units(muster, characters, known)
    return ContingentSpec(muster.id, muster.name, 0, units, characters, muster.kingdom)


def _units(muster: Muster, characters: tuple[CharacterSpec, ...], tables: Tables) -> tuple[UnitSpec, ...]:
    """As many units as the army's size gives, shared among its kinds of troops in proportion to their worth."""
    counts = shared(UNITS_BY_SIZE.get(muster.size, 1), [kind.worth for kind in muster.troops])
    found = [kind for kind, count in zip(muster.troops, counts, strict=True) for _unit in range(count)]
    units = []
    for name, kind in zip(numbered([kind.name for kind in found]), found, strict=True):
        figures = figures_of(kind, muster.size, tables)
        units.append(UnitSpec(name, figures, figures.stands, _master(name, figures, characters)))
    return tuple(units)


def _master(name: str, figures: UnitFigures, characters: tuple[CharacterSpec, ...]) -> str:
    """The key of an undead unit's master: the army's commander, or else its caster; "" for other units."""
    if not figures.has(UNDEAD):
        return ""
    demand(characters, NO_MASTER, name=name)
    return characters[0].key


def figures_of(kind: MusteredTroops, size: str, tables: Tables) -> UnitFigures:
    """The figures of one unit of these troops."""
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
    """The figures of a single huge monster: a dragon or a mammoth, with the traits of the original army added."""
    own = unit_figures(ContingentUnit("dragon" if "dragon" in kind.tags else "mammoth"), tables)
    more = tuple(one for one in traits_of(kind) if not own.has(one.trait))
    return own._replace(traits=(*own.traits, *more), temper=temper_of(kind))


def kind_of(kind: MusteredTroops) -> str:
    """Cavalry for mounted troops, beasts and animals; infantry for all others."""
    return CAVALRY if kind.tags & {"rides", "beast", "animal"} else INFANTRY


def weight_of(kind: MusteredTroops) -> str:
    return next((weight for least, weight in WEIGHT_FROM if kind.protection >= least), LIGHT)


def weapon_of(kind: MusteredTroops) -> str:
    """Lances for mounted troops, claws by rating for beasts, spears for all others."""
    if "rides" in kind.tags:
        return LANCE
    if not kind.tags & {"beast", "animal", "dragon"}:
        return SPEAR
    return next((claw for least, claw in CLAWS if kind.rating >= least), CLAW)


def _missile(kind: MusteredTroops, tables: Tables) -> Weapon | None:
    """The ranged weapon, or None. Fire breath replaces other missiles."""
    if "breathes-fire" in kind.tags:
        return tables.weapons[BREATH]
    return tables.weapons[BOW] if "shoots" in kind.tags else None


def experience_of(kind: MusteredTroops) -> str:
    """The experience of these troops, by their rating."""
    if kind.rating <= RECRUITS_MOST:
        return RECRUITS
    return next((slug for least, slug in EXPERIENCE_FROM if kind.rating >= least), REGULAR)


def temper_of(kind: MusteredTroops) -> str:
    """Fanatic for mindless troops, tenacious for brave ones, else ""."""
    if "mindless" in kind.tags:
        return FANATIC
    return TENACIOUS if "brave" in kind.tags else ""


def traits_of(kind: MusteredTroops) -> tuple[BorneTrait, ...]:
    return tuple(BorneTrait(trait) for tag, trait in TRAITS if tag in kind.tags)


def level_of(rank: int) -> str:
    """The command level of a leader of this rank."""
    return next((level for least, level in LEVEL_FROM if rank >= least), "poor")


def _leader(leader: MusteredLeader | None, tables: Tables) -> tuple[CharacterSpec, ...]:
    """The army's commander as a general. If a side has several generals, all but one lead as sub-generals (T-84)."""
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
