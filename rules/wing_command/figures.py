"""Figures of units: conversion from documents for battle, the points of a wing (WC-10, C-8), and their breakdowns."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, NamedTuple

from rules.adjustments import LastingAdjustment, adjusted_by, adjustment_lines, keep_within, set_by_hand
from rules.army_law import number_titles
from rules.core.breakdown import Breakdown, Line
from rules.core.errors import demand
from rules.core.text import Said, UnitName, _, say
from rules.hexbattle.field import numbered
from rules.wing_command.spec import (
    ADJUSTABLE,
    CHAOTIC,
    IRREGULAR,
    MORALE,
    CommandAbility,
    Spell,
    TroopType,
    UnitFigures,
    UnitSpec,
    WingSpec,
)
from rules.wing_command.starter import ABILITIES, CHARACTERS, COMMANDER, PROFILES, SPELLS, TROOPS, casting_limit
from rules.wing_command.wing import (
    FIGURE_MOST,
    MORALE_LEAST,
    MORALE_MOST,
    MOVE_MOST,
    WingCharacter,
    WingCommander,
    WingSheet,
    WingTroop,
)

# Figures of units: conversion from documents for battle, and the points of a wing (WC-10, C-8).

POINTS_A_WEEK = 4  # points of troops per Build Point of upkeep (C-5)
SERGEANT = WingCommander("E", "irregular")
"""The leader of a wing whose army has no commander (WC-10)."""
SERGEANT_NAME = _("Sergeant")
BOUNDS: Mapping[str, tuple[int, int]] = {
    "melee": (0, FIGURE_MOST), "shot": (1, FIGURE_MOST), "guard": (0, FIGURE_MOST), "move": (1, MOVE_MOST),
}  # fmt: skip
"""Bounds of a troop's adjusted figures."""


class Tables(NamedTuple):
    """Tables that documents refer to: the law's own, or those a campaign has changed."""

    troops: Mapping[str, TroopType] = TROOPS
    abilities: Mapping[str, CommandAbility] = ABILITIES
    spells: Mapping[str, Spell] = SPELLS


def troop_figures(troop: WingTroop, tables: Tables) -> UnitFigures:
    """The figures of a troop: its type's plus its steps of quality. Better melee also improves its shot."""
    kind = type_of(troop, tables)
    return UnitFigures(
        kind.slug, kind.large, kind.move, kind.melee + troop.melee, kind.shot + troop.melee if kind.shot else 0,
        kind.range, kind.guard + troop.guard, kind.fly, kind.infiltrate or troop.infiltrate, kind.command_class,
    )  # fmt: skip


def adjusted_figures(figures: UnitFigures, given: Sequence[LastingAdjustment]) -> UnitFigures:
    """The figures of a troop with its army's adjustments, as far as the bounds of figures allow."""
    kept: list[LastingAdjustment] = []
    for name, (least, most) in BOUNDS.items():
        if name != "shot" or figures.shot:
            kept += keep_within(given, name, getattr(figures, name), least, most)
    after = {name: getattr(figures, name) + adjusted_by(kept, name) for name in BOUNDS}
    return figures._replace(**after, adjustments=tuple(kept)) if kept else figures


def set_figures(own: UnitFigures, fields: Mapping[str, Any]) -> UnitFigures:
    """The figures of a unit with those that the GM sets. One that changes counts as set, without adjustments."""
    return set_by_hand(own, fields, BOUNDS)


def morale_lines(sheet: WingSheet, given: Sequence[LastingAdjustment]) -> Breakdown:
    """The morale marker of a wing with its army's adjustments, from 4 to 12 (WC-1.2)."""
    kept = keep_within(given, MORALE, sheet.morale, MORALE_LEAST, MORALE_MOST)
    return Breakdown((Line(_("Morale marker"), sheet.morale, "C-2"), *adjustment_lines(kept, MORALE, ADJUSTABLE.rule)))


def type_of(troop: WingTroop, tables: Tables) -> TroopType:
    """The type of a troop. Raises `InvalidInput` if the tables no longer have it."""
    demand(
        troop.type in tables.troops, _("“{slug}” is no longer in the tables. Choose another entry."), slug=troop.type
    )
    return tables.troops[troop.type]


