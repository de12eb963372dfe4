"""What a reader may know (B-18): neither orders that have not happened, nor what a reserve is made of, nor the figures
of enemies; but dice, scores, states, ground, weather, and losses as a share of the force.

Where the campaign lays a veil on enemies, losses are known by their word and state alone, and dice, scores and harm by
which their combat and defense could be reckoned are not told.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from functools import cache
from typing import Any

from rules.breaking_point.losses import army_of_unit, share
from rules.breaking_point.spec import General, Host, Unit
from rules.health import WHOLE, band_of
from rules.law import OPEN, Viewer, whole

from . import events as e
from .orders.overrides import NUMBERS
from .state import BattleNow, Body, Formation, Order, state_of

OPEN_NUMBERS = ("score", "penalty")


def knows(viewer: Viewer, army: str) -> bool:
    """Whether he may know this army's figures."""
    return viewer.gm or army in viewer.reads or viewer.commands(army)


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
    """The battle as he may know it."""
    if viewer.gm:
        return battle
    hidden = frozenset(army for army in battle.armies if not knows(viewer, army))
    worded = frozenset(army for army in battle.armies if not viewer.measures(army))
    closed = frozenset(b.id for b in battle.bodies.values() if not viewer.weighs(b.army))
    bodies = {b.id: masked_body(b) if b.army in hidden else b for b in _without_reserves(battle, hidden)}
    bodies = {key: _told(body, worded, closed) for key, body in bodies.items()}
    return battle.changed(
        opening=replace(
            battle.opening,
            armies=tuple(_host(host, hidden) for host in battle.opening.armies),
            formations=(),
            losses={
                unit: points
                for unit, points in battle.opening.losses.items()
                if army_of_unit(unit) not in hidden  # records of older versions have armies themselves
            },
        ),
        armies={army: _host(host, hidden) for army, host in battle.armies.items()},
        bodies=bodies,
        orders={army: o if viewer.commands(army) else Order(army) for army, o in battle.orders.items()},
        masked=hidden,
        worded=worded,
        memo={},
    )


def _told(body: Body, worded: frozenset[str], closed: frozenset[str]) -> Body:
    """A body behind the veil, or one that faces such: what a failed blow is worth tells by how much it failed."""
    if body.army in worded:
        losses = likeness(min(2 * WHOLE, body.losses))
        return replace(body, losses=losses, formation=body.formation._replace(losses=0))
    if closed and body.hearts:
        return replace(body, hearts=tuple(heart for heart in body.hearts if heart.foe not in closed))
    return body


def _without_reserves(battle: BattleNow, hidden: frozenset[str]) -> list[Body]:
    """That there is a reserve is known; it stands as one body."""
    found: list[Body] = []
    for body in battle.bodies.values():
        again = any(other.army == body.army and other.waiting for other in found)
        if not (body.army in hidden and body.waiting and again):
            found.append(body)
    return found


def masked_body(body: Body) -> Body:
    return replace(
        body,
        formation=_formation(body.formation, waiting=body.waiting),
        force=WHOLE,
        breaking=None,
        value=None,
        losses=share(body.losses, body.force),
        hearts=(),
        adjusted={},
        masked=True,
    )


def _formation(formation: Formation, *, waiting: bool) -> Formation:
    return formation._replace(
        heads=0 if waiting else rounded(formation.heads), force=WHOLE, combat=0, breaking=None, value=None, command=0,
        losses=share(formation.losses, formation.force), members=() if waiting else formation.members,
        range="" if waiting else formation.range, mobility=0, contact_combat=0, shot_combat=0, defense=0,
        contact_defense=0, armour=0,
    )  # fmt: skip


def _host(host: Host, hidden: frozenset[str]) -> Host:
    if host.id not in hidden:
        return host
    leader = host.commander
    known = None if leader is None else General(leader.id, leader.name, 0, 0, 0, 0, 0)
    return replace(host, units=tuple(_unit(unit) for unit in host.units), commander=known)


def _unit(unit: Unit) -> Unit:
    """Its name, its type, and its heads to one figure; of a reserve nothing."""
    plain = replace(
        unit, combat=0, armour=0, toughness=0, weapons=(), breaking=None, mobility=0, shield=False, extra=0, wounded=0,
        experience=0, strength=rounded(unit.strength), never=False,
    )  # fmt: skip
    return replace(plain, name="", strength=0, machine=None) if unit.reserve else plain


# events


def witnessed(battle: BattleNow, event: e.Event, viewer: Viewer) -> e.Event | None:
    """The event as he may know it, None where he knows of nothing."""
    if viewer.gm:
        return event
    mask = MASKS.get(type(event))
    found = event if mask is None else mask(battle, event, viewer)
    veil = VEILS.get(type(event)) if viewer.veil != OPEN and found is not None else None
    return found if veil is None else veil(battle, found, viewer)


def _knows_body(battle: BattleNow, body_id: str, viewer: Viewer) -> bool:
    body = battle.bodies.get(body_id)
    return body is not None and knows(viewer, body.army)


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
    if body is None or knows(viewer, body.army):
        return event
    recovered = 0 if body.masked else share(event.recovered, body.force)
    return event._replace(lines=(), against=None, recovered=recovered, masked=True)


def _command_tested(battle: BattleNow, event: e.CommandTested, viewer: Viewer) -> e.CommandTested:
    armies = (event.army,) if event.army else battle.sides[event.side].armies
    return event if any(knows(viewer, army) for army in armies) else event._replace(lines=())


def _withdrawal_tested(battle: BattleNow, event: e.WithdrawalTested, viewer: Viewer) -> e.WithdrawalTested:
    return event if _knows_body(battle, event.bodies[0], viewer) else event._replace(lines=())


def _army_joined(battle: BattleNow, event: e.ArmyJoined, viewer: Viewer) -> e.ArmyJoined:
    if knows(viewer, event.army):
        return event
    formations = tuple(_formation(formation, waiting=formation.reserve) for formation in event.formations)
    return event._replace(spec=_host(event.spec, frozenset({event.army})), formations=formations)


def _overridden(battle: BattleNow, event: e.Overridden, viewer: Viewer) -> e.Overridden:
    hidden = event.field in NUMBERS and event.field not in OPEN_NUMBERS
    secret = hidden or event.field in ("do", "target")
    return (
        event._replace(value=None, breaks_at=e.UNWRITTEN)
        if secret and not _knows_body(battle, event.subject, viewer)
        else event
    )


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
}


# the campaign's veil, laid on what is left of the event


UNTOLD = None
"""What stands in an event in place of a figure that is kept from its reader."""


def _army_of(battle: BattleNow, subject: str) -> str:
    """The army of a body; a body nobody knows is beyond every veil."""
    body = battle.bodies.get(subject)
    return body.army if body is not None else subject


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
    e.Rallied: _veiled_rally,
    e.Overridden: _veiled_hand,
}
