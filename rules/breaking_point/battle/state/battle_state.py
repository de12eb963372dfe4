"""State of a battle at one moment: its opening, its bodies and what holds for its field. The fold of its events."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Annotated, Final, Literal, NamedTuple

from rules.breaking_point.spec import AIR, LAND, LONG, MEDIUM, SEA, SPACE, VERY_LONG, Host, House, Place, Unit
from rules.core.frozen_copy import changed
from rules.core.shapes import ArmyId, Called, InApi, NeededIf, SideNumber, Slug, Text

SETUP, COMMAND, ROUND, AFTERMATH, CLOSED = "setup", "command", "round", "aftermath", "closed"
FIELD, FLEET, ASSAULT = "field", "fleet", "assault"
KINDS = (FIELD, FLEET, ASSAULT)
CONTACT, SHOOTING, UNIT, GARRISON = "contact", "shooting", "unit", "garrison"
RESERVE = "reserve"  # kind and key of what stands for a reserve to whom nothing else is known of it (B-18)

# what has become of a body
type Gone = Literal["withdrawn", "fled", "annihilated", "surrendered"]
type Status = Literal["fighting", "waiting", "routed", "withdrawn", "fled", "annihilated", "surrendered"]
FIGHTING: Final = "fighting"
WAITING: Final = "waiting"  # in reserve
ROUTED: Final = "routed"  # broken, and not yet gone
WITHDRAWN: Final = "withdrawn"
FLED: Final = "fled"
ANNIHILATED: Final = "annihilated"
SURRENDERED: Final = "surrendered"
ON_FIELD = (FIGHTING, ROUTED)
GONE = (WITHDRAWN, FLED, ANNIHILATED, SURRENDERED)

# a body by its losses (BP-4.8)
FRESH, ENGAGED, BATTERED, DECIMATED = "fresh", "engaged", "battered", "decimated"

DISTANCE_OF: Mapping[str, str] = {LAND: MEDIUM, AIR: LONG, SEA: LONG, SPACE: VERY_LONG}
REASON_MOST = 200
DEEDS = ("attack", "shoot", "hold")
DUSK, DUSK_OF_FLEETS, QUIET_MOST = 12, 24, 2


class Phase(NamedTuple):
    """`number`: of the round; 1 in every other phase."""

    kind: str
    number: int = 1


class Side(NamedTuple):
    """A side as it goes to war. `chief`: the army whose commander leads it (B-15), "" for the best.

    `circumstances`: the GM's number on its command tests (B-16); `radio`: bad visibility does not hinder its command.
    """

    name: Annotated[str, Text()]
    armies: tuple[ArmyId, ...] = ()
    chief: ArmyId = ""
    circumstances: int = 0
    radio: bool = False


class Character(NamedTuple):
    """Somebody who fights in a unit (B-51): the army's unit by its index, and the armour that spares them."""

    id: str
    name: str
    army: str
    unit: int
    armour: int = 0


class Enrolled(NamedTuple):
    """A unit of a body: its army and its index there."""

    army: str
    unit: int


class Formation(NamedTuple):
    """A body as it was when it came to the battle (B-5), with every figure that a later day must not read anew.

    `combat`: bare; `contact_combat`, `shot_combat`: as tests use it (B-10). `armour`: to beat (B-64). `breaking`: %,
    None where it never breaks; `value`: its breaking value in points of force. `losses`: brought along (B-55).
    `factor`: of the place, in the force already. `command`: mean combat of the army it is part of, its reserve apart
    (BP-4.11, BP-7). `support`: nobody can reach it.
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


class FieldMark(NamedTuple):
    """Something that holds for the field, a side or a body (`CONDITIONS` of `conditions`). `reason`: where its kind
    asks for one.
    """

    kind: Annotated[Slug, Called("condition")]
    value: int | str | None = None
    side: SideNumber | None = None
    body: Annotated[Slug, InApi(nullable=True)] = ""
    reason: Annotated[str, Text(REASON_MOST)] = ""


@dataclass(frozen=True, slots=True)
class Opening:
    """How a battle begins. `losses`: by `unit_key`, points of force units have lost in a siege before (B-55).

    `defender`: the side that holds the place; `support`: armies that nobody can reach (B-65); `besieged`: armies whose
    losses a siege keeps (B-55). The check fills in `formations`.
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
    """What one body does: "attack", "shoot" or "hold" (in a fleet "withdraw" too), and its standing answers (B-22)."""

    do: Annotated[Slug, NeededIf(lambda _body: True), InApi(choices=DEEDS, required=True)] = "hold"
    target: Annotated[Slug, InApi(nullable=True, blank=True)] = ""
    pursue: bool = False
    riposte: bool = True


HOLD = BodyOrder()


