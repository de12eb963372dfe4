"""State of a siege: who besieges whom in which place, since when, and how it stands (BP-8, B-57)."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, Literal, NamedTuple

from rules.breaking_point.figures import BodyFigures, as_foot, body_figures, served, unit_force
from rules.breaking_point.lines import best_led
from rules.breaking_point.losses import men_out, share, shared
from rules.breaking_point.spec import General, Host, Place, Unit
from rules.core.errors import demand, require
from rules.core.text import Term, _
from rules.core.viewers import WHOLE

# Bodies of a siege: their units and losses (B-47, B-52, B-53, B-55).


class TroopUnit(NamedTuple):
    """Unit of a body, as it rides in the open. `army` is its owner's id, `nth` its index there. `borne` are lost points
    that are no longer shared, of its force on foot.
    """

    army: str
    nth: int
    unit: Unit
    borne: int = 0


@dataclass(frozen=True, slots=True)
class Troops:
    """Body of a siege, whose cavalry counts as foot (B-71). `damage` are points lost together, shared by force.
    `factor` of its place multiplies its force.
    """

    members: tuple[TroopUnit, ...] = ()
    damage: int = 0
    factor: int = 1

    def __bool__(self) -> bool:
        return bool(self.members)

    @property
    def units(self) -> tuple[Unit, ...]:
        """Units as they count in a siege."""
        return tuple(as_foot(member.unit) for member in self.members)

    @property
    def armies(self) -> tuple[str, ...]:
        """Armies, each once, in order."""
        return tuple(dict.fromkeys(member.army for member in self.members))

    @property
    def force(self) -> int:
        """Maximum force, with the place's factor."""
        return sum(self.forces)

    @property
    def forces(self) -> list[int]:
        return [unit_force(unit) * self.factor for unit in self.units]

    @property
    def lost(self) -> int:
        return self.damage + sum(member.borne for member in self.members)

    @property
    def points(self) -> tuple[int, ...]:
        """Points that each unit has lost."""
        parts = shared(self.damage, self.forces)
        return tuple(member.borne + part for member, part in zip(self.members, parts, strict=True))

    @property
    def out(self) -> tuple[int, ...]:
        """Heads of each unit that are out of action."""
        return tuple(men_out(unit, points, self.factor) for unit, points in zip(self.units, self.points, strict=True))

    @property
    def heads(self) -> int:
        """Heads still able to fight."""
        return sum(unit.strength - out for unit, out in zip(self.units, self.out, strict=True))

    @property
    def left(self) -> tuple[Unit, ...]:
        """Units with the heads left and the pieces they can serve, without empty units."""
        rest = ((unit, unit.strength - out) for unit, out in zip(self.units, self.out, strict=True))
        return tuple(replace(unit, strength=heads, pieces=served(unit, heads)) for unit, heads in rest if heads)

    @property
    def figures(self) -> BodyFigures:
        """Figures of the whole body, as it came."""
        return body_figures(self.units, factor=self.factor)

    @property
    def tenths_lost(self) -> int:
        """Full tenths of its force that are lost."""
        return self.lost * 10 // self.force if self.force else 0

    @property
    def breaks_at(self) -> int:
        """Losses at which it gives up in a siege: the breaking value, at most the force (B-57)."""
        value = self.figures.breaking_value
        return self.force if value is None else min(value, self.force)

    def losing(self, points: int) -> Troops:
        """Return the body with more losses, shared by all its units."""
        return replace(self, damage=self.damage + points)

    def settled(self) -> Troops:
        """Return the body with every loss assigned to its unit, so that later losses are shared only by those then
        present.
        """
        members = (member._replace(borne=points) for member, points in zip(self.members, self.points, strict=True))
        return replace(self, members=tuple(members), damage=0)

    def wearing(self, points: int, who: Collection[int]) -> Troops:
        """Return the body with losses shared by some units (indices in `members`)."""
        if len(who) == len(self.members):
            return self.losing(points)
        forces = [force if place in who else 0 for place, force in enumerate(self.forces)]
        return self.bearing(dict(enumerate(shared(points, forces))))

    def bearing(self, points: Mapping[int, int]) -> Troops:
        """Return the body with these losses added to units (indices in `members`). Negative ones are recovered."""
        settled = self.settled()
        members = (
            member._replace(borne=max(0, member.borne + points.get(place, 0)))
            for place, member in enumerate(settled.members)
        )
        return replace(settled, members=tuple(members))

    def joined(self, members: Iterable[TroopUnit]) -> Troops:
        """Return the body with more units, which share no earlier losses."""
        settled = self.settled()
        return replace(settled, members=(*settled.members, *members))


