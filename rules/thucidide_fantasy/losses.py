"""Losses of an army after a battle, and what a quiet week gives back (C-6, C-7): from document to document."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from typing import NamedTuple

from rules.thucidide_fantasy.contingent import ContingentSheet, ContingentUnit
from rules.thucidide_fantasy.figures import Tables, type_of
from rules.thucidide_fantasy.spec import TroopType
from rules.thucidide_fantasy.starter import DEATH, FATE_DIE, WOUND

FLED, WOUNDED, DEAD_OR_PRISONER = "fled", "wounded", "dead-or-prisoner"


class ArmyToll(NamedTuple):
    """What became of an army in a battle. `stands`: of its document's units by their places, 0 for one destroyed; those
    left out are as they were. `gone`: characters who are dead or captured, by name. `won`: whether its side did.
    """

    stands: Mapping[int, int]
    gone: Collection[str] = ()
    won: bool = False


def after_battle(sheet: ContingentSheet, toll: ArmyToll, tables: Tables, survivors: int) -> ContingentSheet | None:
    """The army's document with its losses written down; None where no unit is left. `survivors`: stands of a destroyed
    unit whose side won.
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
    """With the stands that are left, of a destroyed unit the survivors; without any it's no more."""
    if stands is None:
        return unit
    left = min(unit.whole(own), stands if stands > 0 else survivors)
    return unit._replace(lost=unit.whole(own) - left) if left > 0 else None


def _mastered(unit: ContingentUnit, gone: Collection[str]) -> ContingentUnit:
    """Undead whose named master is gone have the usual one again."""
    return unit._replace(master="") if unit.master in gone else unit


def rested(sheet: ContingentSheet, stands: int = 1) -> ContingentSheet:
    """The document after a week without battle: so many stands back for each unit, up to all it lost (C-7)."""
    return sheet._replace(units=tuple(unit._replace(lost=max(0, unit.lost - stands)) for unit in sheet.units))


# Fates (TF-4.7)


def fate(dice: Sequence[int]) -> str:
    """What a throw of 1D6 for each stand lost says of a character: the highest counts. Without dice they got away."""
    highest = max(dice, default=0)
    if highest >= DEATH:
        return DEAD_OR_PRISONER
    return WOUNDED if highest >= WOUND else FLED


def death_from(dice: Sequence[int]) -> int:
    """What one more die has to show for death, where nothing was agreed: 6, and 1 less for each further six."""
    return max(1, DEATH - max(0, sum(die >= DEATH for die in dice) - 1))


def fates_of(stands: int) -> dict[str, int]:
    """In how many of 6ⁿ throws each fate comes, for so many stands lost."""
    below, safe = (DEATH - 1) ** stands, (WOUND - 1) ** stands
    return {DEAD_OR_PRISONER: FATE_DIE**stands - below, WOUNDED: below - safe, FLED: safe}
