"""Figures of units: conversion from documents for battle, and the points of a wing (WC-10, C-8)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.core.errors import demand
from rules.core.text import Namer, _
from rules.hexbattle.tokens import numbered
from rules.wing_command.spec import CommandAbility, Spell, TroopType, UnitFigures, UnitSpec, WingSpec
from rules.wing_command.starter import ABILITIES, CHARACTERS, COMMANDER, SPELLS, TROOPS
from rules.wing_command.wing import WingCharacter, WingCommander, WingSheet, WingTroop

POINTS_A_WEEK = 4  # points of troops per Build Point of upkeep (C-5)
SERGEANT = WingCommander("E", "irregular")
"""The leader of a wing whose army has no commander (WC-10)."""
SERGEANT_NAME = _("Sergeant")


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


def names_of(sheet: WingSheet, tables: Tables, named: Namer = str) -> tuple[str, ...]:
    """The names of the troops: their own or their type's, numbered where a name occurs several times."""
    return numbered([troop.name or named(type_of(troop, tables).name) for troop in sheet.troops])


def wing_of(
    id_: str,
    name: str,
    side: int,
    sheet: WingSheet,
    *,
    commander: tuple[str, str, WingCommander] | None = None,
    tables: Tables | None = None,
    kingdom: str = "",
    named: Namer = str,
) -> WingSpec:
    """An army as it enters a battle.

    `commander`: id, name and figures of its leader; a sergeant if None. `named`: translates the type's name for troops
    without a name. Raises `InvalidInput` if the tables no longer have something its document names.
    """
    known = tables or Tables()
    key, called, own = commander or ("", named(SERGEANT_NAME), SERGEANT)
    troops = zip(names_of(sheet, known, named), sheet.troops, strict=True)
    units = (
        *(UnitSpec(named, troop_figures(troop, known)) for named, troop in troops),
        UnitSpec(called, commander_figures(own), True, True, key),
        *(UnitSpec(one.name, character_figures(one), True, False, one.name) for one in sheet.characters),
    )
    return WingSpec(id_, name, side, units, sheet.order, sheet.morale, kingdom)
