"""Frozen state of a battle: its opening, its bodies and the field's conditions. It is the fold of its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, NamedTuple

from rules.adjustments import LastingAdjustment
from rules.breaking_point.spec import AIR, LAND, LONG, MEDIUM, SEA, SPACE, VERY_LONG, Host, House, Place, Unit
from rules.core.frozen_copy import changed
from rules.core.shapes import ArmyId, Called, InApi, NeededIf, SideNumber, Slug, Text

SETUP, COMMAND, ROUND, AFTERMATH, CLOSED = "setup", "command", "round", "aftermath", "closed"
FIELD, FLEET, ASSAULT = "field", "fleet", "assault"
KINDS = (FIELD, FLEET, ASSAULT)
CONTACT, SHOOTING, UNIT, GARRISON = "contact", "shooting", "unit", "garrison"
RESERVE = "reserve"  # kind and key of the placeholder for an unknown reserve (B-18)

# Statuses of a body.
type Gone = Literal["withdrawn", "fled", "annihilated", "surrendered"]
type Status = Literal["fighting", "waiting", "routed", "withdrawn", "fled", "annihilated", "surrendered"]
FIGHTING: Final = "fighting"
WAITING: Final = "waiting"  # in reserve
ROUTED: Final = "routed"  # broken, but still on the field
WITHDRAWN: Final = "withdrawn"
FLED: Final = "fled"
ANNIHILATED: Final = "annihilated"
SURRENDERED: Final = "surrendered"
ON_FIELD = (FIGHTING, ROUTED)
GONE = (WITHDRAWN, FLED, ANNIHILATED, SURRENDERED)

# States of a body by its losses (BP-4.8).
FRESH, ENGAGED, BATTERED, DECIMATED = "fresh", "engaged", "battered", "decimated"

DISTANCE_OF: Mapping[str, str] = {LAND: MEDIUM, AIR: LONG, SEA: LONG, SPACE: VERY_LONG}
REASON_MOST = 200
DEEDS = ("attack", "shoot", "hold")
DUSK, DUSK_OF_FLEETS, QUIET_MOST = 12, 24, 2


class Phase(NamedTuple):
    """Phase of a battle. `number` counts rounds; it is 1 in other phases."""

    kind: str
    number: int = 1


class Side(NamedTuple):
    """Side of a battle. `chief` is the army whose commander leads it (B-15), "" for the best one. `circumstances` is
    the GM's modifier of its command tests (B-16). `radio`: bad visibility does not affect its command.
    """

    name: Annotated[str, Text()]
    armies: tuple[ArmyId, ...] = ()
    chief: ArmyId = ""
    circumstances: int = 0
    radio: bool = False


class Character(NamedTuple):
    """Character who fights in a unit (B-51): the index of the unit in its army, and the armour that reduces their
    wounds.
    """

    id: str
    name: str
    army: str
    unit: int
    armour: int = 0


class Enrolled(NamedTuple):
    """Unit of a body: its army and its index there."""

    army: str
    unit: int


class Formation(NamedTuple):
    """Body as it was when it came to the battle (B-5), with every figure that must not change later.

    `combat` is bare; `contact_combat` and `shot_combat` are for tests (B-10). `armour` is the armour to beat (B-64).
    `breaking` is in percent, None if it never breaks; `value` is the same in points of force. `losses` are from before
    (B-55). `factor` is that of its place, already in the force. `command` is the mean combat of its army without
    reserves (BP-4.11, BP-7). `support`: nobody can reach it. `adjustments` are those of its units, already in combat
    and defense (B-41).
    """

    id: str
    army: str
    side: int
    kind: str
    members: tuple[Enrolled, ...]
    heads: int
    force: int
    combat: int
    breaking: int | None
    value: int | None
    range: str
    command: int
    mobility: int = 0
    contact_combat: int = 0
    shot_combat: int = 0
    defense: int = 0
    contact_defense: int = 0
    armour: int = 0
    losses: int = 0
    reserve: bool = False
    factor: int = 1
    support: bool = False
    adjustments: tuple[LastingAdjustment, ...] = ()


class FieldMark(NamedTuple):
    """Condition of the field, a side or a body (`CONDITIONS` of `conditions`). `reason` is given where its kind
    requires one.
    """

    kind: Annotated[Slug, Called("condition")]
    value: int | str | None = None
    side: SideNumber | None = None
    body: Annotated[Slug, InApi(nullable=True)] = ""
    reason: Annotated[str, Text(REASON_MOST)] = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """Opening of a battle.

    `losses` are points of force that units have lost in their siege before, by `unit_key` (B-55). `defender` is the
    side that holds the place. `support` are armies out of everybody's reach (B-65). `besieged` are armies whose losses
    a siege keeps (B-55). The check fills in `formations`.
    """

    sides: tuple[Side, ...]
    armies: tuple[Host, ...]
    kind: str = FIELD
    medium: str = LAND
    distance: str = ""
    conditions: tuple[FieldMark, ...] = ()
    place: Place | None = None
    defender: int = 1
    losses: Mapping[str, int] = field(default_factory=dict)
    support: tuple[str, ...] = ()
    characters: tuple[Character, ...] = ()
    formations: tuple[Formation, ...] = ()
    besieged: tuple[str, ...] = ()


class BodyOrder(NamedTuple):
    """Order of one body: "attack", "shoot" or "hold" (in a fleet also "withdraw"), and its standing answers (B-22)."""

    do: Annotated[Slug, NeededIf(lambda _body: True), InApi(choices=DEEDS, required=True)] = "hold"
    target: Annotated[Slug, InApi(nullable=True, blank=True)] = ""
    pursue: bool = False
    riposte: bool = True


HOLD = BodyOrder()


@dataclass(frozen=True, slots=True)
class Order:
    """Order of an army for a round (B-22), secret until it is carried out. `bodies` are by the part of their id after
    the colon. `rally` is the body to rally first. `distance` is "close", "open" or "", for fleets.
    """

    army: ArmyId
    bodies: Annotated[Mapping[Slug, BodyOrder], InApi("by body")] = field(default_factory=dict)
    withdraw: bool = False
    commit: bool = False
    rally: Annotated[Slug, InApi(nullable=True)] = ""
    distance: Annotated[Slug, InApi(nullable=True)] = ""


class Heart(NamedTuple):
    """Bonus to a target's combat against an attacker that failed (B-30), until the end of round `until`."""

    foe: str
    amount: int
    until: int


