"""The table: sides, armies, bodies and the field, and what every figure comes to now."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from fractions import Fraction
from math import floor
from typing import Any

from tests.rules.breaking_point.second_reading import units
from tests.rules.breaking_point.second_reading.dice import Face, Open, throw
from tests.rules.breaking_point.second_reading.tables import LONG, MEDIUM, SHORT, VERY_LONG
from tests.rules.breaking_point.second_reading.units import Ground, Troop

type Fact = tuple[Any, ...]

FIELD, FLEET, ASSAULT = "field", "fleet", "assault"
USUAL = {"land": MEDIUM, "air": LONG, "sea": LONG, "space": VERY_LONG}  # B-26
DISTANCE = {SHORT: 5, MEDIUM: 10, LONG: 15, VERY_LONG: 20}
GONE = ("withdrawn", "fled", "annihilated", "surrendered")


@dataclass
class Chief:
    """A commander: modifiers, not characteristics (B-14)."""

    mental: int
    presence: int
    combat: int
    art: int
    diplomacy: int

    @property
    def command(self) -> int:
        return self.mental + self.combat + self.art

    @property
    def rally(self) -> int:
        return self.presence + self.combat + self.art


@dataclass
class Place:
    kind: str
    garrison: int
    factor: int
    bonus: int
    shots_only: bool


@dataclass(eq=False)
class Body:
    """What fights (B-5). `status`: ready (a reserve), field, routed, and `GONE`.

    `group`: contact, shooting, unit (of a fleet), garrison.
    """

    id: str
    army: str
    side: int
    group: str
    troops: list[Troop]
    status: str = "field"
    losses: int = 0
    failed_to_leave: int = 0  # the penalty, worst of all
    rallied: bool = False
    pursued_in: int = -9
    fought: set[str] = field(default_factory=set)  # at contact, this round
    fought_before: set[str] = field(default_factory=set)  # and the last
    openings: dict[str, tuple[int, int]] = field(default_factory=dict)  # B-30: by enemy, bonus and its last round
    left_guns: bool = False
    acted: bool = False
    broke: bool = False
    support: bool = False  # B-65: nobody can reach it
    came: bool = False  # a reserve that was committed
    by_hand: dict[str, int | None] = field(default_factory=dict)  # figures the GM added to or set (B-41)

    def added(self, figure: str) -> int:
        return self.by_hand.get(figure) or 0

    @property
    def percent(self) -> int | None:
        """Its breaking point, perhaps as the GM set it."""
        return self.by_hand["breaking"] if "breaking" in self.by_hand else units.body_percent(self.troops)

    @property
    def on_field(self) -> bool:
        return self.status in ("field", "routed")

    @property
    def shoots_only(self) -> bool:
        return self.group == "shooting"


@dataclass
class Army:
    id: str
    side: int
    troops: list[Troop]
    chief: Chief | None
    leaders: list[tuple[str, Chief, list[Troop]]] = field(default_factory=list)  # B-53: of those who act as one


@dataclass
class Side:
    index: int
    chief: str = ""  # an army's id
    circumstances: int = 0
    radio: bool = False
    score: int = 0
    surprised: bool = False
    declared: bool = False


@dataclass
class War:
    """The battle. `round` 0: before the first."""

    kind: str
    sides: list[Side]
    armies: dict[str, Army]
    bodies: list[Body]
    medium: str = "land"
    grounds: set[str] = field(default_factory=set)
    weather: set[str] = field(default_factory=set)
    distance: str = ""
    cover: dict[str, int] = field(default_factory=dict)
    surrounded: set[str] = field(default_factory=set)
    narrow: bool = False
    no_surprise: bool = False
    flyers: int = 1
    site: bool = False
    equipped: bool = True
    invested: bool = False
    waived: bool = False  # B-81
    retreats: dict[int, int] = field(default_factory=dict)  # B-82: by side
    place: Place | None = None
    defender: int = 1
    plain: bool = False
    surprise_stays: bool = False
    round: int = 0
    quiet: int = 0
    last: int = 0
    sharp: bool = False
    steps: list[list[int]] = field(default_factory=list)  # of the last command test
    over: bool = False
    winner: int | None = None
    story: list[Fact] = field(default_factory=list)
    face: Face | None = None
    commits: set[str] = field(default_factory=set)
    met: dict[str, int] = field(default_factory=dict)

    def tell(self, *fact: Any) -> None:
        self.story.append(fact)

    def meet(self, what: str) -> None:
        self.met[what] = self.met.get(what, 0) + 1

    def throw(self, owner: str, name: str) -> Open:
        assert self.face is not None
        return throw(self.face, owner, name, plain=self.plain)

    def stuck(self, body: Body) -> bool:
        """B-37; and a garrison that would have to surrender has nowhere to go (B-56)."""
        return body.id in self.surrounded or (body.group == "garrison" and self.invested)

    def of(self, side: int) -> list[Body]:
        return [body for body in self.bodies if body.side == side]

    def body(self, key: str) -> Body:
        return next(body for body in self.bodies if body.id == key)

    def standing(self) -> Iterator[Body]:
        return (body for body in self.bodies if body.on_field)

    def ground(self, body: Body) -> Ground:
        """BP-8: walls do not stop the flyers of those who attack them."""
        flyers = self.flyers if self.kind == ASSAULT and body.group != "garrison" else 1
        return Ground(frozenset(self.grounds), self.kind == ASSAULT, flyers)


def open_war(war: War) -> None:
    """What the opening leaves to the law: the distance, the last round."""
    if not war.distance:
        war.distance = USUAL[war.medium]
    if not war.last:
        war.last = 24 if war.kind == FLEET else 12


def seconds_of_a_round(war: War) -> Fraction:
    """BP-1, B-3: in exact proportion to the heads of all sides at the start; assaults double."""
    heads = sum(troop.strength for body in war.bodies for troop in body.troops)
    a_head = Fraction(3600, 10_000) if heads >= 10_000 else Fraction(6, 10)  # 6 s a ten, 60 a hundred, 600 a thousand
    return heads * a_head * (2 if war.kind == ASSAULT else 1)


# Figures of now


def factor(war: War, body: Body) -> int:
    """B-55: of the garrison, until it leaves or breaks."""
    return war.place.factor if war.place and body.group == "garrison" and not body.broke else 1


def force(war: War, body: Body) -> int:
    by_hand = body.by_hand.get("force")
    if by_hand is not None:
        return by_hand
    return factor(war, body) * sum(units.force(troop, war.ground(body)) for troop in body.troops)


def breaking(war: War, body: Body) -> int | None:
    return None if body.percent is None else force(war, body) * body.percent // 100


def state(war: War, body: Body) -> str:
    """BP-4.8."""
    whole = force(war, body)
    if body.losses >= 2 * whole:
        return "annihilated"
    if body.losses >= whole:
        return "decimated"
    if 2 * body.losses >= whole:
        return "battered"
    return "engaged" if body.losses else "fresh"


def weakened(war: War, body: Body) -> Fraction:
    """BP-4.8, BP-4.10, B-32: what is left of its power."""
    halved = body.status == "routed" or state(war, body) in ("battered", "decimated", "annihilated")
    return Fraction(1, 2) if halved else Fraction(1)


def town(war: War) -> Fraction:
    return Fraction(1, 2) if "town" in war.grounds else Fraction(1)


def muddy(war: War) -> Fraction:
    return Fraction(1, 2) if "mud" in war.grounds else Fraction(1)


def fire(war: War, body: Body, armour: int, *, contact: bool = False) -> Fraction:
    """Exact: what its shooters have against that armour."""
    blind = Fraction(1, 2) if "blind" in war.weather else Fraction(1)
    power = sum((units.fire_power(troop, armour, contact=contact) for troop in body.troops), Fraction(0))
    return power * blind * town(war) * weakened(war, body)


def blows(war: War, body: Body, armour: int) -> Fraction:
    """Exact: what it has hand to hand."""
    power = sum((units.contact_power(troop, war.ground(body), armour) for troop in body.troops), Fraction(0))
    return power * muddy(war) * town(war) * weakened(war, body)


def contact_power(war: War, body: Body, target: Body | None) -> int:
    """Current power of a contact attack; B-54: a garrison adds its shooters'."""
    armour = units.body_armour(target.troops) if target else 0
    power = blows(war, body, armour)
    if body.group == "garrison":
        power += garrison_fire(war, body, armour)
    return max(0, floor(power) + body.added("power"))


