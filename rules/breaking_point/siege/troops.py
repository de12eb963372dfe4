"""The bodies of a siege: whose units they are, and what they have lost (B-47, B-52, B-53, B-55)."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, replace
from typing import NamedTuple

from rules.breaking_point.figures import BodyFigures, as_foot, body_figures, served, unit_force
from rules.breaking_point.losses import men_out, shared
from rules.breaking_point.spec import Unit


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