@dataclass(frozen=True, slots=True)
class Order:
    """A round's order of an army (B-22). `bodies`: by the part of their id after the colon. Secret until it happens.

    `rally`: the body to be rallied first; `distance`: "close" or "open", a fleet's wish.
    """

    army: ArmyId
    bodies: Annotated[Mapping[Slug, BodyOrder], InApi("by body")] = field(default_factory=dict)
    withdraw: bool = False
    commit: bool = False
    rally: Annotated[Slug, InApi(nullable=True)] = ""
    distance: Annotated[Slug, InApi(nullable=True)] = ""


class Heart(NamedTuple):
    """What a failed attack lends its target against that attacker (B-30): until the end of this round."""

    foe: str
    amount: int
    until: int


@dataclass(frozen=True)
class Body:
    """A body in the battle. `losses`: points of force. `penalty`: of a withdrawal that failed (B-36), 0 or below.

    `rests`: the round in which it makes no attack (B-39), −1 for none. `came`: the round in which it came onto the
    field. `rallied`: its one attempt is spent. `adjusted`: what the GM adds to a figure. `saved`: it left with guns and
    baggage. `force`, `value`, `breaking` and `sheltered` are as they are now: a garrison that breaks loses its walls.
    `masked`: its figures are hidden; force is then 100, and losses are a share of it. `shares`: by army, what its units
    bear of the losses where it was said (B-78).
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
        """How its orders call it: the part of its id after the colon."""
        return self.formation.id.rpartition(":")[2]

    @property
    def side(self) -> int:
        return self.formation.side

    @property
    def army(self) -> str:
        return self.formation.army

    @property
    def shoots_only(self) -> bool:
        """A shooting group: it is covered by others, does not attack at contact and does not pursue (BP-4.9)."""
        return self.formation.kind == SHOOTING

    @property
    def on_field(self) -> bool:
        return self.status in ON_FIELD

    @property
    def waiting(self) -> bool:
        """A reserve that has not been committed (BP-7)."""
        return self.status == WAITING

    @property
    def unseen(self) -> bool:
        """In reserve, or gone without ever having come: what it is made of is its own side's to know (B-18)."""
        return self.formation.reserve and (self.waiting or not (self.came or self.on_field))

    @property
    def state(self) -> str:
        """By its losses (BP-4.8)."""
        return state_of(self.losses, self.force)

    @property
    def factor(self) -> int:
        """Of the place, on its force and on what it has lost, as long as that shelters it (B-55)."""
        return self.formation.factor if self.sheltered else 1

    @property
    def brought(self) -> int:
        """Points of `losses` that it came with, dropped where the place shelters it no more."""
        return self.formation.losses * self.factor // self.formation.factor

    @property
    def never_breaks(self) -> bool:
        return self.value is None

    def heart(self, foe: str) -> int:
        return sum(heart.amount for heart in self.hearts if heart.foe == foe)


def state_of(losses: int, force: int) -> str:
    """Fresh, engaged, battered, decimated or annihilated (BP-4.8)."""
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
    """`bodies` stand in attack order. `scores`: of the last command test by side, empty before it. `surprised`: sides.
    `due`: why a new command test is. `melees`: who fought whom at contact last round, `fought` in this one. `quiet`:
    rounds running without an attack. `masked`: armies whose figures this reader may not know. `worded`: armies
    whose losses they know by their word alone. `called`: what bodies of which they know nothing go by for them. `memo`:
    powers that were reckoned once.
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
        """In attack order (B-21): sides, armies and bodies as they were set up."""
        here = [body for body in self.bodies.values() if body.status in ON_FIELD]
        return here if side is None else [body for body in here if body.formation.side == side]

    @property
    def round(self) -> int:
        """The number of the round that is fought, 0 before the first."""
        return self.phase.number if self.phase.kind == ROUND else 0

    def side_of(self, army: str) -> int:
        return next(at for at, side in enumerate(self.sides) if army in side.armies)

    def of_army(self, army: str) -> list[Body]:
        return [body for body in self.bodies.values() if body.army == army]

    def owners(self) -> list[str]:
        """Armies that command bodies: all, but in an assault one a side."""
        return list(dict.fromkeys(body.army for body in self.bodies.values()))

    def order_of(self, body: Body) -> BodyOrder:
        order = self.orders.get(body.formation.army)
        return HOLD if order is None else order.bodies.get(body.key, HOLD)

    def unseen(self, army: str) -> list[Body]:
        """The bodies of its reserve that never came."""
        return [body for body in self.of_army(army) if body.unseen]

    def condition(self, kind: str, *, side: int | None = None, body: str = "") -> FieldMark | None:
        """What holds of this kind for the field, or for just this side or body."""
        for held in self.conditions:
            if held.kind == kind and held.side == side and held.body == body:
                return held
        return None

    def holds(self, *kinds: str) -> bool:
        """Whether one of these holds for the field."""
        return any(condition.kind in kinds for condition in self.conditions)

    def changed(self, **fields: object) -> BattleNow:
        return changed(self, **fields)
