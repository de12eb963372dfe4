"""Breakdowns of a contingent's figures: units, characters, points and upkeep. Each line names its rule."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from rules.adjustments import LastingAdjustment, adjustment_lines
from rules.army_law import number_titles
from rules.core.breakdown import Breakdown
from rules.core.text import Said, _, say, verbatim
from rules.thucidide_fantasy.arsenal import TRAITS
from rules.thucidide_fantasy.contingent import (
    ContingentCharacter,
    ContingentCommander,
    ContingentSheet,
    ContingentUnit,
)
from rules.thucidide_fantasy.figures import (
    ADJUSTABLE,
    MOVE,
    RANGE,
    USUAL_POINTS,
    Tables,
    adjusted_figures,
    character_figures,
    points_of,
    rate_of,
    type_of,
    unit_figures,
    upkeep_of,
)
from rules.thucidide_fantasy.figures import DICE as ADJUSTED_DICE
from rules.thucidide_fantasy.spec import CAVALRY, INFANTRY, CharacterFigures, Experience, UnitFigures, Weapon
from rules.thucidide_fantasy.starter import CHARACTERS, HERO_FASTER

DICE, WEAPONS, MOVES, STANDS, TRAIT, PRICES = "TF-1.8", "TF-1.14", "TF-1.4", "TF-1.9", "TF-3", "TF-8"
CHARACTER, HERO_RULE, UPKEEP, HEALTH = "C-3", "TF-4.2", "C-5", "C-6"
FIGURES = ("assault", "melee", "shot", "range", "move")
HERO_FIGURES = ("melee", "shot", "range", "resistance", "move")
HEADS: Mapping[str, Said] = {
    "assault": _("Assault dice"), "melee": _("Melee dice"), "shot": _("Shot dice"), "range": _("Range"),
    "move": _("Move"), "stands": _("Number of stands"), "resistance": _("Resistance"), "points": _("Points"),
}  # fmt: skip
FASTER: Mapping[str, int] = {"rapid": 1, "very-rapid": 2}
"""Extra hexes of movement (TF-3); if a unit has both traits, the better one counts (T-52)."""
FINE_WEAPONS, FARTHER = "fine-weapons", 1
LEAST_DIE = _("At least 1 die")

type Lines = Mapping[str, Breakdown]


def unit_lines(unit: ContingentUnit, tables: Tables, given: Sequence[LastingAdjustment] = ()) -> Lines:
    """The breakdown of each figure of a unit, its stands and its points. A figure it lacks has the total 0. `given`:
    its army's adjustments.
    """
    own, figures = type_of(unit, tables), unit_figures(unit, tables)
    kept = adjusted_figures(figures, given).adjustments
    experience = tables.experiences[figures.experience]
    blade, missile = tables.weapons.get(figures.weapon), tables.weapons.get(figures.missile)
    whole = unit.whole(own)
    return {
        "assault": _dice(blade, blade.assault if blade else 0, experience, kept),
        "melee": _dice(blade, blade.melee if blade else 0, experience, kept),
        "shot": _dice(missile, missile.shot if missile else 0, experience, kept),
        "range": _with(_range(figures, missile), kept, RANGE),
        "move": _with(_move(figures, rate_of(own.kind, own.weight, tables).name), kept, MOVE),
        "stands": _one(own.name, own.stands, PRICES)
        .plus(_("The unit’s own stands"), whole - own.stands, CHARACTER)
        .plus(_("Stands lost"), -unit.lost, HEALTH),
        "points": _one(own.name, own.points, PRICES).plus(
            experience.name, max(0, experience.points - tables.experiences[own.experience].points), PRICES
        ),
    }


def _dice(
    weapon: Weapon | None, factor: int, experience: Experience, given: Sequence[LastingAdjustment] = ()
) -> Breakdown:
    """The dice of a weapon plus those of its bearers' experience and of adjustments, at least one (TF-1.8)."""
    if weapon is None or not factor:
        return Breakdown()
    found = _one(weapon.name, factor, weapon.rule).plus(experience.name, experience.dice, DICE)
    found = _with(found, given, ADJUSTED_DICE)
    return found.plus(LEAST_DIE, max(0, 1 - found.total), DICE)


def _with(found: Breakdown, given: Sequence[LastingAdjustment], figure: str) -> Breakdown:
    return Breakdown((*found.lines, *adjustment_lines(given, figure, ADJUSTABLE.rule)))


