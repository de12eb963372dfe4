"""Value types of THUCIDIDE fantasy: content items, and the figures of units and characters in a battle."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.adjustments import LastingAdjustment
from rules.core.content import Item
from rules.core.text import UnitName

INFANTRY, CAVALRY, CAMELRY = "infantry", "cavalry", "camelry"
CHARIOTS, ELEPHANTS, ARTILLERY = "chariots", "elephants", "artillery"
VERY_LIGHT, LIGHT, MEDIUM, HEAVY, VERY_HEAVY = "very-light", "light", "medium", "heavy", "very-heavy"
RECRUITS, REGULAR, ELITE, GUARD = "recruits", "regular", "elite", "guard"
TENACIOUS, FANATIC, HESITANT, FLEEING = "tenacious", "fanatic", "hesitant", "fleeing"
UNDEAD, FOUL_TOUCH, ANIMALS = "undead", "foul-touch", "animals"
HERO, CASTER, USEFUL, LEADER = "hero", "caster", "useful", "leader"
GENERAL, SUB_GENERAL, SENIOR_OFFICER = "general", "sub-general", "senior-officer"
GREEN, BLUE, RED, FLAG, LETTER, ADVANTAGE = "green", "blue", "red", "flag", "letter", "advantage"

ENGINE, TABLE = "engine", "table"
CARDS, POINTS = "cards", "points"
ALL = "all"
COUNT, NOT = "count", "not"
CONSENT, NEVER = "consent", "never"

FRIEND, ENEMY, UNIT, HEX, FREE_HEX, ELEMENT = "friend", "enemy", "unit", "hex", "free-hex", "element"
UNIT_OR_HEX, ENEMY_OR_HEX, ENEMY_UNDEAD = "unit-or-hex", "enemy-or-hex", "enemy-undead"
GRAVE, CHAIN, NOTHING = "grave", "chain", "nothing"
"""Targets of spells (TF-6.3, 5.3). A grave is an empty hex where a unit fell; a chain is four empty hexes."""

NOW, NEXT, TWO, WHILE = "now", "next", "two", "while"
"""Durations of spells (TF-6.3, T-36): immediate; until the end of the caster's next spell phase; until the end of the
one after; until it ends by itself.
"""


def by_slug[I: Item](*items: I) -> Mapping[str, I]:
    return {item.slug: item for item in items}


# Content


@dataclass(frozen=True, slots=True)
class TroopKind(Item):
    """A kind of troops (TF-1.4). `of_animals`: T-44. `pursues`: TF-1.11. `retreat`: hexes per flag (TF-1.10)."""

    of_animals: bool = False
    pursues: bool = False
    retreat: int = 1


@dataclass(frozen=True, slots=True)
class TroopWeight(Item):
    """A weight class of troops (TF-1.7). `level`: its row in the table of hits, from 1."""

    level: int = 1


@dataclass(frozen=True, slots=True)
class MoveRate(Item):
    """Movement of a kind and weight of troops (TF-1.4).

    `move`: hexes in a turn in which it fights. `calm`: hexes in a turn without combat. `fixed`: it never moves more,
    whatever the road or order.
    """

    kind: str = INFANTRY
    weight: str = MEDIUM
    move: int = 1
    calm: int = 1
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class HitLevel(Item):
    """A level of protection (TF-1.7).

    `hits`, `confirms`: the number of colors that hit, and that confirm a loss, in the order red, blue, green. 0
    `confirms`: no confirmation is needed. `advantage`: an advantage always hits.
    """

    level: int = 1
    hits: int = 1
    confirms: int = 0
    advantage: bool = False


@dataclass(frozen=True, slots=True)
class Weapon(Item):
    """A weapon (TF-1.14, 2.1): dice for assault and melee, or dice and range for shots. `fire`: it may light a hex."""

    assault: int = 0
    melee: int = 0
    shot: int = 0
    range: int = 0
    fire: bool = False
    natural: bool = False

    @property
    def shoots(self) -> bool:
        return self.shot > 0


@dataclass(frozen=True, slots=True)
class Experience(Item):
    """A level of experience (TF-1.8). `dice`: extra dice. `points`: its cost (TF-8)."""

    dice: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Trait(Item):
    """A trait (TF-3), a temper (TF-1.12) or another property. `number`: in the annex, 0 for none.

    `aura`: it affects others nearby. `of_units`: characters can't have it.
    """

    number: int = 0
    aura: bool = False
    temper: bool = False
    of_units: bool = False


class BorneTrait(NamedTuple):
    """A trait of a unit or character. `likes`: types of troops its hindrance spares (T-22). `object`: magic object."""

    trait: str
    likes: tuple[str, ...] = ()
    object: str = ""


@dataclass(frozen=True, slots=True)
class TroopType(Item):
    """A type of troops (TF-8). Its dice come from `weapon` and `missile`, slugs of weapons ("" for none)."""

    kind: str = INFANTRY
    weight: str = MEDIUM
    stands: int = 4
    weapon: str = ""
    missile: str = ""
    experience: str = REGULAR
    traits: tuple[BorneTrait, ...] = ()
    points: int = 1

    def has(self, trait: str) -> bool:
        return any(one.trait == trait for one in self.traits)


@dataclass(frozen=True, slots=True)
class CharacterKind(Item):
    """A kind of character (TF-4).

    `flight`: hexes they flee if attacked while alone; 0 for heroes, who never flee. `points`: their cost; a caster
    costs their spell points instead.
    """

    flight: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Rank(Item):
    """A leader's rank (TF-1.3). `reach`: command distance in hexes. `influence`: their influence."""

    reach: int = 1
    influence: int = 0


