"""Secrecy (B-18): the battle and its events as a reader may know them, without others' orders before they are carried
out, the contents of others' reserves, or enemies' figures. A veil also hides dice, scores and damage.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules.breaking_point.battle.from_afar import (
    formation_from_afar,
    host_from_afar,
    likeness,
    masked_body,
    reserve_from_afar,
)
from rules.breaking_point.battle.orders.legal import NUMBERS
from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import (
    RESERVE,
    BattleNow,
    Body,
    FieldMark,
    Formation,
    Opening,
    Order,
)
from rules.breaking_point.losses import army_of_unit, share
from rules.breaking_point.spec import Host
from rules.core.viewers import WHOLE
from rules.law import OPEN, Viewer, whole


def seen(battle: BattleNow, viewer: Viewer) -> BattleNow:
    """Return the battle as this viewer may know it."""
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
            if army_of_unit(unit) in hosts and army_of_unit(unit) not in hidden  # older records have army ids here
        },
    )


def called_by(battle: BattleNow, viewer: Viewer) -> Mapping[str, str]:
    """Return the ids under which a viewer sees unknown reserve bodies: all of an army as one."""
    own = {
        body.id: f"{body.army}:{RESERVE}"
        for body in battle.bodies.values()
        if body.unseen and not viewer.knows(body.army)
    }
    return {**battle.called, **own}


def marks_called(marks: Iterable[FieldMark], called: Mapping[str, str]) -> tuple[FieldMark, ...]:
    return tuple(dict.fromkeys(mark._replace(body=called.get(mark.body, mark.body)) for mark in marks))


def _unshared(body: Body, hidden: Collection[str]) -> Body:
    """Return the body without the sharing of losses by armies that the viewer may not read (B-78)."""
    if not body.shares:
        return body
    return replace(body, shares={army: own for army, own in body.shares.items() if army not in hidden})


def _told(body: Body, worded: frozenset[str], closed: frozenset[str]) -> Body:
    """Return a body behind the veil, or facing one. Bonuses from failed blows are hidden: they show the margin."""
    if body.army in worded:
        losses = likeness(min(2 * WHOLE, body.losses))
        return replace(body, losses=losses, formation=_worded(body.formation))
    if closed and body.hearts:
        return replace(body, hearts=tuple(heart for heart in body.hearts if heart.foe not in closed))
    return body


def _worded(formation: Formation) -> Formation:
    """Return the body with its earlier losses as a word tells them."""
    return formation._replace(losses=likeness(min(2 * WHOLE, formation.losses)))


def _as_known(battle: BattleNow, hidden: Collection[str]) -> Iterator[Body]:
    """Yield the bodies as known. An unknown reserve is visible as one body."""
    told: set[str] = set()
    for body in battle.bodies.values():
        if body.army not in hidden:
            yield body
        elif not body.unseen:
            yield masked_body(body)
        elif body.army not in told:
            told.add(body.army)
            yield _masked_reserve(battle.unseen(body.army))


def _masked_reserve(bodies: Sequence[Body]) -> Body:
    """Return an army's reserve as one body that shows only whether it waits and how much it has lost."""
    first, lost = bodies[0], share(sum(body.losses for body in bodies), sum(body.force for body in bodies))
    waits = next((body.status for body in bodies if body.waiting), first.status)
    formation = reserve_from_afar(first.formation)._replace(losses=lost)
    return Body(formation, WHOLE, None, None, losses=lost, status=waits, masked=True)


def _hosts(battle: BattleNow, hidden: Collection[str]) -> dict[str, Host]:
    """Return armies as the viewer may know them. Of reserves only units that have come are known. Armies that fight in
    a body the viewer commands are fully known (B-53).
    """
    come = {member for body in battle.bodies.values() if not body.unseen for member in body.formation.members}
    own = {member for body in battle.bodies.values() if body.army not in hidden for member in body.formation.members}
    return {army: host_from_afar(host, come, own) if army in hidden else host for army, host in battle.armies.items()}


# Events as a reader may know them (B-18).


# Veils, which hide further figures of events from players.

UNTOLD = None
"""Value of an event's figure that its reader may not know."""


def _army_of(battle: BattleNow, subject: str) -> str:
    """Return the army of a body, also of a reserve's placeholder."""
    body = battle.bodies.get(subject)
    return body.army if body is not None else subject.removesuffix(f":{RESERVE}")