def garrison_fire(war: War, body: Body, armour: int) -> Fraction:
    """B-54, B-74: the full fire power of its shooters, that is of all its units that have any."""
    blind = Fraction(1, 2) if "blind" in war.weather else Fraction(1)
    power = sum((units.fire_power(troop, armour) for troop in body.troops), Fraction(0))
    return power * blind * town(war) * weakened(war, body)


def shot_power(war: War, body: Body, target: Body, *, contact: bool = False) -> int:
    armour = units.body_armour(target.troops)
    garrison = body.group == "garrison"
    power = garrison_fire(war, body, armour) if garrison else fire(war, body, armour, contact=contact)
    return max(0, floor(power) + body.added("fire-power"))


def numbers_power(war: War, body: Body, target: Body) -> int:
    """B-29: what it weighs hand to hand against that target; shooters at contact power."""
    if body.shoots_only:
        return shot_power(war, body, target, contact=True)
    return contact_power(war, body, target)


def defense(war: War, body: Body, *, shot: bool) -> int:
    """B-27: halvings on one number, dropped once, then covers."""
    halvings = int(body.status == "routed") + int(shot) + int(shot and "mud" in war.grounds)
    value = Fraction(max(0, units.body_guard(body.troops, contact=not shot) + body.added("defense")))
    if war.sides[body.side].surprised:
        if war.kind == FLEET:
            value = Fraction(0)
        halvings += 1
    total = floor(value / 2**halvings)
    if shot:
        total += war.cover.get(body.id, 0) + 5 * ("forest" in war.grounds)
    total += 5 * ("town" in war.grounds)
    if war.place and body.group == "garrison" and not body.broke and (shot or not war.place.shots_only):
        total += war.place.bonus
    return total


