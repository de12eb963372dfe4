"""A siege as a value: who besieges whom in which place, since when, and how it stands (BP-8, B-57)."""

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
from rules.core.health import WHOLE
from rules.core.text import Term, _

# The bodies of a siege: whose units they are, and what they have lost (B-47, B-52, B-53, B-55).


class TroopUnit(NamedTuple):
    """A unit of a body, as it rides in the open field. `army`: whose it is (id) · `nth`: which of that army's ·
    `borne`: points it has lost that are not to be shared any more, of its force on foot.
    """

    army: str
    nth: int
    unit: Unit
    borne: int = 0


@dataclass(frozen=True, slots=True)
class Troops:
    """A body, whose cavalry counts as foot (B-71). `damage`: points lost together, shared by force. `factor`: of the
    place it stands in, on its force.
    """

    members: tuple[TroopUnit, ...] = ()
    damage: int = 0
    factor: int = 1

    def __bool__(self) -> bool:
        return bool(self.members)

    @property
    def units(self) -> tuple[Unit, ...]:
        """As they count in a siege."""
        return tuple(as_foot(member.unit) for member in self.members)

    @property
    def armies(self) -> tuple[str, ...]:
        """Each once, in order."""
        return tuple(dict.fromkeys(member.army for member in self.members))

    @property
    def force(self) -> int:
        """Whole, raised by the place."""
        return sum(self.forces)

    @property
    def forces(self) -> list[int]:
        return [unit_force(unit) * self.factor for unit in self.units]

    @property
    def lost(self) -> int:
        return self.damage + sum(member.borne for member in self.members)

    @property
    def points(self) -> tuple[int, ...]:
        """What each unit has lost."""
        parts = shared(self.damage, self.forces)
        return tuple(member.borne + part for member, part in zip(self.members, parts, strict=True))

    @property
    def out(self) -> tuple[int, ...]:
        """Heads of each unit that fight no more."""
        return tuple(men_out(unit, points, self.factor) for unit, points in zip(self.units, self.points, strict=True))

    @property
    def heads(self) -> int:
        """Those still able to fight."""
        return sum(unit.strength - out for unit, out in zip(self.units, self.out, strict=True))

    @property
    def left(self) -> tuple[Unit, ...]:
        """Its units with the heads that are left and the pieces they can serve, those without any struck off."""
        rest = ((unit, unit.strength - out) for unit, out in zip(self.units, self.out, strict=True))
        return tuple(replace(unit, strength=heads, pieces=served(unit, heads)) for unit, heads in rest if heads)

    @property
    def figures(self) -> BodyFigures:
        """Whole, as it came."""
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
        """The same with more losses, shared by all its units."""
        return replace(self, damage=self.damage + points)

    def settled(self) -> Troops:
        """The same with every loss at its unit: what is lost from now on is shared by those who are then there."""
        members = (member._replace(borne=points) for member, points in zip(self.members, self.points, strict=True))
        return replace(self, members=tuple(members), damage=0)

    def wearing(self, points: int, who: Collection[int]) -> Troops:
        """The same with losses shared by some of its units (places in `members`)."""
        if len(who) == len(self.members):
            return self.losing(points)
        forces = [force if place in who else 0 for place, force in enumerate(self.forces)]
        return self.bearing(dict(enumerate(shared(points, forces))))

    def bearing(self, points: Mapping[int, int]) -> Troops:
        """The same with these losses at units (places in `members`); less than nothing: they come back."""
        settled = self.settled()
        members = (
            member._replace(borne=max(0, member.borne + points.get(place, 0)))
            for place, member in enumerate(settled.members)
        )
        return replace(settled, members=tuple(members))

    def joined(self, members: Iterable[TroopUnit]) -> Troops:
        """With more units, who bear nothing of what was lost before."""
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
ROOM = 2  # times its garrison, and nobody more enters (B-61)


@dataclass(frozen=True, slots=True)
class Siege:
    """`garrison`: one body, its force raised by the place. The besieger has a body of contact and one that shoots.

    `besieged_by`, `held_by`: the chief army of each side, who owns its dice. `commander`: who speaks for the besieger.
    `weeks`: counted · `age`: gone by, counted or not · `thin`: running, without two to one · `heard`: the age at which
    terms were heard last. `bombards`, `answers`: whether the pieces of either side shoot. `hears`: whether the garrison
    listens to terms at all; who expects death, or does not speak, does not.
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
        """Their heads."""
        return sum(troops.heads for troops in self.besieging)

    @property
    def invested(self) -> bool:
        """Two to one in heads (BP-8)."""
        return self.besiegers >= 2 * self.garrison.heads

    @property
    def properly_held(self) -> bool:
        """By more than half of what holds it (B-52)."""
        return 2 * self.garrison.heads > self.place.garrison

    @property
    def engineers(self) -> int:
        """Heads of engineers before the place."""
        members = ((unit, out) for troops in self.besieging for unit, out in zip(troops.units, troops.out, strict=True))
        return sum(unit.strength - out for unit, out in members if unit.engineers)


def lay_siege(
    place: Place, garrison: Sequence[Host], besiegers: Sequence[Host], chief: str = "", hears: bool | None = None
) -> Siege:
    """The siege as it begins. `chief`: the besiegers' chief army; none, that of the best commander (B-15).

    `hears`: None, as the garrison is: whom hunger leaves alone is not taken to speak (B-57).
    Raises `IllegalCommand` for a place that is not held, or by more than twice its garrison; `InvalidInput` for a chief
    that is not there.
    """
    require(garrison, _("Nobody holds this place, so it can’t be besieged."))
    require(besiegers, _("Nobody besieges this place."))
    check_room(place, [unit for army in garrison for unit in army.units])
    begun = siege_between(place, _led(garrison, ""), _led(besiegers, chief))
    return begun if hears is None else replace(begun, hears=hears)


def siege_between(place: Place, garrison: Sequence[Host], besiegers: Sequence[Host]) -> Siege:
    """The same of armies that are there, each side's chief first: nothing is asked."""
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
    """Their chief first."""
    chief = _chief(armies, asked)
    return [chief, *(army for army in armies if army.id != chief.id)]


