"""Battles of a siege: who takes part with which losses, and what they bring back (B-53, B-55, B-56, B-60).

Losses are kept in one account. Behind walls they are points of the force multiplied by the place's factor, in the open
they are divided by it. In the open cavalry rides (B-71): its losses are converted to the same number of men.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import NamedTuple

from rules.breaking_point.figures import unit_force
from rules.breaking_point.losses import BEATEN, shared, unit_key
from rules.breaking_point.siege.siege_ends import FELL, GOES_ON, Fates
from rules.breaking_point.siege.siege_state import ASSAULT, GARRISON, LIFTED, Siege, Troops
from rules.breaking_point.spec import Unit
from rules.core.errors import demand
from rules.core.text import _

RESERVE = "reserve-"


class Fielded(NamedTuple):
    """Body as it goes into a battle of the siege: its id there, its units, and their losses in points."""

    body: str
    units: tuple[Unit, ...]
    losses: int
    factor: int = 1

    @property
    def most(self) -> int:
        """Points it can lose: twice its force (B-33)."""
        return 2 * self.factor * sum(unit_force(unit) for unit in self.units)


def for_assault(siege: Siege) -> tuple[Fielded, ...]:
    """Return the bodies of an assault: the besiegers' and the garrison, each side as one army under its chief's name,
    with reserves apart (B-53).
    """
    return _fielded(siege, walls=True)


def for_field(siege: Siege) -> tuple[Fielded, ...]:
    """Return the bodies of a sortie or relief battle: the groups of every army, none of them behind walls."""
    return _fielded(siege, walls=False)


def _fielded(siege: Siege, *, walls: bool) -> tuple[Fielded, ...]:
    found = []
    for troops in (*siege.besieging, siege.garrison):
        points, units = (troops.points, troops.units) if walls else (_ridden(troops), _riding(troops))
        for body, places in _places(siege, troops, walls=walls).items():
            lost, own = sum(points[place] for place in places), tuple(units[place] for place in places)
            found.append(Fielded(body, own, lost, troops.factor if walls else 1))
    return tuple(found)


def _places(siege: Siege, troops: Troops, *, walls: bool) -> dict[str, list[int]]:
    """Return bodies by id, with the indices of their units in `members`."""
    inside = troops is siege.garrison
    chief = siege.held_by if inside else siege.besieged_by
    found: dict[str, list[int]] = {}
    for place, member in enumerate(troops.members):
        group = GARRISON if walls and inside else member.unit.group
        body = f"{chief if walls else member.army}:{RESERVE * member.unit.reserve}{group}"
        found.setdefault(body, []).append(place)
    return found


def _riding(troops: Troops) -> tuple[Unit, ...]:
    return tuple(member.unit for member in troops.members)


def _ridden(troops: Troops) -> list[int]:
    """Return each unit's losses in points of its force in the open."""
    pairs = zip(troops.members, troops.units, troops.points, strict=True)
    return [points * member.unit.a_head // (foot.a_head * troops.factor) for member, foot, points in pairs]


def _on_foot(troops: Troops, place: int, points: int) -> int:
    """Convert points of a unit's force in the open to those of the siege, without more men out."""
    return points * troops.units[place].a_head * troops.factor // troops.members[place].unit.a_head


def losses_in_assault(siege: Siege) -> dict[str, int]:
    """Return each unit's losses for an assault, in points of its place there."""
    return _by_unit(siege, walls=True)


def losses_in_field(siege: Siege) -> dict[str, int]:
    """Return each unit's losses for a battle in the open."""
    return _by_unit(siege, walls=False)


def _by_unit(siege: Siege, *, walls: bool) -> dict[str, int]:
    return {
        unit_key(member.army, member.nth): points
        for troops in (siege.contact, siege.shooting, siege.garrison)
        for member, points in zip(troops.members, troops.points if walls else _ridden(troops), strict=True)
    }


def after_assault(siege: Siege, losses: Mapping[str, int]) -> Siege:
    """Return the siege with the bodies' losses after an assault. Raises `InvalidInput` for a body that is not in it."""
    return _after(siege, losses, for_assault(siege), walls=True)


def after_field(siege: Siege, losses: Mapping[str, int]) -> Siege:
    """Return the siege with the bodies' losses after a battle in the open."""
    return _after(siege, losses, for_field(siege), walls=False)


def _after(siege: Siege, losses: Mapping[str, int], fielded: Iterable[Fielded], *, walls: bool) -> Siege:
    before = _before(fielded, losses)
    return _each(siege, lambda troops: _changed(troops, _places(siege, troops, walls=walls), before, losses, walls))


def _each(siege: Siege, changed: Callable[[Troops], Troops]) -> Siege:
    return replace(
        siege,
        contact=changed(siege.contact),
        shooting=changed(siege.shooting),
        garrison=changed(siege.garrison),
    )


def after_battle(siege: Siege, losses: Mapping[str, int]) -> Siege:
    """Return the siege with the bodies' losses after its current battle."""
    return after_assault(siege, losses) if siege.status == ASSAULT else after_field(siege, losses)


WITHDRAWN = "withdrawn"


class FoughtBody(NamedTuple):
    """Body after a battle. `members` are (army, unit index). `factor` is the factor of the place's walls while they
    shelter the body. `brought` and `losses` are its losses before and after the battle, in points of force × `factor`.
    `status` is its fate. `shares` are members' shares of the new losses: by force, or as a player assigned them (B-78).
    """

    members: tuple[tuple[str, int], ...]
    factor: int
    brought: int
    losses: int
    status: str
    shares: Mapping[tuple[str, int], int] = {}


def after_bodies(siege: Siege, bodies: Iterable[FoughtBody]) -> Siege:
    """Return the siege with what a battle has added to its units' losses, whatever bodies they fought in. Bodies of
    armies outside the siege are ignored.
    """
    found, walls = list(bodies), siege.status == ASSAULT
    return _each(siege, lambda troops: _having_fought(troops, found, walls))


def _having_fought(troops: Troops, bodies: Iterable[FoughtBody], walls: bool) -> Troops:
    """Add the losses of a battle to troops. `walls`: the battle was an assault, in which riders fought on foot."""
    at = {(member.army, member.nth): place for place, member in enumerate(troops.members)}
    added: dict[int, int] = {}
    for body in bodies:
        places = [at[member] for member in body.members if member in at]
        for place, part in zip(places, _parts(troops, body, places, walls), strict=True):
            worth = _borne(troops, place, abs(part), body.factor, walls)
            added[place] = worth if part >= 0 else -worth
    return troops.bearing(added) if any(added.values()) else troops


def _parts(troops: Troops, body: FoughtBody, places: Sequence[int], walls: bool) -> Sequence[int]:
    """Return each unit's part of what the battle has added to its body's losses. A rally may have recovered losses of
    the siege as well (BP-4.11): each unit recovers in proportion to what it had lost.
    """
    more = body.losses - body.brought
    if more < 0:
        had = troops.points if walls else _ridden(troops)
        return [-part for part in shared(-more, [had[place] for place in places])]
    if body.shares:
        return [body.shares[troops.members[place].army, troops.members[place].nth] for place in places]
    return shared(more, [unit_force(_as_fought(troops, place, walls)) for place in places])


def _as_fought(troops: Troops, place: int, walls: bool) -> Unit:
    return troops.units[place] if walls else troops.members[place].unit


def _borne(troops: Troops, place: int, points: int, factor: int, walls: bool) -> int:
    """Convert a unit's new losses to those of the siege. `factor` is the place's while it sheltered the body."""
    return points * troops.factor // factor if walls else _on_foot(troops, place, points) // factor


def outcome_of(siege: Siege, bodies: Iterable[FoughtBody]) -> str:
    """Return how a battle of the siege ended, from the fates of its bodies (B-56, B-60).

    A garrison that is broken or has left loses the place, with reserves that withdrew unused (B-44, B-55); one that
    withdraws from a sortie is back inside. Besiegers who are beaten, or leave the open field, lift the siege;
    withdrawing from an assault returns them to their lines. If both sides withdrew there was no battle (B-24).
    Who took no part stands where they stood. In the open nobody takes a place before which nobody is left.
    """
    fates, storming = fates_of(bodies), siege.status == ASSAULT
    left = {WITHDRAWN, *BEATEN}
    if storming and set(fates.values()) == {WITHDRAWN}:
        return GOES_ON
    fell = _gone((siege.garrison,), fates, left if storming else BEATEN)
    lifted = _gone(siege.besieging, fates, BEATEN if storming else left)
    if fell and (storming or not lifted):
        return FELL
    return LIFTED if lifted else GOES_ON


def _gone(side: Iterable[Troops], fates: Fates, gone: Collection[str]) -> bool:
    """Whether some of a side fought, and nobody of it is left."""
    known = [
        (fates.get((member.army, member.nth), ""), unit.strength > out)
        for troops in side
        for member, unit, out in zip(troops.members, troops.units, troops.out, strict=True)
    ]
    return any(fate for fate, _able in known) and not any(fate not in gone if fate else able for fate, able in known)


def fates_of(bodies: Iterable[FoughtBody]) -> dict[tuple[str, int], str]:
    """Return the fate of every unit's body."""
    return {member: body.status for body in bodies for member in body.members}


def _changed(
    troops: Troops, bodies: Mapping[str, list[int]], before: Mapping[str, int], losses: Mapping[str, int], walls: bool
) -> Troops:
    """Return the troops with their bodies' losses after a battle outside the app."""
    more = {body: losses.get(body, before[body]) - before[body] for body in bodies}
    if walls and len(bodies) == 1 and sum(more.values()) >= 0:
        return troops.losing(sum(more.values()))  # by the whole body, as in a week of the siege
    factor = troops.factor if walls else 1
    fought = (
        FoughtBody(
            tuple((troops.members[place].army, troops.members[place].nth) for place in places),
            factor, before[body], before[body] + more[body], "",
        )
        for body, places in bodies.items()
    )  # fmt: skip
    return _having_fought(troops, fought, walls)


def _before(fielded: Iterable[Fielded], losses: Mapping[str, int]) -> dict[str, int]:
    """Return the points each body had lost. Raises `InvalidInput` for an unknown body, or for losses out of range."""
    known = {one.body: one for one in fielded}
    for body, points in losses.items():
        demand(body in known, _("Group “{body}” isn’t part of this siege."), field="/losses", body=body)
        most, template = known[body].most, _("Enter losses from 0 to {most} points, twice the group’s force.")
        demand(0 <= points <= most, template, field=f"/losses/{body}", most=most)
    return {body: one.losses for body, one in known.items()}
