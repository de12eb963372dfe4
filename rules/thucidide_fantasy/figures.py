"""Figures of units and characters: conversion from documents for battle, and the points of an army (TF-8, C-8)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from fractions import Fraction
from typing import Any, NamedTuple

from rules.adjustments import Adjustable, AdjustableFigure, LastingAdjustment, adjusted_by, keep_within, set_by_hand
from rules.core.errors import demand
from rules.core.text import NO_WORDS, UnitName, _
from rules.hexbattle.field import numbered
from rules.thucidide_fantasy.arsenal import TRAITS, WEAPONS
from rules.thucidide_fantasy.contingent import (
    COMMANDER,
    ContingentCharacter,
    ContingentCommander,
    ContingentSheet,
    ContingentUnit,
    GivenTrait,
    given,
)
from rules.thucidide_fantasy.grimoire import SPELLS
from rules.thucidide_fantasy.spec import (
    ANIMALS,
    CASTER,
    CAVALRY,
    HERO,
    INFANTRY,
    LEADER,
    BorneTrait,
    CharacterFigures,
    CharacterSpec,
    ContingentSpec,
    Experience,
    HitLevel,
    MoveRate,
    Spell,
    SpellFigures,
    Trait,
    TroopType,
    UnitFigures,
    UnitSpec,
    Weapon,
)
from rules.thucidide_fantasy.starter import (
    BRACKETS,
    CHARACTERS,
    EXPERIENCES,
    HERO_FASTER,
    HITS,
    ISOLATED_MOVE,
    KINDS,
    MOVES,
    TROOPS,
    WEIGHTS,
)

POINTS_A_WEEK = 4  # points of an army per Build Point of upkeep (C-5)
USUAL_POINTS = 6
"""Default spell points of a caster (TF-6.2)."""
GONE = _("“{slug}” is no longer in the tables. Choose another entry.")
NO_MASTER = _("{name} can’t do without a master, being undead: give the army a commander or a caster.")
UNARMED = Weapon("", NO_WORDS, "TF-1.14")
DICE, MOVE, RANGE = "dice", "move", "range"
CALM = "calm"
"""Name of an adjustment of move for the move without combat."""
ADJUSTABLE = Adjustable("TF-9", {
    DICE: AdjustableFigure(_("Dice of its units"), 10),
    MOVE: AdjustableFigure(_("Move of its units"), 10),
    RANGE: AdjustableFigure(_("Range of its units’ shots"), 10),
})  # fmt: skip
"""Figures that the GM may adjust for an army."""
HEXES_MOST = 12
"""Limit of an adjusted move or range."""

SHARES: Mapping[str, Fraction] = {
    "quarter": Fraction(1, 4), "third": Fraction(1, 3), "half": Fraction(1, 2), "two-thirds": Fraction(2, 3),
    "all": Fraction(1),
}  # fmt: skip
"""The share of the enemy's units to destroy for victory (TF-1.16)."""


class Tables(NamedTuple):
    """Tables that documents refer to: the law's own, or those a campaign has changed."""

    troops: Mapping[str, TroopType] = TROOPS
    weapons: Mapping[str, Weapon] = WEAPONS
    moves: Mapping[str, MoveRate] = MOVES
    hits: Mapping[str, HitLevel] = HITS
    experiences: Mapping[str, Experience] = EXPERIENCES
    spells: Mapping[str, Spell] = SPELLS
    traits: Mapping[str, Trait] = TRAITS


# Units


def type_of(unit: ContingentUnit, tables: Tables) -> TroopType:
    """The type of a unit. Raises `InvalidInput` if the tables no longer have it."""
    return _listed(unit.type, tables.troops)


def unit_figures(unit: ContingentUnit, tables: Tables) -> UnitFigures:
    """The figures of a unit at the start of a battle: its type's, with its own weapon, experience and traits."""
    own = type_of(unit, tables)
    blade, missile = _arms(unit, own, tables)
    rate = rate_of(own.kind, own.weight, tables)
    experience = tables.experiences[unit.experience or own.experience]
    traits = _traits(own.traits, given(unit.traits))
    return UnitFigures(
        own.slug, own.kind, WEIGHTS[own.weight].level, unit.whole(own) - unit.lost, rate.move, rate.calm, rate.fixed,
        blade.slug, missile.slug, blade.assault, blade.melee, missile.shot, missile.range, missile.fire,
        experience.slug, experience.dice, _temper(traits, unit), _others(traits),
    )  # fmt: skip