@dataclass(frozen=True, slots=True)
class CommandLevel(Item):
    """A general's command level (TF-1.13). `counters`: gained at the start and by reconnaissance."""

    counters: int = 5


@dataclass(frozen=True, slots=True)
class CounterOrder(Item):
    """A manoeuvre order (TF-1.13). `cost`: in counters. `per_hex`: the cost is per hex."""

    cost: int = 1
    per_hex: bool = False


@dataclass(frozen=True, slots=True)
class Spell(Item):
    """A spell (TF-6.3, 5.3). `on`: its target. `character`: whether it may target a character instead. `lasts`: NOW,
    NEXT, TWO or WHILE. `effect`: slug of what it does, with `trait`, `weapon` (shots of it, `times` of them) or `dice`.
    `advantages`: whether advantages count like flags. `number`: in the annex, 0 for none.
    """

    cost: int = 1
    on: str = "friend"
    character: bool = False
    range: int = 3
    lasts: str = NOW
    effect: str = ""
    trait: str = ""
    weapon: str = ""
    times: int = 1
    dice: int = 0
    advantages: bool = False
    number: int = 0


@dataclass(frozen=True, slots=True)
class DivineResult(Item):
    """A row of a table of the gods (TF-7), for 2D6 from `least` to `most`."""

    least: int = 2
    most: int = 12


class Bracket(NamedTuple):
    """Activations per turn (TF-1.3) of a side with at most `most` units on the table: how many, and units in each."""

    most: int
    activations: int
    units: int


# Figures in a battle


def likes_of(traits: Iterable[BorneTrait]) -> frozenset[str]:
    """Types of troops named as affinities of these traits (T-22)."""
    return frozenset(slug for one in traits for slug in one.likes)


class UnitFigures(NamedTuple):
    """Figures of a unit at the start of a battle. `type`: slug of its type of troops. `weight`: level in the table of
    hits, from 1. `move`, `calm`: hexes in a turn with and without combat. `fixed`: it never moves more. `dice`: from
    its experience. `fire`: its shots may light hexes. `adjustments`: the GM's lasting adjustments of its army; those of
    move and range are in the figures already.
    """

    type: str
    kind: str = INFANTRY
    weight: int = 3
    stands: int = 4
    move: int = 1
    calm: int = 2
    fixed: bool = False
    weapon: str = ""
    missile: str = ""
    assault: int = 0
    melee: int = 0
    shot: int = 0
    range: int = 0
    fire: bool = False
    experience: str = REGULAR
    dice: int = 0
    temper: str = ""
    traits: tuple[BorneTrait, ...] = ()
    adjustments: tuple[LastingAdjustment, ...] = ()

    def has(self, trait: str) -> bool:
        return any(one.trait == trait for one in self.traits)

    def likes(self) -> frozenset[str]:
        """Types of troops its hindrance doesn't affect; always includes its own (T-22)."""
        return likes_of(self.traits) | {self.type}


