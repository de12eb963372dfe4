"""Specs of an army: weapons, machines, units, commanders, places (BP-2, BP-3, BP-8, BP-9). Plain values: `documents`
checks them, `figures` computes with them.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import Annotated, Any, Literal, NamedTuple

from rules.adjustments import Adjustable, AdjustableFigure, LastingAdjustment
from rules.core.errors import InvalidInput
from rules.core.shapes import Spelled, Text
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
"""Names of the ranges where their subject is named beside them."""
RANGES = tuple(RANGE_NAMES)
"""Ranges of weapons and distances of battles, nearest first."""

LAND, AIR, SEA, SPACE = "land", "air", "sea", "space"
MEDIA = (LAND, AIR, SEA, SPACE)

READY, ROUTED = "ready", "routed"
"""Statuses: an army that stands, and one that fled less than a week ago (B-69). With any other
status it cannot fight.
"""

ONE = Fraction(1)


@dataclass(frozen=True, slots=True)
class Weapon:
    """Weapon (BP-2.2, BP-2.3). `slug` is that of the starter table, "" for an army's own.

    `rate` is in shots per round, None for a contact weapon; `range` is "" then. `number` is how many a head, piece or
    machine bears. `bursts`: its fire power counts twice. `thrown`: a contact weapon that adds half its damage.
    `secondary`: counts half on machines, otherwise as the GM adds it (B-9). `siege`: a piece that cannot fight at
    contact (BP-4.9). `munitions` are the damages of several munitions, whose mean counts (B-67).
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
    """Machine of which a unit consists (BP-9). A modifier of None does not count in the mean (B-63)."""

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
    """Type of troops (BP-2.2, BP-2.4).

    `charge` is the factor of its power, on any ground if `anywhere`, otherwise only where it can charge. `mounted`:
    rides or drives, and fights as foot where cavalry does (B-7). `chariots`: cannot charge on rough ground. `beasts`:
    the mount itself fights, nobody dismounts. `flies`, `never` (breaks) and `starves` are defaults of its units.
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
    """Homogeneous unit (BP-2.1). `strength` is in heads, or machines; crews of pieces are heads.

    `armour` is the value in play, already halved if the world does that (B-12). `pieces` is the number of guns and the
    like; None if every head bears the weapons. `breaking` is a percentage raised by the GM (B-11). `mobility` None
    follows from weapons and type (B-13). `extra` is the GM's damage for a secondary weapon (B-9). `engineers` shorten
    sieges (BP-8). `wounded` and `experience` are kept by the campaign. Whether it is heavy follows from armour and
    shield (BP-2.6). `adjustments` are those of its army (B-41), which no document of the unit holds.
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
    adjustments: tuple[LastingAdjustment, ...] = ()

    @property
    def a_head(self) -> int:
        """Damage a head can take: toughness + armour (BP-2.4)."""
        return self.toughness + self.armour


@dataclass(frozen=True, slots=True)
class General:
    """Commander of an army (BP-3). `mental` and `presence` are characteristics; their modifier is 5 less (B-14).
    `adjustments` are those of their army (B-41).
    """

    id: str
    name: str
    mental: int
    presence: int
    combat: int
    art_of_war: int
    diplomacy: int
    adjustments: tuple[LastingAdjustment, ...] = ()


@dataclass(frozen=True, slots=True)
class Host:
    """Army as it goes to war: its parsed document, and the names that the apps know. `status` is the campaign's."""

    id: str
    name: str
    kingdom: str
    units: tuple[Unit, ...]
    commander: General | None = None
    status: str = READY

    @property
    def stands(self) -> bool:
        return self.status in (READY, ROUTED)


# Figures that the GM may adjust for an army (B-41): those of all its units, and its commander's command.

COMBAT, DEFENSE, BREAKING_POINT, COMMAND = "combat", "defense", "breaking_point", "command"
ADJUSTABLE = Adjustable("B-41", {
    COMBAT: AdjustableFigure(_("Combat of its units in tests"), 20),
    DEFENSE: AdjustableFigure(_("Defense of its units"), 20),
    BREAKING_POINT: AdjustableFigure(_("Breaking point of its units in %"), 500),
    COMMAND: AdjustableFigure(_("Command of its commander"), 20),
})  # fmt: skip


class Fortification(NamedTuple):
    """Kind of place (BP-8): least and greatest garrison (None: unlimited), factor of the force, bonus to defense.
    `against_shots`: the bonus counts only against shots.
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
    """Fortified place. More than half of `garrison` is needed to hold it properly; twice as many fit in."""

    id: str
    name: str
    kind: Fortification
    garrison: int


@dataclass(frozen=True, slots=True)
class House:
    """House rules of a campaign (B-1, B-12, B-20, B-69, B-80).

    `upkeep` is a week's for a hundred heads, `price` that of a garrison of a hundred heads, `march` in hexes a day.
    `weapons` are those it has changed, and its own. `overlay` holds all its changes and `own` its own entries, by kind
    and slug.
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
"""Kinds by slug, the weakest first."""


# Names and rates of fire in documents of this law.

type Json = dict[str, Any]

NAME_MOST, RATE_CHARACTERS = 120, 12
RATE_MOST = 100
FRACTION = re.compile(r"[0-9]{1,4}/[0-9]{1,4}|[0-9]{0,4}\.[0-9]{1,17}|[0-9]{1,4}\.?")


def read_rate(value: object) -> Fraction:
    """Parse shots per round: 2, 0.5 or "1/4". Exponents are refused, because "1e-9999999" would take hours."""
    text = str(value).strip() if isinstance(value, int | float | str) and not isinstance(value, bool) else ""
    try:
        rate = Fraction(text) if FRACTION.fullmatch(text) else Fraction(0)
    except ZeroDivisionError:
        rate = Fraction(0)
    if not (0 < rate <= RATE_MOST and rate.denominator <= RATE_MOST):
        raise InvalidInput(_("Enter a rate of fire above 0 and at most 100, such as 2 or 1/4."))
    return rate


type NameText = Annotated[str, Text(NAME_MOST, _("Enter a name of 1 to 120 characters."))]
type Rate = Annotated[Fraction, Spelled(read_rate, str, RATE_CHARACTERS)]