def adjusted_figures(figures: UnitFigures, given: Sequence[LastingAdjustment]) -> UnitFigures:
    """The figures of a unit with its army's adjustments. One that never moves more keeps its move; a unit that moves
    or shoots can still do so. The bounds hold for the move with and without combat by itself.
    """
    dice = [one for one in given if one.figure == DICE]
    far = list(keep_within(given, RANGE, figures.range, 1, HEXES_MOST)) if figures.range else []
    move, calm = (_kept_move(figures, given, hexes) for hexes in (figures.move, figures.calm))
    kept = (*dice, *move, *(replace(one, figure=CALM) for one in calm), *far)
    return figures._replace(
        move=figures.move + adjusted_by(kept, MOVE), calm=figures.calm + adjusted_by(kept, CALM),
        range=figures.range + adjusted_by(kept, RANGE), adjustments=kept,
    ) if kept else figures  # fmt: skip


def _kept_move(figures: UnitFigures, given: Sequence[LastingAdjustment], hexes: int) -> list[LastingAdjustment]:
    return [] if figures.fixed else list(keep_within(given, MOVE, hexes, min(1, hexes), HEXES_MOST))


def plain_figures(figures: UnitFigures) -> UnitFigures:
    """The figures of a unit without its army's adjustments, for what has no share in them (T-81, T-83)."""
    given = figures.adjustments
    return figures._replace(
        move=figures.move - adjusted_by(given, MOVE), calm=figures.calm - adjusted_by(given, CALM),
        range=figures.range - adjusted_by(given, RANGE), adjustments=(),
    )  # fmt: skip


def set_figures(own: UnitFigures, fields: Mapping[str, Any]) -> UnitFigures:
    """The figures of a unit with those that the GM sets. A move or range that changes counts as set, without
    adjustments.
    """
    return set_by_hand(own, fields, (MOVE, CALM, RANGE))


def of_animals(figures: UnitFigures) -> bool:
    """Whether hindrance affects the unit: troops that are animals or use them (T-44)."""
    return KINDS[figures.kind].of_animals or figures.has(ANIMALS)


def rate_of(kind: str, weight: str, tables: Tables) -> MoveRate:
    """The move of a kind and weight of troops. Raises `InvalidInput` if the table has none."""
    return _listed(f"{kind}-{weight}", tables.moves)


def _arms(unit: ContingentUnit, own: TroopType, tables: Tables) -> tuple[Weapon, Weapon]:
    """The melee and ranged weapon of a unit. A weapon of its own replaces the one of its type."""
    blade = _listed(own.weapon, tables.weapons) if own.weapon else UNARMED
    missile = _listed(own.missile, tables.weapons) if own.missile else UNARMED
    if not unit.weapon:
        return blade, missile
    borne = _listed(unit.weapon, tables.weapons)
    return (blade, borne) if borne.shoots else (borne, missile)


def _listed[T](slug: str, table: Mapping[str, T]) -> T:
    demand(slug in table, GONE, slug=slug)
    return table[slug]


def _traits(own: tuple[BorneTrait, ...], added: tuple[GivenTrait, ...]) -> dict[str, BorneTrait]:
    """The traits by slug. Each counts once (TF-3.1); the unit's own version overrides its type's."""
    return {one.trait: one for one in (*own, *(BorneTrait(*one) for one in added))}


def _temper(traits: Mapping[str, BorneTrait], unit: ContingentUnit) -> str:
    """The unit's own temper, or else its type's; "" for none."""
    tempers = [slug for slug in traits if TRAITS[slug].temper]
    own = {one.trait for one in given(unit.traits)}
    return next((slug for slug in tempers if slug in own), tempers[0] if tempers else "")


def _others(traits: Mapping[str, BorneTrait]) -> tuple[BorneTrait, ...]:
    """The traits other than tempers."""
    return tuple(one for slug, one in traits.items() if not TRAITS[slug].temper)


# Characters


def character_figures(one: ContingentCharacter, tables: Tables, usual: int = USUAL_POINTS) -> CharacterFigures:
    """The figures of a character. `usual`: spell points if the document gives none."""
    return _figures(one, one.kind, one.kind == HERO, tables, usual)


def commander_figures(one: ContingentCommander, tables: Tables, usual: int = USUAL_POINTS) -> CharacterFigures:
    """The figures of a commander. `usual`: spell points if the document gives none."""
    if one.rank == HERO:
        return _figures(one, HERO, True, tables, usual)
    return _figures(one, LEADER, False, tables, usual)._replace(rank=one.rank, level=one.level)


def _figures(
    one: ContingentCharacter | ContingentCommander, kind: str, hero: bool, tables: Tables, usual: int
) -> CharacterFigures:
    traits = tuple(BorneTrait(*trait) for trait in given(one.traits))
    points = (one.points or usual) if one.casts else 0
    plain = CharacterFigures(
        kind, traits=traits, points=points, cards=one.cards, move=ISOLATED_MOVE, calm=ISOLATED_MOVE
    )
    if not hero:
        return plain
    rate = rate_of(CAVALRY if one.mounted else INFANTRY, one.armour, tables)
    return plain._replace(
        hero=True, weight=WEIGHTS[one.armour].level, mounted=one.mounted, melee=one.melee or 0, shot=one.shot,
        range=one.range, resistance=one.resistance or 0, move=rate.move + HERO_FASTER, calm=rate.calm + HERO_FASTER,
    )  # fmt: skip