@dataclass(frozen=True)
class Body:
    """Body in the battle. `losses` are in points of force.

    `penalty` (0 or less) is from a failed withdrawal (B-36). `rests` is the round in which it makes no attack (B-39),
    or −1. `came` is the round in which it came onto the field. `rallied`: its one attempt is used. `adjusted` are the
    GM's additions to figures. `saved`: it left with guns and baggage. `force`, `value`, `breaking` and `sheltered` are
    current values: a garrison that breaks loses its walls. `masked`: its figures are hidden; force is then 100 and
    losses are percent. `shares` are its units' shares of the losses by army, where a player assigned them (B-78).
    """

    formation: Formation
    force: int
    breaking: int | None
    value: int | None
    losses: int = 0
    status: Status = FIGHTING
    penalty: int = 0
    rests: int = -1
    came: int = 0
    rallied: bool = False
    sheltered: bool = False
    saved: bool = False
    hearts: tuple[Heart, ...] = ()
    adjusted: Mapping[str, int] = field(default_factory=dict)
    masked: bool = False
    shares: Mapping[str, Mapping[int, int]] = field(default_factory=dict)

    @property
    def id(self) -> str:
        return self.formation.id

    @property
    def key(self) -> str:
        """Key of the body in orders: the part of its id after the colon."""
        return self.formation.id.rpartition(":")[2]

    @property
    def side(self) -> int:
        return self.formation.side

    @property
    def army(self) -> str:
        return self.formation.army

    @property
    def shoots_only(self) -> bool:
        """Whether it is a shooting group: covered by others, without attacks at contact and pursuit (BP-4.9)."""
        return self.formation.kind == SHOOTING

    @property
    def on_field(self) -> bool:
        return self.status in ON_FIELD

    @property
    def waiting(self) -> bool:
        """Whether it is a reserve that has not been committed (BP-7)."""
        return self.status == WAITING

    @property
    def unseen(self) -> bool:
        """Whether it is in reserve, or left the battle without having entered the field. Only its own side knows its
        units (B-18).
        """
        return self.formation.reserve and (self.waiting or not (self.came or self.on_field))

    @property
    def state(self) -> str:
        """State by its losses (BP-4.8)."""
        return state_of(self.losses, self.force)

    @property
    def factor(self) -> int:
        """Factor of the place on its force and losses, while it is sheltered (B-55)."""
        return self.formation.factor if self.sheltered else 1

    @property
    def brought(self) -> int:
        """Part of `losses` from before the battle, rounded down if the place no longer shelters it."""
        return self.formation.losses * self.factor // self.formation.factor

    @property
    def never_breaks(self) -> bool:
        return self.value is None

    def heart(self, foe: str) -> int:
        return sum(heart.amount for heart in self.hearts if heart.foe == foe)