def character_figures(given: WingCharacter) -> UnitFigures:
    kind = CHARACTERS[given.kind]
    return UnitFigures(
        kind.slug, False, kind.move, kind.melee, kind.shot, kind.range, kind.guard, False, False, given.profile,
        given.ability, given.art, given.level, given.pentacle,
    )  # fmt: skip


def commander_figures(given: WingCommander) -> UnitFigures:
    return UnitFigures(
        COMMANDER, False, given.move, given.melee, given.shot, given.range, given.guard, given.fly, given.infiltrate,
        given.profile, given.ability, given.art, given.level, given.pentacle,
    )  # fmt: skip


def points_of(sheet: WingSheet, tables: Tables) -> int:
    """The points of a wing's troops: those of their types, plus 1 per step of quality."""
    return sum(type_of(troop, tables).points + troop.melee + troop.guard for troop in sheet.troops)


def upkeep_of(points: int) -> int:
    """Upkeep in Build Points per week (C-5): a quarter of the points, rounded up, at least 1."""
    return max(1, -(-points // POINTS_A_WEEK))


def names_of(sheet: WingSheet, tables: Tables) -> tuple[UnitName, ...]:
    """The names of the troops: their own or their type's, numbered where a name occurs several times."""
    return numbered([troop.name or name_of_type(type_of(troop, tables)) for troop in sheet.troops])


def name_of_type(kind: TroopType) -> UnitName:
    """The name of a type of troops. A campaign's own type has the name that the GM wrote."""
    return kind.name if kind.slug in TROOPS else str(kind.name)


def wing_of(
    id_: str,
    name: str,
    side: int,
    sheet: WingSheet,
    *,
    commander: tuple[str, str, WingCommander] | None = None,
    tables: Tables | None = None,
    kingdom: str = "",
    given: Sequence[LastingAdjustment] = (),
) -> WingSpec:
    """An army as it enters a battle.

    `commander`: id, name and figures of its leader; a sergeant if None. `given`: the GM's adjustments of the army,
    which its characters don't share.

    Raises `InvalidInput` if the tables no longer have something its document names.
    """
    known = tables or Tables()
    key, called, own = commander or ("", SERGEANT_NAME, SERGEANT)
    troops = zip(names_of(sheet, known), sheet.troops, strict=True)
    units = (
        *(UnitSpec(name, adjusted_figures(troop_figures(troop, known), given)) for name, troop in troops),
        UnitSpec(called, commander_figures(own), True, True, key),
        *(UnitSpec(one.name, character_figures(one), True, False, one.name) for one in sheet.characters),
    )
    return WingSpec(id_, name, side, units, sheet.order, morale_lines(sheet, given).total, kingdom)


# Breakdowns of a wing's figures: troops, characters, commander, points and upkeep. Each line names its rule.

CONTENT, DOCUMENT, ABILITY, MODIFIER, PRICES = "WC-10", "C-2", "WC-1.4", "WC-3.2", "C-8"
FIGURES = ("move", "melee", "shot", "range", "guard")
HEADS: Mapping[str, Said] = {
    "move": _("Move"), "melee": _("Melee attack"), "shot": _("Shot"), "range": _("Range"), "guard": _("Guard"),
    "points": _("Points"),
}  # fmt: skip
BETTER_MELEE, BETTER_GUARD = _("Better in melee"), _("Better guard")
LEVELS = tuple(ABILITIES)

type Lines = Mapping[str, Breakdown]


class SpellChance(NamedTuple):
    """A spell of a caster's art: its aptitude, and the highest result of 2D6 that succeeds (WC-7.1, WC-7.2)."""

    spell: Spell
    aptitude: Breakdown
    limit: int


def troop_lines(troop: WingTroop, tables: Tables, given: Sequence[LastingAdjustment] = ()) -> Lines:
    """The breakdown of each figure of a troop and of its points: its type's, plus its steps of quality and its army's
    adjustments (`given`).
    """
    kind = type_of(troop, tables)
    found = {name: _one(kind.name, getattr(kind, name), CONTENT) for name in FIGURES}
    found["melee"] = found["melee"].plus(BETTER_MELEE, troop.melee, CONTENT)
    found["guard"] = found["guard"].plus(BETTER_GUARD, troop.guard, CONTENT)
    if kind.shot:
        found["shot"] = found["shot"].plus(BETTER_MELEE, troop.melee, CONTENT)
    kept = adjusted_figures(troop_figures(troop, tables), given).adjustments
    for name in BOUNDS if kept else ():
        found[name] = Breakdown((*found[name].lines, *adjustment_lines(kept, name, ADJUSTABLE.rule)))
    found["points"] = _one(kind.name, kind.points, PRICES)
    for label, steps in ((BETTER_MELEE, troop.melee), (BETTER_GUARD, troop.guard)):
        found["points"] = found["points"].plus(label, steps, PRICES)
    return found


def character_lines(character: WingCharacter) -> Lines:
    """The breakdown of each figure of a character."""
    kind = CHARACTERS[character.kind]
    return {name: _one(kind.name, getattr(kind, name), CONTENT) for name in FIGURES}


def commander_lines(commander: WingCommander) -> Lines:
    """The breakdown of each figure of a commander."""
    return {name: _one(HEADS[name], getattr(commander, name), DOCUMENT) for name in FIGURES}


def titles_of(sheet: WingSheet, tables: Tables) -> list[Said]:
    """The display names of the troops: their own or their type's, numbered where a type occurs several times."""
    return number_titles([(troop.name, type_of(troop, tables).name) for troop in sheet.troops])


def points_lines(sheet: WingSheet, tables: Tables) -> Breakdown:
    """The points of a wing, troop by troop."""
    found = Breakdown()
    for title, troop in zip(titles_of(sheet, tables), sheet.troops, strict=True):
        found = found.plus(title, troop_lines(troop, tables)["points"].total, PRICES)
    return found


def upkeep_lines(sheet: WingSheet, tables: Tables) -> Breakdown:
    """The upkeep of a wing in BP per week (C-5)."""
    points = points_of(sheet, tables)
    return _one(say(_("{points} points ÷ 4, rounded up"), points=points), upkeep_of(points), "C-5")


def command_test_lines(ability: str, profile: str, tables: Tables) -> Breakdown:
    """The highest result that passes a command test, before states and distance (WC-3)."""
    found = _one(say(_("Command ability {ability}"), ability=ability), tables.abilities[ability].threshold, ABILITY)
    return found.plus(PROFILES[IRREGULAR].name, -1, MODIFIER) if profile == IRREGULAR else found


def order_points(ability: str, profile: str, tables: Tables) -> Said:
    """The number of order points rolled, before states, in words (WC-4.2)."""
    if profile == CHAOTIC:
        return _("none: chaotic characters can’t give special orders")
    if profile != IRREGULAR:
        return say(_("1D3 × {factor}"), factor=tables.abilities[ability].factor)
    lower = LEVELS.index(ability) + 1
    if lower == len(LEVELS):
        return _("1 (irregular: one level below E)")
    factor = tables.abilities[LEVELS[lower]].factor
    return say(_("1D3 × {factor} (irregular: as {ability})"), factor=factor, ability=LEVELS[lower])


def spells_of(figures: UnitFigures, tables: Tables, bonus: int = 0) -> Iterator[SpellChance]:
    """The spells of a caster's art. `bonus`: to aptitude, from the campaign's house rule."""
    for spell in tables.spells.values():
        if figures.art and spell.art == figures.art and not spell.off:
            found = _one(_("Magic level"), figures.level, "WC-7.2")
            found = found.plus(_("Difficulty"), -spell.difficulty, "WC-7.4")
            found = found.plus(_("Pentacle"), figures.pentacle, "WC-7.2")
            found = found.plus(_("House rule"), bonus, "WC-HOUSE")
            yield SpellChance(spell, found, casting_limit(found.total))


def _one(label: Said, value: int, rule: str) -> Breakdown:
    return Breakdown().plus(label, value, rule)
