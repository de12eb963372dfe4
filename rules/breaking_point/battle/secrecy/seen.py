"""The battle as a reader may know it (B-18)."""

from __future__ import annotations

from collections.abc import Collection, Container, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from functools import cache

from rules.breaking_point.battle.state.battle_state import (
    RESERVE,
    BattleNow,
    Body,
    Enrolled,
    FieldMark,
    Formation,
    Opening,
    Order,
    state_of,
)
from rules.breaking_point.losses import army_of_unit, share
from rules.breaking_point.spec import CONTACT, General, Host, TroopType, Unit
from rules.core.health import WHOLE, band_of
from rules.law import Viewer


def rounded(heads: int) -> int:
    """To one figure, as heads are counted from afar."""
    power = int(10 ** (len(str(heads)) - 1))
    return (heads + power // 2) // power * power


@cache
def alike(lost: int) -> tuple[int, ...]:
    """All hundredths lost of the same word and the same state (BP-4.8)."""
    return tuple(one for one in range(2 * WHOLE + 1) if _look(one) == _look(lost))


def likeness(lost: int) -> int:
    """Those that stand for all of them."""
    found = alike(lost)
    return found[len(found) // 2]


def _look(lost: int) -> tuple[str, str]:
    return band_of(WHOLE - lost, WHOLE).slug, state_of(lost, WHOLE)


def seen(battle: BattleNow, viewer: Viewer) -> BattleNow:
    """The battle as they may know it."""
    if viewer.gm:
        return battle
    hidden = frozenset(army for army in battle.armies if not viewer.knows(army))
    worded = frozenset(army for army in battle.armies if not viewer.measures(army))
    closed = frozenset(b.id for b in battle.bodies.values() if not viewer.weighs(b.army))
    called = called_by(battle, viewer)
    hosts = _hosts(battle, hidden)
    bodies = {body.id: _told(_unshared(body, hidden), worded, closed) for body in _as_known(battle, hidden)}
    return battle.changed(
        opening=_opened(battle, hosts, hidden, called),
        armies=hosts,
        bodies=bodies,
        conditions=marks_called(battle.conditions, called),
        orders={army: o if viewer.commands(army) else Order(army) for army, o in battle.orders.items()},
        masked=hidden,
        worded=worded,
        called=called,
        memo={},
    )


def _opened(
    battle: BattleNow, hosts: Mapping[str, Host], hidden: Collection[str], called: Mapping[str, str]
) -> Opening:
    opening = battle.opening
    return replace(
        opening,
        armies=tuple(hosts[host.id] for host in opening.armies),
        conditions=marks_called(opening.conditions, called),
        formations=(),
        characters=tuple(one for one in opening.characters if one.army not in hidden),
        losses={
            unit: points
            for unit, points in opening.losses.items()
            if army_of_unit(unit) not in hidden  # records of older versions have armies themselves
        },
    )


def called_by(battle: BattleNow, viewer: Viewer) -> Mapping[str, str]:
    """What the bodies of reserves go by for whom nothing is known of them: all of an army as one."""
    own = {
        body.id: f"{body.army}:{RESERVE}"
        for body in battle.bodies.values()
        if body.unseen and not viewer.knows(body.army)
    }
    return {**battle.called, **own}


def marks_called(marks: Iterable[FieldMark], called: Mapping[str, str]) -> tuple[FieldMark, ...]:
    return tuple(dict.fromkeys(mark._replace(body=called.get(mark.body, mark.body)) for mark in marks))


def _unshared(body: Body, hidden: Collection[str]) -> Body:
    """Without how armies that are not theirs to read have shared its losses (B-78)."""
    if not body.shares:
        return body
    return replace(body, shares={army: own for army, own in body.shares.items() if army not in hidden})


def _told(body: Body, worded: frozenset[str], closed: frozenset[str]) -> Body:
    """A body behind the veil, or one that faces such: what a failed blow is worth tells by how much it failed."""
    if body.army in worded:
        losses = likeness(min(2 * WHOLE, body.losses))
        return replace(body, losses=losses, formation=body.formation._replace(losses=0))
    if closed and body.hearts:
        return replace(body, hearts=tuple(heart for heart in body.hearts if heart.foe not in closed))
    return body


def _as_known(battle: BattleNow, hidden: Collection[str]) -> Iterator[Body]:
    """That there is a reserve is known; it stands as one body."""
    told: set[str] = set()
    for body in battle.bodies.values():
        if body.army not in hidden:
            yield body
        elif not body.unseen:
            yield masked_body(body)
        elif body.army not in told:
            told.add(body.army)
            yield _masked_reserve(battle.unseen(body.army))


def masked_body(body: Body) -> Body:
    return replace(
        body,
        formation=formation_from_afar(body.formation),
        force=WHOLE,
        breaking=None,
        value=None,
        losses=share(body.losses, body.force),
        hearts=(),
        adjusted={},
        masked=True,
    )


def _masked_reserve(bodies: Sequence[Body]) -> Body:
    """All of an army's as one, with no more than whether it waits and how much it has lost."""
    first, lost = bodies[0], share(sum(body.losses for body in bodies), sum(body.force for body in bodies))
    waits = next((body.status for body in bodies if body.waiting), first.status)
    formation = reserve_from_afar(first.formation)._replace(losses=lost)
    return Body(formation, WHOLE, None, None, losses=lost, status=waits, masked=True)


def reserve_from_afar(formation: Formation) -> Formation:
    """What stands for a reserve."""
    army, side = formation.army, formation.side
    return Formation(
        f"{army}:{RESERVE}", army, side, RESERVE, (), 0, WHOLE, 0, None, None, "", 0,
        reserve=True, support=formation.support,
    )  # fmt: skip


def formation_from_afar(formation: Formation) -> Formation:
    return formation._replace(
        heads=rounded(formation.heads), force=WHOLE, combat=0, breaking=None, value=None, command=0,
        losses=share(formation.losses, formation.force), mobility=0, contact_combat=0, shot_combat=0, defense=0,
        contact_defense=0, armour=0,
    )  # fmt: skip


def _hosts(battle: BattleNow, hidden: Collection[str]) -> dict[str, Host]:
    """Armies as they may know them: of their reserves the units that have come, and whole whoever fights in a body of
    theirs: it is theirs to order (B-53).
    """
    come = {member for body in battle.bodies.values() if not body.unseen for member in body.formation.members}
    own = {member for body in battle.bodies.values() if body.army not in hidden for member in body.formation.members}
    return {army: host_from_afar(host, come, own) if army in hidden else host for army, host in battle.armies.items()}


def host_from_afar(host: Host, come: Container[Enrolled], own: Container[Enrolled] = ()) -> Host:
    leader = host.commander
    known = None if leader is None else General(leader.id, leader.name, 0, 0, 0, 0, 0)
    units = ((Enrolled(host.id, place), unit) for place, unit in enumerate(host.units))
    seen = (unit if one in own else _unit(unit) if one in come or not unit.reserve else UNKNOWN for one, unit in units)
    return replace(host, units=tuple(seen), commander=known)


def _unit(unit: Unit) -> Unit:
    """Its name, its type, and its heads to one figure."""
    return replace(
        unit, combat=0, armour=0, toughness=0, weapons=(), breaking=None, mobility=0, shield=False, extra=0, wounded=0,
        experience=0, strength=rounded(unit.strength), never=False,
    )  # fmt: skip


UNKNOWN = Unit("", TroopType("", "", 0), 0, 0, 0, CONTACT, 0, reserve=True, mobility=0)
"""A unit of a reserve that has not come."""
