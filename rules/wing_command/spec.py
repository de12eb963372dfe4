"""Values of wing command: what its content says, and the figures a unit enters a battle with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.core.content import Item, Switchable

REGULAR, IRREGULAR, CHAOTIC, AUTONOMOUS = "regular", "irregular", "chaotic", "autonomous"
ATTACK, ADVANCE, HOLD, RETREAT = "attack", "advance", "hold", "retreat"
GROUND, INFILTRATING, CLOSE_FLIGHT, HIGH_FLIGHT = "ground", "infiltrating", "close_flight", "high_flight"
MELEE, MISSILE = "melee", "missile"
TABLE, GM = "table", "gm"
ZONE_ROWS = 3
"""How deep a side's zone is where the map doesn't say (H-2)."""


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
    """A kind of characters (WC-10). `level`: of magic, unless the document says another."""

    tag: str = ""
    move: int = 5
    melee: int = 4
    shot: int = 0
    range: int = 0
    guard: int = 4
    level: int = 0


@dataclass(frozen=True, slots=True)
class CommandAbility(Item):
    """A command ability (WC-1.4). `factor`: of 1D3 for order points. `bonus`: on initiative (WC-9.2)."""

    factor: int = 1
    threshold: int = 6
    bonus: int = 1


@dataclass(frozen=True, slots=True)
class Spell(Switchable):
    """A spell (WC-7.4). `on`: whom or what it is cast on. `far`: how far it reaches. `sight`: whether it needs it."""

    art: str = ""
    difficulty: int = 0
    on: str = "friend"
    far: int = 4
    sight: bool = False
    turns: int = 0


class UnitFigures(NamedTuple):
    """Figures of a unit as it enters a battle. `kind`: the slug of its type of troops or kind of character."""

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


class UnitSpec(NamedTuple):
    """A unit as it enters a battle. `key`: of a commander their id, of a character of the document their name."""

    name: str
    figures: UnitFigures
    character: bool = False
    commander: bool = False
    key: str = ""


class WingSpec(NamedTuple):
    """An army as it enters a battle: it is a wing (C-1). Units in the order of W-61. `prestige`: of the commander of an
    army of another law; of equal abilities the higher leads the side. `ids`: of its units, written down when it enters,
    so that they stay when a campaign is imported and its army has another id.
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
    """What a campaign or the GM may set of a battle (WC-HOUSE), written down with the battle.

    `thresholds`: of the abilities. `difficulties`: of the spells; one that is missing isn't cast in this campaign.
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
    """The house rules a campaign plays by."""

    orders_to_characters: bool = True
    combat: str = TABLE
    turn_limit: int = 12
    break_share: int = 50
    upkeep: bool = True
    aptitude_bonus: int = 0
    empty_phases: bool = True
    overlay: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    own: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