OPEN: Final = "open"
BROKEN: Final = "broken"
SORTIE: Final = "sortie"
ASSAULT: Final = "assault"
LIFTED: Final = "lifted"
HONOURS: Final = "honours"
UNCONDITIONAL: Final = "unconditional"
TAKEN: Final = "taken"
STATUSES: Mapping[str, Term] = {
    OPEN: _("besieged"),
    BROKEN: _("the garrison has reached its breaking point"),
    SORTIE: _("a sortie is being fought"),
    ASSAULT: _("an assault is being fought"),
    LIFTED: _("the siege is lifted"),
    HONOURS: _("surrendered with the honors of war"),
    UNCONDITIONAL: _("surrendered unconditionally"),
    TAKEN: _("taken by assault"),
}
RUNNING = (OPEN, BROKEN, SORTIE, ASSAULT)
FOUGHT = (SORTIE, ASSAULT)
FALLEN = (HONOURS, UNCONDITIONAL, TAKEN)

type SiegeParty = Literal["besieger", "garrison"]
BESIEGER: Final = "besieger"
GARRISON: Final = "garrison"
ROOM = 2  # times its garrison that a place can hold (B-61)


@dataclass(frozen=True, slots=True)
class Siege:
    """State of a siege.

    `garrison` is one body, with the place's factor; the besiegers have a contact and a shooting body. `besieged_by` and
    `held_by` are the chief armies, which own each side's dice. `commander` speaks for the besiegers. `weeks` are
    counted, `age` is all weeks, `thin` are consecutive weeks without two to one. `heard` is the age at the last terms.
    `bombards` and `answers`: the pieces of besiegers and garrison shoot. `hears`: the garrison listens to terms, which
    those who expect death or do not speak never do.
    """

    place: Place
    garrison: Troops
    contact: Troops
    shooting: Troops = field(default_factory=Troops)
    besieged_by: str = ""
    held_by: str = ""
    commander: General | None = None
    weeks: int = 0
    age: int = 0
    thin: int = 0
    heard: int | None = None
    status: str = OPEN
    bombards: bool = True
    answers: bool = True
    hears: bool = True

    @property
    def running(self) -> bool:
        return self.status in RUNNING

    @property
    def besieging(self) -> tuple[Troops, Troops]:
        return self.contact, self.shooting

    @property
    def besiegers(self) -> int:
        """Heads of the besiegers."""
        return sum(troops.heads for troops in self.besieging)

    @property
    def invested(self) -> bool:
        """Whether besiegers are two to one in heads (BP-8)."""
        return self.besiegers >= 2 * self.garrison.heads

    @property
    def properly_held(self) -> bool:
        """Whether more than half of the required garrison is present (B-52)."""
        return 2 * self.garrison.heads > self.place.garrison

    @property
    def engineers(self) -> int:
        """Heads of engineers among the besiegers."""
        members = ((unit, out) for troops in self.besieging for unit, out in zip(troops.units, troops.out, strict=True))
        return sum(unit.strength - out for unit, out in members if unit.engineers)


def lay_siege(
    place: Place, garrison: Sequence[Host], besiegers: Sequence[Host], chief: str = "", hears: bool | None = None
) -> Siege:
    """Begin a siege. `chief` is the besiegers' chief army, "" for that of the best commander (B-15).

    `hears` None follows from the garrison: troops without hunger are assumed not to speak (B-57). Raises
    `IllegalCommand` for a place without a garrison or with more than twice its garrison, `InvalidInput` for a chief
    that is not there.
    """
    require(garrison, _("Nobody holds this place, so it can’t be besieged."))
    require(besiegers, _("This place isn’t besieged."))
    check_room(place, [unit for army in garrison for unit in army.units])
    begun = siege_between(place, _led(garrison, ""), _led(besiegers, chief))
    return begun if hears is None else replace(begun, hears=hears)


def siege_between(place: Place, garrison: Sequence[Host], besiegers: Sequence[Host]) -> Siege:
    """Build a siege of these armies, each side's chief first, without checks."""
    inside, outside = members_of(garrison), members_of(besiegers)
    return Siege(
        place=place,
        garrison=Troops(inside, factor=place.kind.factor),
        contact=Troops(tuple(member for member in outside if member.unit.group == "contact")),
        shooting=Troops(tuple(member for member in outside if member.unit.group == "shooting")),
        besieged_by=besiegers[0].id,
        held_by=garrison[0].id,
        commander=besiegers[0].commander,
        hears=any(eats(member.unit) for member in inside),
    )


def _led(armies: Sequence[Host], asked: str) -> list[Host]:
    """Return the armies with their chief first."""
    chief = _chief(armies, asked)
    return [chief, *(army for army in armies if army.id != chief.id)]


def _chief(armies: Sequence[Host], asked: str) -> Host:
    named = next((army for army in armies if army.id == asked), None)
    demand(named or not asked, _("Choose the chief from the commanders of these armies."), field="/chief")
    return named or best_led(armies) or armies[0]