def _range(figures: UnitFigures | CharacterFigures, missile: Weapon | None) -> Breakdown:
    if missile is None:
        return Breakdown()
    found = _one(missile.name, figures.range, missile.rule)
    return found.plus(TRAITS[FINE_WEAPONS].name, FARTHER if figures.has(FINE_WEAPONS) else 0, TRAIT)


def _move(figures: UnitFigures | CharacterFigures, label: Said) -> Breakdown:
    """The move in hexes in a turn in which the unit fights."""
    found = _one(label, figures.move, MOVES)
    better = max((slug for slug in FASTER if figures.has(slug)), key=FASTER.__getitem__, default="")
    return found.plus(TRAITS[better].name, FASTER[better], TRAIT) if better else found


def calm_move(figures: UnitFigures | CharacterFigures) -> int:
    """The move in hexes in a turn without combat, if it is greater than the usual move; else 0."""
    more = max((hexes for slug, hexes in FASTER.items() if figures.has(slug)), default=0)
    return figures.calm + more if figures.calm > figures.move else 0


def hero_lines(
    one: ContingentCharacter | ContingentCommander, figures: CharacterFigures, name: Said, tables: Tables
) -> Lines:
    """The breakdown of each figure of a hero (TF-4.2); empty for anyone else."""
    if not figures.hero:
        return {}
    rate = rate_of(CAVALRY if figures.mounted else INFANTRY, one.armour, tables)
    ranged = _one(name, figures.range, HERO_RULE)
    fine = FARTHER if figures.range and figures.has(FINE_WEAPONS) else 0
    move = _move(figures._replace(move=rate.move), rate.name).plus(_("Hero"), HERO_FASTER, HERO_RULE)
    return {
        "melee": _one(name, figures.melee, HERO_RULE),
        "shot": _one(name, figures.shot, HERO_RULE),
        "range": ranged.plus(TRAITS[FINE_WEAPONS].name, fine, TRAIT),
        "resistance": _one(name, figures.resistance, HERO_RULE),
        "move": move,
    }


def character_points_lines(one: ContingentCharacter, tables: Tables, usual: int = USUAL_POINTS) -> Breakdown:
    """The points a character costs: 3 for a hero, plus the spell points of a caster (TF-8)."""
    kind, figures = CHARACTERS[one.kind], character_figures(one, tables, usual)
    return Breakdown().plus(kind.name, kind.points, PRICES).plus(_("Spell points"), figures.points, PRICES)


def titles_of(sheet: ContingentSheet, tables: Tables) -> list[Said]:
    """The display names of the units: their own or their type's, numbered where a type occurs several times."""
    return number_titles([(unit.name, type_of(unit, tables).name) for unit in sheet.units])


def points_lines(sheet: ContingentSheet, tables: Tables, usual: int = USUAL_POINTS) -> Breakdown:
    """The points of an army: its units, then its characters (C-8)."""
    found = Breakdown()
    for title, unit in zip(titles_of(sheet, tables), sheet.units, strict=True):
        found = found.plus(title, unit_lines(unit, tables)["points"].total, PRICES)
    for one in sheet.characters:
        found = found.plus(verbatim(one.name), character_points_lines(one, tables, usual).total, PRICES)
    return found


def upkeep_lines(sheet: ContingentSheet, tables: Tables, usual: int = USUAL_POINTS) -> Breakdown:
    """The upkeep of an army in BP per week (C-5)."""
    points = points_of(sheet, tables, usual)
    return _one(say(_("{points} points ÷ 4, rounded up"), points=points), upkeep_of(points), UPKEEP)


def victory_lines(units: int, number: int, share: Said) -> Breakdown:
    """The number of enemy units a side must destroy to win (TF-1.16)."""
    return _one(say(_("{share} of {count} units, rounded up"), share=share, count=units), number, "TF-1.16")


def trait_names(figures: UnitFigures | CharacterFigures, tables: Tables) -> Iterator[Said]:
    """The names of its temper and traits, each with its likes and the object it comes from."""
    if isinstance(figures, UnitFigures) and figures.temper:
        yield TRAITS[figures.temper].name
    for one in figures.traits:
        name: Said = TRAITS[one.trait].name
        if one.object:
            name = say(_("{trait} ({object})"), trait=name, object=one.object)
        if one.likes:
            likes = [tables.troops[slug].name for slug in one.likes if slug in tables.troops]
            name = say(_("{trait}, except {troops}"), trait=name, troops=likes)
        yield name


def _one(label: Said, value: int, rule: str) -> Breakdown:
    return Breakdown().plus(label, value, rule)
