"""Values of THUCIDIDE fantasy: what its content says, and the figures units and characters enter a battle with."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, NamedTuple

from rules.core.content import Item

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
"""What a spell is cast on (TF-6.3, 5.3): a grave is an empty hex where a unit fell, a chain four empty hexes."""

NOW, NEXT, TWO, WHILE = "now", "next", "two", "while"
"""How long a spell lasts (TF-6.3, T-36): at once; to the end of the caster's next spell phase; to the end of the one
after; until it ends by itself.
"""


def by_slug[I: Item](*items: I) -> Mapping[str, I]:
    return {item.slug: item for item in items}


# Content


@dataclass(frozen=True, slots=True)
class TroopKind(Item):
    """A kind of troops (TF-1.4). `of_animals`: T-44. `pursues`: TF-1.11. `retreat`: hexes for each flag (TF-1.10)."""

    of_animals: bool = False
    pursues: bool = False
    retreat: int = 1


@dataclass(frozen=True, slots=True)
class TroopWeight(Item):
    """A weight (TF-1.7). `level`: in the table of hits, from 1."""

    level: int = 1


@dataclass(frozen=True, slots=True)
class MoveRate(Item):
    """Hexes a kind of troops of a weight moves in a turn in which it fights, and in one in which it doesn't (TF-1.4).

    `fixed`: it never moves more, whatever the road or the order.
    """

    kind: str = INFANTRY
    weight: str = MEDIUM
    move: int = 1
    calm: int = 1
    fixed: bool = False


@dataclass(frozen=True, slots=True)
class HitLevel(Item):
    """A level of protection (TF-1.7). `hits`, `confirms`: how many colors hit, and confirm a loss: red, then blue,
    then green. Without `confirms` no loss is confirmed. `advantage`: an advantage always hits it.
    """

    level: int = 1
    hits: int = 1
    confirms: int = 0
    advantage: bool = False


@dataclass(frozen=True, slots=True)
class Weapon(Item):
    """A weapon (TF-1.14, 2.1): dice of assault and melee, or dice and range of a shot. `fire`: it may light a hex."""

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
    """How experienced a unit is (TF-1.8). `dice`: what it adds. `points`: what it costs (TF-8)."""

    dice: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Trait(Item):
    """A trait (TF-3), a temper (TF-1.12) or what else a unit is. `number`: in the annex, 0 for none.

    `aura`: it works on others around. `of_units`: characters can't have it.
    """

    number: int = 0
    aura: bool = False
    temper: bool = False
    of_units: bool = False


class BorneTrait(NamedTuple):
    """A trait somebody has. `likes`: types of troops its hindrance doesn't touch (T-22). `object`: whence it comes."""

    trait: str
    likes: tuple[str, ...] = ()
    object: str = ""


@dataclass(frozen=True, slots=True)
class TroopType(Item):
    """A type of troops (TF-8). Its factors are those of `weapon` and `missile`, slugs of weapons ("" for none)."""

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
    """A kind of characters (TF-4). `flight`: hexes it flees when it is alone and attacked; heroes never do.

    `points`: what it costs; a caster costs as many points as their cards do.
    """

    flight: int = 0
    points: int = 0


@dataclass(frozen=True, slots=True)
class Rank(Item):
    """A leader's rank (TF-1.3): how far it commands, and its influence."""

    reach: int = 1
    influence: int = 0


@dataclass(frozen=True, slots=True)
class CommandLevel(Item):
    """A general's command level (TF-1.13): counters at the start, and from reconnaissance."""

    counters: int = 5


@dataclass(frozen=True, slots=True)
class CounterOrder(Item):
    """A manoeuvre order (TF-1.13) and the counters it costs, for each hex where it is given for hexes."""

    cost: int = 1
    per_hex: bool = False


@dataclass(frozen=True, slots=True)
class Spell(Item):
    """A spell (TF-6.3, 5.3). `on`: what it is cast on; `character`: or a character. `lasts`: NOW, NEXT, TWO or WHILE.

    `effect`: what it does; `trait`, `weapon` (a shot of it, `times`) and `dice` say with what. `advantages`: advantages
    count like flags. `number`: in the annex, 0 for none.
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
    """A row of a table of the gods (TF-7): what 2D6 show from `least` to `most`."""

    least: int = 2
    most: int = 12


class Bracket(NamedTuple):
    """Activations of a turn with so many units on the table at most (TF-1.3): how many, and of how many units."""

    most: int
    activations: int
    units: int


# What enters a battle


class UnitFigures(NamedTuple):
    """Figures of a unit as it enters a battle. `type`: slug of its type of troops, `weight`: its level, from 1.

    `stands`: at the start. `move`, `calm`: hexes when it fights this turn, and when it doesn't. `fixed`: never more.
    `dice`: of its experience. `fire`: its shots may light hexes.
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

    def has(self, trait: str) -> bool:
        return any(one.trait == trait for one in self.traits)

    def likes(self) -> frozenset[str]:
        """Types of troops its hindrance doesn't touch: its own always is one (T-22)."""
        return frozenset({self.type, *(slug for one in self.traits for slug in one.likes)})


class CharacterFigures(NamedTuple):
    """Figures of a character as they enter a battle. `rank`, `level`: of a leader, "" for who leads nobody.

    `hero`: with `weight` (level of the armor), `melee`, `shot`, `range` and `resistance`. `points`: of cards, 0 for who
    doesn't cast; `cards`: chosen in the document. `move`, `calm`: when they are alone.
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
    """A unit as it enters a battle. `whole`: its stands when none are lost. `master`: key of the undead's master."""

    name: str
    figures: UnitFigures
    whole: int
    master: str = ""


class CharacterSpec(NamedTuple):
    """A character as they enter a battle. `key`: of a commander their id, of a character of the document their name."""

    name: str
    figures: CharacterFigures
    commander: bool = False
    key: str = ""


class ContingentSpec(NamedTuple):
    """An army as it enters a battle (C-1): units as its document lists them, characters in the order of T-66. `ids`: of
    the units, then of the characters, written down when it enters.
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
    """A level of the table of hits as a battle keeps it: how many colors hit, and how many confirm (0: none needed)."""

    hits: int
    confirms: int = 0
    advantage: bool = False


class SpellFigures(NamedTuple):
    """A spell as a battle keeps it. `shot`: dice of each of its `times` shots, those of its weapon; `fire`: it burns.

    `called`: the name of one that is the campaign's own, "" for the law's.
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
    """What a campaign or the GM may set of a battle (TF-HOUSE), written down with the battle.

    `spells`: the campaign's, its own among them, by slug. `ladder`: the table of hits by level, from 1.
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
    """The house rules a campaign plays by. `own`: its own troops, weapons and spells."""

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