def _veiled_attack(battle: BattleNow, event: e.Attacked, viewer: Viewer) -> e.Attacked:
    own, foe = _army_of(battle, event.body), _army_of(battle, event.target)
    if not viewer.weighs(own):
        event = event._replace(rolls=(), score=UNTOLD, lines=())
    if not viewer.weighs(foe):
        event = event._replace(score=UNTOLD, lines=(), heart=0)
    harmed = _army_of(battle, event.friend) if event.friend else foe
    if not viewer.measures(harmed):
        event = event._replace(percent=0, power=0, power_lines=(), loss=0)
    return event


def _veiled_heart(battle: BattleNow, event: e.Heartened, viewer: Viewer) -> e.Heartened | None:
    told = viewer.weighs(_army_of(battle, event.body)) and viewer.weighs(_army_of(battle, event.foe))
    return event if told else None


def _veiled_losses(battle: BattleNow, event: e.Suffered, viewer: Viewer) -> e.Suffered:
    if viewer.measures(_army_of(battle, event.body)):
        return event
    return event._replace(lost=UNTOLD, losses=likeness(min(2 * WHOLE, event.losses)))


def _veiled_shelter(battle: BattleNow, event: e.ShelterLost, viewer: Viewer) -> e.ShelterLost:
    if viewer.measures(_army_of(battle, event.body)):
        return event
    return event._replace(losses=likeness(min(2 * WHOLE, event.losses)))


def _veiled_arrival(battle: BattleNow, event: e.ArmyJoined, viewer: Viewer) -> e.ArmyJoined:
    if viewer.measures(event.army):
        return event
    return event._replace(formations=tuple(_worded(formation) for formation in event.formations))


def _veiled_rally(battle: BattleNow, event: e.Rallied, viewer: Viewer) -> e.Rallied:
    return event if viewer.measures(_army_of(battle, event.body)) else event._replace(percent=0, recovered=0)


def _veiled_hand(battle: BattleNow, event: e.Overridden, viewer: Viewer) -> e.Overridden:
    side = event.subject.removeprefix("side-")
    if event.field == "score" and side.isdigit():
        told = any(viewer.hears_why(army) for army in battle.sides[int(side)].armies)
    else:
        told = viewer.hears_why(_army_of(battle, event.subject))
    return event if told else event._replace(field="", value=None, reason="", breaks_at=e.UNWRITTEN)


VEILS: dict[type, Callable[[BattleNow, Any, Viewer], Any]] = {
    e.Attacked: _veiled_attack,
    e.Heartened: _veiled_heart,
    e.Suffered: _veiled_losses,
    e.ShelterLost: _veiled_shelter,
    e.ArmyJoined: _veiled_arrival,
    e.Rallied: _veiled_rally,
    e.Overridden: _veiled_hand,
}


OPEN_NUMBERS = ("score", "penalty")


def witnessed(battle: BattleNow, event: e.Event, viewer: Viewer) -> e.Event | None:
    """Return the event as this viewer may know it, or None if they learn nothing of it."""
    if viewer.gm:
        return event
    mask = MASKS.get(type(event))
    found = event if mask is None else mask(battle, event, viewer)
    veil = VEILS.get(type(event)) if viewer.veil != OPEN and found is not None else None
    return found if veil is None else veil(battle, found, viewer)


def _knows_body(battle: BattleNow, body_id: str, viewer: Viewer) -> bool:
    body = battle.bodies.get(body_id)
    return body is not None and viewer.knows(body.army)


def _order_given(battle: BattleNow, event: e.OrderGiven, viewer: Viewer) -> e.OrderGiven:
    return event if viewer.commands(event.army) else event._replace(order=None)


def _order_lost(battle: BattleNow, event: e.OrderLost, viewer: Viewer) -> e.OrderLost | None:
    return event if _knows_body(battle, event.body, viewer) else None


def _attacked(battle: BattleNow, event: e.Attacked, viewer: Viewer) -> e.Attacked:
    own, foe = _knows_body(battle, event.body, viewer), _knows_body(battle, event.target, viewer)
    if own and foe:
        return event
    found = event._replace(masked=True)
    if not own:
        found = found._replace(power=0, percent=0, lines=(), power_lines=(), heart=0, loss=event.loss if foe else 0)
    return found if foe else found._replace(against=None, foe_lines=())


def _heartened(battle: BattleNow, event: e.Heartened, viewer: Viewer) -> e.Heartened | None:
    known = _knows_body(battle, event.body, viewer) or _knows_body(battle, event.foe, viewer)
    return event if known else None