def members_of(armies: Iterable[Host]) -> tuple[TroopUnit, ...]:
    return tuple(TroopUnit(army.id, index, unit) for army in armies for index, unit in enumerate(army.units))


def check_room(place: Place, units: Iterable[Unit]) -> None:
    """Raise `IllegalCommand` for more than twice the place's garrison (B-61)."""
    heads, room = sum(unit.strength for unit in units), ROOM * place.garrison
    template = _("{place} has room for {room} heads; this would make {heads}.")
    require(heads <= room, template, place=place.name, room=room, heads=heads)


def eats(unit: Unit) -> bool:
    """Whether the unit suffers hunger: not the undead, not machines (B-57)."""
    return unit.starves and unit.type.starves and unit.machine is None


def reinforced(siege: Siege, side: SiegeParty, army: Host) -> Siege:
    """Return the siege with another army on this side. Raises `IllegalCommand` if it cannot join; nobody enters an
    invested place.
    """
    require(siege.status == OPEN, _("Armies can’t join this siege now."))
    members = members_of([army])
    if side == GARRISON:
        require(not siege.invested, _("{place} is invested: armies can’t enter."), place=siege.place.name)
        check_room(siege.place, [*siege.garrison.left, *army.units])
        return replace(siege, garrison=siege.garrison.joined(members))
    contact = [member for member in members if member.unit.group == "contact"]
    shooting = [member for member in members if member.unit.group == "shooting"]
    return replace(siege, contact=siege.contact.joined(contact), shooting=siege.shooting.joined(shooting))


def shares_left(siege: Siege) -> dict[str, int]:
    """Return by army the percentage of its force that is left. Any loss shows (B-18)."""
    force, lost = Counter[str](), Counter[str]()
    for troops in (siege.garrison, *siege.besieging):
        for member, whole, points in zip(troops.members, troops.forces, troops.points, strict=True):
            force[member.army] += whole
            lost[member.army] += points
    return {army: max(0, WHOLE - share(lost[army], whole)) for army, whole in force.items()}


def heads_left(siege: Siege) -> dict[str, int]:
    """Return by army its heads that are still able to fight."""
    left = Counter[str]()
    for troops in (siege.garrison, *siege.besieging):
        for member, unit, out in zip(troops.members, troops.units, troops.out, strict=True):
            left[member.army] += unit.strength - out
    return dict(left)


# Stored document of a siege: its changing part as JSON. Units, place and people are stored beside it.

COUNTED = ("weeks", "age", "thin", "heard", "status", "bombards", "answers", "hears")
BODIES = ("garrison", "contact", "shooting")
FOOT = "foot"
"""Marks points as those of cavalry on foot (B-71). Older documents without it count riding force."""


def to_json(siege: Siege) -> dict[str, Any]:
    """Return the changing part of a siege as JSON values."""
    counted = {name: getattr(siege, name) for name in COUNTED}
    return {**counted, **{name: _body(getattr(siege, name)) for name in BODIES}}


def _body(troops: Troops) -> dict[str, Any]:
    borne = [member.borne for member in troops.members]
    rides = {FOOT: True} if _rides(troops) else {}
    return {"damage": troops.damage, **({"borne": borne} if any(borne) else {}), **rides}


def _rides(troops: Troops) -> bool:
    return any(member.unit.a_head != foot.a_head for member, foot in zip(troops.members, troops.units, strict=True))


def with_state(siege: Siege, kept: Mapping[str, Any]) -> Siege:
    """Return the siege of the same people in that stored state."""
    bodies: dict[str, Any] = {name: _filled(getattr(siege, name), kept[name]) for name in BODIES}
    return replace(siege, **{name: kept[name] for name in COUNTED}, **bodies)


def _filled(troops: Troops, kept: Mapping[str, Any]) -> Troops:
    """Restore a body's losses. If its units have changed, all losses are shared again."""
    borne = kept.get("borne", [0] * len(troops.members))
    if len(borne) != len(troops.members):
        return replace(troops, damage=kept["damage"] + sum(borne))
    if FOOT not in kept and _rides(troops):
        return _dismounted(troops, kept["damage"], borne)
    members = tuple(member._replace(borne=points) for member, points in zip(troops.members, borne, strict=True))
    return replace(troops, members=members, damage=kept["damage"])


def _dismounted(troops: Troops, damage: int, borne: Sequence[int]) -> Troops:
    """Convert an older document, in which cavalry rode, to the same number of men out."""
    parts = shared(damage, [unit_force(member.unit) for member in troops.members])
    rows = zip(troops.members, troops.units, borne, parts, strict=True)
    members = (m._replace(borne=(own + part) * foot.a_head // m.unit.a_head) for m, foot, own, part in rows)
    return replace(troops, members=tuple(members), damage=0)