# Spells


def spell_figures(spell: Spell, tables: Tables, called: str = "") -> SpellFigures:
    """The figures of a spell as a battle stores them, with the dice of its weapon."""
    weapon = _listed(spell.weapon, tables.weapons) if spell.weapon else UNARMED
    return SpellFigures(
        spell.cost, spell.on, spell.character, spell.range, spell.lasts, spell.effect, spell.trait, weapon.shot,
        spell.times, weapon.fire, spell.dice, spell.advantages, called,
    )  # fmt: skip


# Points and numbers


def unit_points(unit: ContingentUnit, tables: Tables) -> int:
    """The points of a unit: its type's, plus the cost of better experience."""
    own = type_of(unit, tables)
    better = tables.experiences[unit.experience or own.experience].points - tables.experiences[own.experience].points
    return own.points + max(0, better)


def units_points(sheet: ContingentSheet, tables: Tables) -> int:
    return sum(unit_points(unit, tables) for unit in sheet.units)


def character_points(one: ContingentCharacter, usual: int = USUAL_POINTS) -> int:
    """The points of a character: 3 for a hero, plus the spell points of a caster (TF-8)."""
    return CHARACTERS[one.kind].points + ((one.points or usual) if one.casts else 0)


def points_of(sheet: ContingentSheet, tables: Tables, usual: int = USUAL_POINTS) -> int:
    """The points of an army: its units and characters. Leaders are free."""
    return units_points(sheet, tables) + sum(character_points(one, usual) for one in sheet.characters)


def upkeep_of(points: int) -> int:
    """Upkeep in Build Points per week (C-5): a quarter of the points, rounded up, at least 1."""
    return max(1, -(-points // POINTS_A_WEEK))


def victory_number(units: int, share: str = "third") -> int:
    """The number of enemy units to destroy (TF-1.16): a share of `units`, rounded up, at least one."""
    part = SHARES[share] * units
    return max(1, -(-part.numerator // part.denominator))


def activations_of(units: int) -> tuple[int, int]:
    """Activations per turn of a side with this many units on the table, and units per activation (TF-1.3)."""
    found = next(bracket for bracket in BRACKETS if units <= bracket.most)
    return found.activations, found.units


# An army


def names_of(sheet: ContingentSheet, tables: Tables) -> tuple[UnitName, ...]:
    """The names of the units: their own or their type's, numbered where a name occurs several times."""
    return numbered([unit.name or name_of_type(type_of(unit, tables)) for unit in sheet.units])


def name_of_type(kind: TroopType) -> UnitName:
    """The name of a type of troops. A campaign's own type has the name that the GM wrote."""
    return kind.name if kind.slug in TROOPS else str(kind.name)


def contingent_of(
    id_: str,
    name: str,
    side: int,
    sheet: ContingentSheet,
    *,
    commander: tuple[str, str, ContingentCommander] | None = None,
    tables: Tables | None = None,
    usual: int = USUAL_POINTS,
    kingdom: str = "",
    adjustments: Sequence[LastingAdjustment] = (),
) -> ContingentSpec:
    """An army as it enters a battle.

    `commander`: id, name and figures of its leader. `usual`: spell points of a caster. `adjustments`: the GM's of
    the army, which its characters don't share.

    Raises `InvalidInput` if the tables no longer have something its document names, and for undead without a master.
    """
    known = tables or Tables()
    characters = tuple(
        CharacterSpec(one.name, character_figures(one, known, usual), key=one.name) for one in sheet.characters
    )
    if commander is not None:
        key, called, own = commander
        characters = (CharacterSpec(called, commander_figures(own, known, usual), True, key), *characters)
    units = tuple(
        UnitSpec(
            called,
            adjusted_figures(unit_figures(unit, known), adjustments),
            unit.whole(type_of(unit, known)),
            _master(called, unit, characters, known),
        )
        for called, unit in zip(names_of(sheet, known), sheet.units, strict=True)
    )
    return ContingentSpec(id_, name, side, units, characters, kingdom)


def _master(name: UnitName, unit: ContingentUnit, characters: tuple[CharacterSpec, ...], tables: Tables) -> str:
    """The key of an undead unit's master: the one it names, else the first caster, else the commander (C-3).

    Raises `InvalidInput` if there is none.
    """
    if not unit.is_undead(type_of(unit, tables)):
        return ""
    named = [one for one in characters if unit.master == one.key and not one.commander]
    led = [one for one in characters if one.commander]
    casters = [one for one in characters if one.figures.kind == CASTER and not unit.master]
    found = next(iter((*named, *casters, *led)), None)
    demand(found is not None and (not unit.master or found in named or unit.master == COMMANDER), NO_MASTER, name=name)
    return found.key if found is not None else ""