def _suffered(battle: BattleNow, event: e.Suffered, viewer: Viewer) -> e.Suffered:
    if _knows_body(battle, event.body, viewer):
        return event
    before, after = share(event.losses - whole(event.lost), event.force), share(event.losses, event.force)
    return event._replace(fallen=0, lost=after - before, losses=after, force=WHOLE, capped=False, masked=True)


def _shelter_lost(battle: BattleNow, event: e.ShelterLost, viewer: Viewer) -> e.ShelterLost:
    if _knows_body(battle, event.body, viewer):
        return event
    return event._replace(force=WHOLE, value=None, losses=share(event.losses, event.force))


def _rallied(battle: BattleNow, event: e.Rallied, viewer: Viewer) -> e.Rallied:
    body = battle.bodies.get(event.body)
    if body is None or viewer.knows(body.army):
        return event
    recovered = 0 if body.masked else share(event.recovered, body.force)
    return event._replace(lines=(), against=None, recovered=recovered, masked=True)


def _command_tested(battle: BattleNow, event: e.CommandTested, viewer: Viewer) -> e.CommandTested:
    armies = (event.army,) if event.army else battle.sides[event.side].armies
    return event if any(viewer.knows(army) for army in armies) else event._replace(lines=())


def _withdrawal_tested(battle: BattleNow, event: e.WithdrawalTested, viewer: Viewer) -> e.WithdrawalTested:
    return event if _knows_body(battle, event.bodies[0], viewer) else event._replace(lines=())


def _army_joined(battle: BattleNow, event: e.ArmyJoined, viewer: Viewer) -> e.ArmyJoined:
    """Return the arrival as it was visible: an unknown reserve is one body."""
    if viewer.knows(event.army):
        return event
    come = {member for formation in event.formations if not formation.reserve for member in formation.members}
    held = [formation for formation in event.formations if formation.reserve]
    lost = share(sum(one.losses for one in held), sum(one.force for one in held))
    formations = dict.fromkeys(
        reserve_from_afar(formation)._replace(losses=lost) if formation.reserve else formation_from_afar(formation)
        for formation in event.formations
    )
    return event._replace(spec=host_from_afar(event.spec, come), formations=tuple(formations))


def _overridden(battle: BattleNow, event: e.Overridden, viewer: Viewer) -> e.Overridden:
    hidden = event.field in NUMBERS and event.field not in OPEN_NUMBERS
    secret = hidden or event.field in ("do", "target")
    if secret and not _knows_body(battle, event.subject, viewer):
        event = event._replace(value=None, breaks_at=e.UNWRITTEN)
    return event._replace(subject=called_by(battle, viewer).get(event.subject, event.subject))


def _marked[Marked: (e.ConditionSet, e.ConditionLifted)](battle: BattleNow, event: Marked, viewer: Viewer) -> Marked:
    if not event.condition.body:
        return event
    (mark,) = marks_called([event.condition], called_by(battle, viewer))
    return event._replace(condition=mark)


def _of_all[Told: (e.BodyLeft, e.Penalised)](battle: BattleNow, event: Told, viewer: Viewer) -> Told | None:
    """Return an event on one body of a reserve as one on the placeholder; None for all but the first of its bodies."""
    called = called_by(battle, viewer)
    name = called.get(event.body, event.body)
    first = next((body for body, known in called.items() if known == name), event.body)
    return event._replace(body=name) if event.body == first else None


def _losses_shared(battle: BattleNow, event: e.LossesShared, viewer: Viewer) -> e.LossesShared | None:
    return event if viewer.knows(event.army) else None


MASKS: dict[type, Callable[[BattleNow, Any, Viewer], Any]] = {
    e.OrderGiven: _order_given,
    e.OrderLost: _order_lost,
    e.Attacked: _attacked,
    e.Heartened: _heartened,
    e.Suffered: _suffered,
    e.ShelterLost: _shelter_lost,
    e.Rallied: _rallied,
    e.CommandTested: _command_tested,
    e.WithdrawalTested: _withdrawal_tested,
    e.ArmyJoined: _army_joined,
    e.Overridden: _overridden,
    e.ConditionSet: _marked,
    e.ConditionLifted: _marked,
    e.BodyLeft: _of_all,
    e.Penalised: _of_all,
    e.LossesShared: _losses_shared,
}