def _chief(armies: Sequence[Host], asked: str) -> Host:
    named = next((army for army in armies if army.id == asked), None)
    demand(named or not asked, _("Choose the chief from the commanders of these armies."), field="/chief")
    return named or best_led(armies) or armies[0]


def members_of(armies: Iterable[Host]) -> tuple[TroopUnit, ...]:
    return tuple(TroopUnit(army.id, index, unit) for army in armies for index, unit in enumerate(army.units))


def check_room(place: Place, units: Iterable[Unit]) -> None:
    """Raises `IllegalCommand` where these would be more than twice its garrison (B-61)."""
    heads, room = sum(unit.strength for unit in units), ROOM * place.garrison
    template = _("{place} has room for {room} heads; this makes {heads}.")
    require(heads <= room, template, place=place.name, room=room, heads=heads)


def eats(unit: Unit) -> bool:
    """Whether hunger touches it: neither undead nor machines (B-57)."""
    return unit.starves and unit.type.starves and unit.machine is None


def reinforced(siege: Siege, side: SiegeParty, army: Host) -> Siege:
    """With an army more on this side. Raises `IllegalCommand` where it cannot come: who is invested is shut in."""
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
    """By army, the hundredths of its force that no loss of the siege has taken; any loss is told (B-18)."""
    force, lost = Counter[str](), Counter[str]()
    for troops in (siege.garrison, *siege.besieging):
        for member, whole, points in zip(troops.members, troops.forces, troops.points, strict=True):
            force[member.army] += whole
            lost[member.army] += points
    return {army: max(0, WHOLE - share(lost[army], whole)) for army, whole in force.items()}


# Document of a siege: what changes of it, as JSON and back. Units, place and people are stored beside it.

COUNTED = ("weeks", "age", "thin", "heard", "status", "bombards", "answers", "hears")
BODIES = ("garrison", "contact", "shooting")
FOOT = "foot"
"""Tells that points are those of cavalry on foot (B-71); without it they are of the force it has when it rides."""


def to_json(siege: Siege) -> dict[str, Any]:
    """Plain values: what two moments of a siege differ in."""
    counted = {name: getattr(siege, name) for name in COUNTED}
    return {**counted, **{name: _body(getattr(siege, name)) for name in BODIES}}


def _body(troops: Troops) -> dict[str, Any]:
    borne = [member.borne for member in troops.members]
    rides = {FOOT: True} if _rides(troops) else {}
    return {"damage": troops.damage, **({"borne": borne} if any(borne) else {}), **rides}


def _rides(troops: Troops) -> bool:
    return any(member.unit.a_head != foot.a_head for member, foot in zip(troops.members, troops.units, strict=True))


def with_state(siege: Siege, kept: Mapping[str, Any]) -> Siege:
    """The siege of the same people as it stood then."""
    bodies: dict[str, Any] = {name: _filled(getattr(siege, name), kept[name]) for name in BODIES}
    return replace(siege, **{name: kept[name] for name in COUNTED}, **bodies)


def _filled(troops: Troops, kept: Mapping[str, Any]) -> Troops:
    """Where its units are others than they were, all that was lost is shared anew."""
    borne = kept.get("borne", [0] * len(troops.members))
    if len(borne) != len(troops.members):
        return replace(troops, damage=kept["damage"] + sum(borne))
    if FOOT not in kept and _rides(troops):
        return _dismounted(troops, kept["damage"], borne)
    members = tuple(member._replace(borne=points) for member, points in zip(troops.members, borne, strict=True))
    return replace(troops, members=members, damage=kept["damage"])


def _dismounted(troops: Troops, damage: int, borne: Sequence[int]) -> Troops:
    """Of a siege of before, in whose figures cavalry rode: as many men out."""
    parts = shared(damage, [unit_force(member.unit) for member in troops.members])
    rows = zip(troops.members, troops.units, borne, parts, strict=True)
    members = (m._replace(borne=(own + part) * foot.a_head // m.unit.a_head) for m, foot, own, part in rows)
    return replace(troops, members=tuple(members), damage=0)