def state_of(losses: int, force: int) -> str:
    """Return fresh, engaged, battered, decimated or annihilated (BP-4.8)."""
    if losses <= 0:
        return FRESH
    if losses >= 2 * force:
        return ANNIHILATED
    if losses >= force:
        return DECIMATED
    return BATTERED if 2 * losses >= force else ENGAGED


class Result(NamedTuple):
    winner: int | None
    reason: str


@dataclass(frozen=True)
class BattleNow:
    """State of a battle. `bodies` are in attack order.

    `scores` are those of the last command test by side, empty before it. `surprised` are sides. `due` are reasons for a
    new command test. `melees` are pairs that fought at contact last round, `fought` in this one. `quiet` counts
    consecutive rounds without an attack. `masked` are armies whose figures this reader may not know, `worded` those
    whose losses they know only in words. `called` are placeholders of unknown bodies. `memo` caches powers.
    """

    opening: Opening
    house: House
    phase: Phase
    sides: tuple[Side, ...]
    armies: Mapping[str, Host]
    bodies: Mapping[str, Body]
    conditions: tuple[FieldMark, ...] = ()
    distance: str = MEDIUM
    orders: Mapping[str, Order] = field(default_factory=dict)
    scores: tuple[int | None, ...] = ()
    surprised: frozenset[int] = frozenset()
    due: frozenset[str] = frozenset()
    melees: tuple[tuple[str, str], ...] = ()
    fought: tuple[tuple[str, str], ...] = ()
    quiet: int = 0
    phases: tuple[Phase, ...] = ()
    result: Result | None = None
    masked: frozenset[str] = frozenset()
    worded: frozenset[str] = frozenset()
    called: Mapping[str, str] = field(default_factory=dict, compare=False, repr=False)
    memo: dict[tuple[object, ...], int] = field(default_factory=dict, compare=False, repr=False)

    @property
    def kind(self) -> str:
        return self.opening.kind

    def units(self, body: Body) -> Iterator[Unit]:
        return (self.armies[member.army].units[member.unit] for member in body.formation.members)

    def on_field(self, side: int | None = None) -> list[Body]:
        """Return the bodies on the field in attack order (B-21): sides, armies and bodies as set up."""
        here = [body for body in self.bodies.values() if body.status in ON_FIELD]
        return here if side is None else [body for body in here if body.formation.side == side]

    @property
    def round(self) -> int:
        """Number of the current round, 0 before the first."""
        return self.phase.number if self.phase.kind == ROUND else 0

    def side_of(self, army: str) -> int:
        return next(at for at, side in enumerate(self.sides) if army in side.armies)

    def of_army(self, army: str) -> list[Body]:
        return [body for body in self.bodies.values() if body.army == army]

    def owners(self) -> list[str]:
        """Return the armies that command bodies: all; in an assault one for each side."""
        return list(dict.fromkeys(body.army for body in self.bodies.values()))

    def order_of(self, body: Body) -> BodyOrder:
        order = self.orders.get(body.formation.army)
        return HOLD if order is None else order.bodies.get(body.key, HOLD)

    def unseen(self, army: str) -> list[Body]:
        """Return the bodies of its reserve that never came."""
        return [body for body in self.of_army(army) if body.unseen]

    def condition(self, kind: str, *, side: int | None = None, body: str = "") -> FieldMark | None:
        """Return the condition of this kind of the field, or of exactly this side or body, or None."""
        for held in self.conditions:
            if held.kind == kind and held.side == side and held.body == body:
                return held
        return None

    def holds(self, *kinds: str) -> bool:
        """Whether the field has one of these conditions."""
        return any(condition.kind in kinds for condition in self.conditions)

    def changed(self, **fields: object) -> BattleNow:
        return changed(self, **fields)
