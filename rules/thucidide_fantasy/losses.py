"""Losses of an army after a battle, and recovery in a quiet week (C-6, C-7), applied to documents."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from rules.thucidide_fantasy.contingent import ContingentSheet, ContingentUnit
from rules.thucidide_fantasy.figures import Tables, type_of
from rules.thucidide_fantasy.spec import TroopType
from rules.thucidide_fantasy.starter import DEATH, FATE_DIE, WOUND

FLED, WOUNDED, DEAD_OR_PRISONER = "fled", "wounded", "dead-or-prisoner"


class ArmyToll(NamedTuple):
    """What happened to an army in a battle.

    `stands`: the stands left of each unit, by its index in the document; 0 if destroyed, missing if unchanged. `gone`:
    names of characters who are dead or captured. `won`: whether its side won.
    """

    stands: Mapping[int, int]
    gone: Collection[str] = ()
    won: bool = False


def after_battle(sheet: ContingentSheet, toll: ArmyToll, tables: Tables, survivors: int) -> ContingentSheet | None:
    """The army's document with its losses applied; None if no unit is left.

    `survivors`: the stands that return of a destroyed unit whose side won.
    """
    units = [
        _after(unit, type_of(unit, tables), toll.stands.get(place), survivors if toll.won else 0)
        for place, unit in enumerate(sheet.units)
    ]
    left = tuple(unit for unit in units if unit is not None)
    if not left:
        return None
    characters = tuple(one for one in sheet.characters if one.name not in toll.gone)
    return ContingentSheet(tuple(_mastered(unit, toll.gone) for unit in left), characters)


def _after(unit: ContingentUnit, own: TroopType, stands: int | None, survivors: int) -> ContingentUnit | None:
    """The unit with its remaining stands, or with the survivors if destroyed; None if none are left."""
    if stands is None:
        return unit
    left = min(unit.whole(own), stands if stands > 0 else survivors)
    return unit._replace(lost=unit.whole(own) - left) if left > 0 else None


def _mastered(unit: ContingentUnit, gone: Collection[str]) -> ContingentUnit:
    """The unit with its default master, if the master it names is gone."""
    return unit._replace(master="") if unit.master in gone else unit


def rested(sheet: ContingentSheet, stands: int = 1) -> ContingentSheet:
    """The document after a week without battle: each unit recovers `stands` stands, up to its full strength (C-7)."""
    return sheet._replace(units=tuple(unit._replace(lost=max(0, unit.lost - stands)) for unit in sheet.units))


# Fates (TF-4.7)


def fate(dice: Sequence[int]) -> str:
    """The fate of a character from 1D6 for each stand lost; the highest die counts. Without dice they got away."""
    highest = max(dice, default=0)
    if highest >= DEATH:
        return DEAD_OR_PRISONER
    return WOUNDED if highest >= WOUND else FLED


def death_from(dice: Sequence[int]) -> int:
    """The least result of one more die that means death instead of capture, unless the table agreed on one: 6, less 1
    for each further 6.
    """
    return max(1, DEATH - max(0, sum(die >= DEATH for die in dice) - 1))


def fates_of(stands: int) -> dict[str, int]:
    """For each fate, the number of the 6ⁿ possible rolls that give it, with n stands lost."""
    below, safe = (DEATH - 1) ** stands, (WOUND - 1) ** stands
    return {DEAD_OR_PRISONER: FATE_DIE**stands - below, WOUNDED: below - safe, FLED: safe}
