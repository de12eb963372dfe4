"""Value types of wing command: content items, and the figures of units in a battle."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.adjustments import Adjustable, AdjustableFigure, LastingAdjustment
from rules.core.content import Item, Switchable
from rules.core.text import UnitName, _

REGULAR, IRREGULAR, CHAOTIC, AUTONOMOUS = "regular", "irregular", "chaotic", "autonomous"
ATTACK, ADVANCE, HOLD, RETREAT = "attack", "advance", "hold", "retreat"
GROUND, INFILTRATING, CLOSE_FLIGHT, HIGH_FLIGHT = "ground", "infiltrating", "close_flight", "high_flight"
MELEE, MISSILE = "melee", "missile"
TABLE, GM = "table", "gm"
ZONE_ROWS = 3
"""The depth of a side's zone in rows, if the map doesn't define one (H-2)."""


MORALE = "morale"
ADJUSTABLE = Adjustable("WC-11", {
    "melee": AdjustableFigure(_("Melee attack of its troops"), 12),
    "shot": AdjustableFigure(_("Shot of its troops"), 12),
    "guard": AdjustableFigure(_("Guard of its troops"), 12),
    "move": AdjustableFigure(_("Move of its troops"), 12),
    MORALE: AdjustableFigure(_("Morale marker"), 8),
})  # fmt: skip
"""Figures that the GM may adjust for an army."""


@dataclass(frozen=True, slots=True)
class TroopType(Switchable):
    """A type of troops (WC-10). `tag`: the letters on its counter, the same in every language."""

    tag: str = ""
    large: bool = False
    move: int = 3
    melee: int = 2
    shot: int = 0
    range: int = 0
    guard: int = 2
    command_class: str = REGULAR
    points: int = 1
    fly: bool = False
    infiltrate: bool = False


@dataclass(frozen=True, slots=True)
class CharacterKind(Item):
    """A kind of character (WC-10). `level`: of magic, unless the document gives another."""

    tag: str = ""
    move: int = 5
    melee: int = 4
    shot: int = 0
    range: int = 0
    guard: int = 4
    level: int = 0


@dataclass(frozen=True, slots=True)
class CommandAbility(Item):
    """A command ability (WC-1.4). `factor`: multiplies 1D3 for order points. `threshold`: of command tests. `bonus`: on
    initiative (WC-9.2).
    """

    factor: int = 1
    threshold: int = 6
    bonus: int = 1


@dataclass(frozen=True, slots=True)
class Spell(Switchable):
    """A spell (WC-7.4). `on`: its target. `far`: its range in hexes. `sight`: whether it needs line of sight."""

    art: str = ""
    difficulty: int = 0
    on: str = "friend"
    far: int = 4
    sight: bool = False
    turns: int = 0


class UnitFigures(NamedTuple):
    """Figures of a unit at the start of a battle. `kind`: slug of its type of troops or kind of character.
    `adjustments`: the changes of these figures by the GM's lasting adjustments of its army.
    """

    kind: str
    large: bool = False
    move: int = 3
    melee: int = 2
    shot: int = 0
    range: int = 0
    guard: int = 2
    fly: bool = False
    infiltrate: bool = False
    profile: str = REGULAR
    ability: str = ""
    art: str = ""
    level: int = 0
    pentacle: int = 0
    adjustments: tuple[LastingAdjustment, ...] = ()


class UnitSpec(NamedTuple):
    """A unit at the start of a battle. `key`: a commander's id, or the name of another character."""

    name: UnitName
    figures: UnitFigures
    character: bool = False
    commander: bool = False
    key: str = ""


class WingSpec(NamedTuple):
    """An army at the start of a battle, which is a wing (C-1).

    Units are in the order of W-61. `prestige`: rank of a commander from another ruleset; among equal abilities the
    higher leads the side. `ids`: of its units, fixed on entry, so that they stay the same when an imported campaign
    gives the army another id.
    """

    id: str
    name: str
    side: int
    units: tuple[UnitSpec, ...]
    order: str
    morale: int
    kingdom: str = ""
    prestige: int = 0
    ids: tuple[str, ...] = ()

    @property
    def commander(self) -> UnitSpec | None:
        return next((unit for unit in self.units if unit.commander), None)

    @property
    def troops(self) -> int:
        return sum(not unit.character for unit in self.units)


class BattleOptions(NamedTuple):
    """Options of a battle, set by the campaign or the GM (WC-HOUSE) and stored with the battle.

    `thresholds`: by ability. `difficulties`: by spell; a missing spell can't be cast in this campaign.
    """

    combat: str = TABLE
    orders_to_characters: bool = True
    turn_limit: int = 12
    break_share: int = 50
    thresholds: Mapping[str, int] = {}
    difficulties: Mapping[str, int] = {}
    aptitude_bonus: int = 0


@dataclass(frozen=True, slots=True)
class House:
    """House rules of a campaign. `overlay`: changed figures of tables. `own`: its own types of troops."""

    orders_to_characters: bool = True
    combat: str = TABLE
    turn_limit: int = 12
    break_share: int = 50
    upkeep: bool = True
    aptitude_bonus: int = 0
    empty_phases: bool = True
    overlay: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    own: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