def penalties(war: War, body: Body, *, shot: bool) -> int:
    """All that is taken from its combat tests but its rating (B-32, B-43)."""
    total = -5 if body.status == "routed" else {"engaged": -1, "battered": -2, "decimated": -5}.get(state(war, body), 0)
    if war.sides[body.side].surprised:
        total -= 5
    if "visibility" in war.weather:
        total -= 2
    if war.weather & {"heat", "cold"}:
        total -= 2
    if shot and war.weather & {"night", "gale"}:
        total -= 4
    return total + body.failed_to_leave + body.added("combat")


def difficulty(war: War, body: Body, target: Body, *, near: bool = False) -> int:
    """BP-4.4, BP-8, BP-9: of a shot."""
    rank = war.distance
    if war.kind == ASSAULT:  # artillery shoots at its own range, all else short
        siege, own = units.strongest_arm(body.troops)
        rank = own if siege else SHORT
    if near or "town" in war.grounds:
        rank = SHORT
    return DISTANCE[rank] + defense(war, target, shot=True)


def losses(war: War, power: int, percent: int) -> Fraction:
    """BP-4.6, B-46: before anything is dropped."""
    harsh = Fraction(11, 10) if "harsh" in war.weather else Fraction(1)
    return power * Fraction(percent, 100) * harsh


def command(war: War, side: Side) -> int:
    """BP-3, B-15."""
    here = dict(leaders(war, side.index))
    if here:
        return here[side.chief].command if side.chief in here else max(chief.command for chief in here.values())
    troops = [troop for body in war.of(side.index) if body.on_field for troop in body.troops]
    return units.body_combat(troops) if troops else 0


def chief_of(war: War, side: Side) -> str:
    """B-15: the army that speaks for its side: of whom it named, else of its best commander present."""
    here = dict(leaders(war, side.index))
    best = max(here, key=lambda key: here[key].command, default="")
    named = side.chief if side.chief in here else best or side.chief
    there = [key for key in war.armies if any(body.army == key and body.on_field for body in war.of(side.index))]
    return named if named in there else next(iter(there), "")


def leaders(war: War, side: int) -> Iterator[tuple[str, Chief]]:
    """The commanders present, by their army: some of its units are there."""
    there = [troop for body in war.of(side) if body.on_field or body.status == "ready" for troop in body.troops]
    for army in war.armies.values():
        if army.side == side:
            for key, chief, troops in army.leaders or ([(army.id, army.chief, army.troops)] if army.chief else []):
                if any(troop is one for troop in troops for one in there):
                    yield key, chief


def present(war: War, army: str) -> bool:
    return any(body.army == army and body.status in ("field", "routed", "ready") for body in war.bodies)


def own_command(war: War, army: Army, troops: list[Troop]) -> int:
    """B-15: of who leaves or rallies, their own commander's."""
    leader = commander(war, army)
    return leader.command if leader else units.body_combat(troops)


def commander(war: War, army: Army) -> Chief | None:
    """Its own; of armies that act as one (B-53), the side's, as long as some of their own units are there."""
    if not army.leaders:
        return army.chief
    here = dict(leaders(war, army.side))
    named = here.get(war.sides[army.side].chief)
    return named or max(here.values(), key=lambda chief: chief.command, default=None)


def side_troops(war: War, side: int) -> list[Troop]:
    return [troop for body in war.of(side) if body.on_field for troop in body.troops]


def side_mobility(war: War, side: int) -> int:
    return units.most_mobile(side_troops(war, side), without_pieces=True)


def settle_steps(war: War) -> list[list[int]]:
    """B-21: sides by falling score; within 1 of the step's leader strikes with them."""
    sides = sorted((side for side in war.sides if side_troops(war, side.index)), key=lambda side: -side.score)
    steps: list[list[int]] = []
    leader = None
    for side in sides:
        if leader is None or leader - side.score > 1:
            steps.append([])
            leader = side.score
        steps[-1].append(side.index)
    return steps