class CharacterFigures(NamedTuple):
    """Figures of a character at the start of a battle. `rank`, `level`: of a leader, else "". `hero`: whether `weight`
    (armor level), `melee`, `shot`, `range` and `resistance` apply. `points`: spell points, 0 if they don't cast.
    `cards`: those chosen in the document. `move`, `calm`: in hexes, when they are alone.
    """

    kind: str
    rank: str = ""
    level: str = ""
    hero: bool = False
    weight: int = 0
    mounted: bool = False
    melee: int = 0
    shot: int = 0
    range: int = 0
    resistance: int = 0
    move: int = 3
    calm: int = 3
    traits: tuple[BorneTrait, ...] = ()
    points: int = 0
    cards: tuple[str, ...] = ()

    @property
    def casts(self) -> bool:
        return self.points > 0

    def has(self, trait: str) -> bool:
        return any(one.trait == trait for one in self.traits)


class UnitSpec(NamedTuple):
    """A unit at the start of a battle. `whole`: its stands without losses. `master`: key of an undead unit's master."""

    name: UnitName
    figures: UnitFigures
    whole: int
    master: str = ""


class CharacterSpec(NamedTuple):
    """A character at the start of a battle. `key`: a commander's id, or the name of another character."""

    name: UnitName
    figures: CharacterFigures
    commander: bool = False
    key: str = ""


class ContingentSpec(NamedTuple):
    """An army at the start of a battle (C-1). Units are in document order, characters in the order of T-66. `ids`: of
    the units, then the characters, fixed on entry.
    """

    id: str
    name: str
    side: int
    units: tuple[UnitSpec, ...]
    characters: tuple[CharacterSpec, ...] = ()
    kingdom: str = ""
    ids: tuple[str, ...] = ()

    @property
    def commander(self) -> CharacterSpec | None:
        return next((one for one in self.characters if one.commander), None)

    @property
    def stands(self) -> int:
        return sum(unit.figures.stands for unit in self.units)


class Ladder(NamedTuple):
    """A level of the table of hits as stored. `hits`, `confirms`: numbers of colors (`confirms` 0: not needed)."""

    hits: int
    confirms: int = 0
    advantage: bool = False


class SpellFigures(NamedTuple):
    """A spell as a battle stores it. `shot`: dice of each of its `times` shots. `fire`: whether they burn. `called`:
    the name of a campaign's own spell, "" for the law's.
    """

    cost: int
    on: str
    character: bool = False
    range: int = 3
    lasts: str = NOW
    effect: str = ""
    trait: str = ""
    shot: int = 0
    times: int = 1
    fire: bool = False
    dice: int = 0
    advantages: bool = False
    called: str = ""


class BattleOptions(NamedTuple):
    """Options of a battle, set by the campaign or the GM (TF-HOUSE) and stored with the battle. `spells`: all spells by
    slug, the campaign's own included. `ladder`: the table of hits by level, from 1.
    """

    combat: str = ENGINE
    turn_limit: int = 12
    victory_share: str = "third"
    supply: str = CARDS
    supply_points: int = 6
    hindrance: str = ANIMALS
    flyers_beside: str = COUNT
    appeals: str = CONSENT
    spells: Mapping[str, SpellFigures] = {}
    ladder: tuple[Ladder, ...] = ()


@dataclass(frozen=True, slots=True)
class House:
    """House rules of a campaign. `overlay`: changed figures of tables. `own`: its own troops, weapons and spells."""

    combat: str = ENGINE
    turn_limit: int = 12
    victory_share: str = "third"
    supply: str = CARDS
    supply_points: int = 6
    hindrance: str = ANIMALS
    flyers_beside: str = COUNT
    appeals: str = CONSENT
    upkeep: bool = True
    survivors: int = 1
    stands_back: int = 1
    overlay: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    own: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
