"""Specs of an army: weapons, machines, units, commanders, places (BP-2, BP-3, BP-8, BP-9).

Values without judgement: `parse` reads and refuses, `figures` reckons.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any, Literal, NamedTuple

from rules.core.text import Term, _

CONTACT: Literal["contact"] = "contact"
SHOOTING: Literal["shooting"] = "shooting"
type Group = Literal["contact", "shooting"]

SHORT, MEDIUM, LONG, VERY_LONG = "short", "medium", "long", "very-long"
RANGE_NAMES: Mapping[str, Term] = {
    SHORT: _("short range"),
    MEDIUM: _("medium range"),
    LONG: _("long range"),
    VERY_LONG: _("very long range"),
}
IN_SHORT: Mapping[str, Term] = {
    SHORT: _("short"),
    MEDIUM: _("medium"),
    LONG: _("long"),
    VERY_LONG: _("very long"),
}
"""The same where what they are of stands beside them."""
RANGES = tuple(RANGE_NAMES)
"""Ranges of weapons and distances of battles, nearest first."""

LAND, AIR, SEA, SPACE = "land", "air", "sea", "space"
MEDIA = (LAND, AIR, SEA, SPACE)

READY, ROUTED = "ready", "routed"
"""An army that stands, and one that fled less than a week ago (B-69). With any other word it is none any more."""

ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Weapon:
    """One weapon as the power uses it (BP-2.2, BP-2.3). `slug`: of the starter table, "" for one of their own.

    `rate`: shots a round; None for a weapon of contact. `range`: "" for a weapon of contact. `number`: how many of it
    a head, a piece or a machine bears. `bursts`: its fire power counts twice. `thrown`: a weapon of contact that adds
    half its damage. `secondary`: counts half (machines), or as the GM adds it (B-9). `siege`: a piece that cannot fight
    at contact (BP-4.9). `munitions`: damages of several kinds of it, of which the mean counts (B-67).
    """

    slug: str
    name: str
    damage: int
    rate: Fraction | None = None
    range: str = ""
    area: int = 1
    number: int = 1
    accuracy: int = 0
    bursts: bool = False
    thrown: bool = False
    secondary: bool = False
    firearm: bool = False
    siege: bool = False
    munitions: tuple[int, ...] = ()

    @property
    def shoots(self) -> bool:
        return self.rate is not None


@dataclass(frozen=True, slots=True)
class Machine:
    """What a unit of machines is made of (BP-9). A modifier that is None does not count in the mean (B-63)."""

    slug: str
    name: str
    toughness: int
    armour: int
    mobility: int
    control: int | None = None
    attack: int | None = None
    defense: int | None = None
    weapons: tuple[Weapon, ...] = ()


@dataclass(frozen=True, slots=True)
class TroopType:
    """What kind of troops (BP-2.2, BP-2.4). `charge`: its factor of power; `anywhere`: on any ground, else only where
    it can charge. `mounted`: rides or drives, and fights as foot where cavalry does (B-7). `chariots`: barred from
    rough ground already. `beasts`: what fights is the mount, and nobody dismounts. `flies`, `never` (no breaking
    point), `starves`: as its kind is by itself.
    """

    slug: str
    name: str
    toughness: int
    charge: int = 1
    anywhere: bool = False
    mounted: bool = False
    chariots: bool = False
    beasts: bool = False
    flies: bool = False
    never: bool = False
    starves: bool = True


@dataclass(frozen=True, slots=True)
class Unit:
    """A homogeneous unit (BP-2.1). `strength`: heads, of machines machines; crews of pieces are heads.

    `armour`: as it counts, already halved where that is the world's manner (B-12). `pieces`: guns and the like its
    weapons are counted by; None: every head bears them. `breaking`: a percentage the GM has raised (B-11). `mobility`:
    None, and it follows from arms and type (B-13). `extra`: the damage the GM adds for a secondary weapon (B-9).
    `heavy` (BP-2.6) follows from armour and shield. `engineers`: shorten sieges (BP-8). `wounded`, `experience`: what a
    campaign remembers of it.
    """

    name: str
    type: TroopType
    strength: int
    combat: int
    armour: int
    group: Group
    toughness: int
    weapons: tuple[Weapon, ...] = ()
    reserve: bool = False
    never: bool = False
    breaking: int | None = None
    mobility: int | None = None
    shield: bool = False
    pieces: int | None = None
    machine: Machine | None = None
    extra: int = 0
    starves: bool = True
    engineers: bool = False
    wounded: int = 0
    experience: int = 0

    @property
    def a_head(self) -> int:
        """What a head can take: toughness + armour (BP-2.4)."""
        return self.toughness + self.armour


@dataclass(frozen=True, slots=True)
class General:
    """Who leads an army (BP-3). `mental` and `presence` are characteristics: their modifier is 5 less (B-14)."""

    id: str
    name: str
    mental: int
    presence: int
    combat: int
    art_of_war: int
    diplomacy: int


@dataclass(frozen=True, slots=True)
class Host:
    """An army as it goes to war: the law's document read, with the names the frame knows. `status`: as the campaign has
    it.
    """

    id: str
    name: str
    kingdom: str
    units: tuple[Unit, ...]
    commander: General | None = None
    status: str = READY

    @property
    def stands(self) -> bool:
        return self.status in (READY, ROUTED)


class Fortification(NamedTuple):
    """A kind of place (BP-8): garrison from and to (None: no end), factor of the force, bonus of the defense;
    `against_shots`: only against shots.
    """

    slug: str
    name: str
    least: int
    most: int | None
    factor: int
    defense: int
    against_shots: bool = False


@dataclass(frozen=True, slots=True)
class Place:
    """A fortified place: `garrison` is how many hold it properly (more than half of it) and, twice, its room."""

    id: str
    name: str
    kind: Fortification
    garrison: int


@dataclass(frozen=True, slots=True)
class House:
    """What a campaign has set (B-1, B-12, B-20, B-69, B-80). `upkeep`: a week, for every hundred heads; `price`: of a
    garrison, for every hundred heads; `march`: hexes a day.

    `weapons`: those whose figures it has changed, and its own; `overlay`: all it has changed, by kind and slug;
    `own`: what it has beside the tables, by kind and slug.
    """

    plain_die: bool = False
    halved_armour: bool = True
    surprise_for_battle: bool = False
    upkeep: int = 0
    price: int = 10
    march: int = 2
    empty_phases: bool = True
    weapons: Mapping[str, Weapon] = field(default_factory=dict)
    overlay: Mapping[str, Mapping[str, Mapping[str, Any]]] = field(default_factory=dict)
    own: Mapping[str, Mapping[str, dict[str, Any]]] = field(default_factory=dict)


# Kinds of fortified places (BP-8).

_ALL = (
    Fortification("entrenchment", _("Entrenchment"), 5, 50, 1, 5, against_shots=True),
    Fortification("fort", _("Bunker, fort"), 50, 500, 2, 5),
    Fortification("fortress", _("Fortress"), 500, None, 3, 10),
)
FORTIFICATIONS: Mapping[str, Fortification] = {kind.slug: kind for kind in _ALL}
"""By slug, the weakest first."""
