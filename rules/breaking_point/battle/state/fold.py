"""Fold of events into a state. Events are applied, never judged; there are no rules of success here."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import replace
from typing import Any, assert_never

from rules.breaking_point.battle.state import events as e
from rules.breaking_point.battle.state.battle_state import (
    AFTERMATH,
    CLOSED,
    FIGHTING,
    FLEET,
    ON_FIELD,
    ROUND,
    ROUTED,
    BattleNow,
    Body,
    BodyOrder,
    Heart,
    Order,
    Phase,
)
from rules.breaking_point.battle.state.entering import entered, with_mark, without_mark
from rules.core.frozen_copy import changed
from rules.law import Closed, ThrownAnew

APPLY: dict[type, Callable[[Draft, Any], None]] = {}
SHOT = "shot"


def applies[T: e.Event](*kinds: type[T]) -> Callable[[Callable[[Draft, T], None]], Callable[[Draft, T], None]]:
    """Decorator that registers the handler of these events. The type parameter lets the type checker match them."""

    def register(handler: Callable[[Draft, T], None]) -> Callable[[Draft, T], None]:
        APPLY.update(dict.fromkeys(kinds, handler))
        return handler

    return register


class Draft:
    """Mutable draft of a battle, to which events are applied in place. `moves` counts arrivals, breaks, rallies and
    departures.
    """

    __slots__ = ("battle", "bodies", "fields", "happened", "moves")

    def __init__(self, battle: BattleNow):
        self.bodies: dict[str, Body] = dict(battle.bodies)
        self.battle = battle.changed(bodies=self.bodies)
        self.fields = self.battle.__dict__
        self.happened: list[e.Event] = []
        self.moves = 0

    def emit(self, event: e.Event) -> None:
        APPLY[type(event)](self, event)
        self.happened.append(event)

    def change(self, body: str, **fields: object) -> None:
        if "status" in fields:
            self.moves += 1
        self.bodies[body] = changed(self.bodies[body], **fields)

    def set(self, **fields: object) -> None:
        self.fields.update(fields)

    def take(self, battle: BattleNow) -> None:
        """Take over a whole changed battle."""
        self.fields.update(battle.__dict__)


def fold(battle: BattleNow, events: Iterable[e.Event]) -> BattleNow:
    """Return the battle after these events."""
    draft = Draft(battle)
    for event in events:
        APPLY[type(event)](draft, event)
    return draft.battle


@applies(e.PhaseBegan)
def _phase_began(draft: Draft, event: e.PhaseBegan) -> None:
    draft.set(phase=event.phase, orders={}, melees=draft.battle.fought, fought=())
    if event.phase.kind == ROUND:
        number = event.phase.number
        for body in [body for body in draft.bodies.values() if body.hearts]:
            if any(heart.until < number for heart in body.hearts):
                draft.change(body.id, hearts=tuple(heart for heart in body.hearts if heart.until >= number))


@applies(e.PhaseEnded)
def _phase_ended(draft: Draft, event: e.PhaseEnded) -> None:
    draft.set(phases=(*draft.battle.phases, event.phase), quiet=event.quiet, orders={})


@applies(e.OrderGiven)
def _order_given(draft: Draft, event: e.OrderGiven) -> None:
    order = event.order or Order(event.army)
    draft.set(orders={**draft.battle.orders, event.army: order})


@applies(e.ConditionSet)
def _condition_set(draft: Draft, event: e.ConditionSet) -> None:
    draft.take(with_mark(draft.battle, event.condition))
    if event.sharp:
        draft.set(due=draft.battle.due | {"weather"})


@applies(e.ConditionLifted)
def _condition_lifted(draft: Draft, event: e.ConditionLifted) -> None:
    draft.take(without_mark(draft.battle, event.condition))
    if event.sharp:
        draft.set(due=draft.battle.due | {"weather"})


@applies(e.ArmyJoined)
def _army_joined(draft: Draft, event: e.ArmyJoined) -> None:
    battle = draft.battle
    sides = list(battle.sides)
    sides[event.side] = sides[event.side]._replace(armies=(*sides[event.side].armies, event.army))
    joined = {**draft.bodies, **entered(battle.opening, event.formations, event.came)}
    ordered = sorted(joined.values(), key=lambda body: body.side)  # attack order: by side, then by arrival
    draft.bodies.clear()
    draft.bodies.update((body.id, body) for body in ordered)
    armies = {**battle.armies, event.army: event.spec}
    draft.set(sides=tuple(sides), armies=armies, due=battle.due | {event.due})


@applies(e.Overridden)
def _overridden(draft: Draft, event: e.Overridden) -> None:
    value: Any = event.value
    match event.field:
        case "score":
            scores = list(draft.battle.scores)
            scores[int(event.subject.removeprefix("side-"))] = value
            draft.set(scores=tuple(scores))
        case "":
            raise AssertionError("what is told behind a veil is never folded")
        case _:
            _override_body(draft, draft.bodies[event.subject], event, event.field)


def _override_body(draft: Draft, body: Body, event: e.Overridden, field: e.OfBody) -> None:
    value: Any = event.value
    match field:
        case "do" | "target":
            _reorder(draft, body, field, str(value or ""))
        case "combat" | "defense" | "power" | "fire-power":
            draft.change(body.id, adjusted={**body.adjusted, field: body.adjusted.get(field, 0) + value})
        case "force" | "breaking":
            force, breaking = (value, body.breaking) if field == "force" else (body.force, value)
            draft.change(body.id, force=force, breaking=breaking, value=_breaks_at(event, force, breaking))
        case "losses" | "penalty":
            draft.change(body.id, **{field: value})
        case "status":
            comes = body.unseen and value in ON_FIELD
            draft.change(body.id, status=value, came=max(1, draft.battle.round) if comes else body.came)
        case _:
            assert_never(field)


def _breaks_at(event: e.Overridden, force: int, breaking: int | None) -> int | None:
    """Return the breaking value of an event. Old records lack it; it is then computed by the rule of their day
    (BP-4.8).
    """
    if event.breaks_at != e.UNWRITTEN:
        return event.breaks_at
    return None if breaking is None else force * breaking // 100


def _reorder(draft: Draft, body: Body, field: str, value: str) -> None:
    order = draft.battle.orders.get(body.army) or Order(body.army)
    own: BodyOrder = order.bodies.get(body.key, BodyOrder())
    ordered = own._replace(do=value) if field == "do" else own._replace(target=value)
    bodies = {**order.bodies, body.key: ordered}
    draft.set(orders={**draft.battle.orders, body.army: replace(order, bodies=bodies)})


@applies(e.InitiativeSettled)
def _initiative_settled(draft: Draft, event: e.InitiativeSettled) -> None:
    draft.set(scores=event.scores, surprised=frozenset(event.surprised), due=frozenset())


@applies(e.Penalised)
def _penalised(draft: Draft, event: e.Penalised) -> None:
    draft.change(event.body, penalty=event.penalty)


@applies(e.ReserveCommitted)
def _reserve_committed(draft: Draft, event: e.ReserveCommitted) -> None:
    for body in event.bodies:
        draft.change(body, status=FIGHTING, came=event.came)
    draft.set(due=draft.battle.due | {event.due})


@applies(e.Attacked)
def _attacked(draft: Draft, event: e.Attacked) -> None:
    if event.heart:
        kept = tuple(heart for heart in draft.bodies[event.body].hearts if heart.foe != event.target)
        draft.change(event.body, hearts=kept)
    if _unsaid_meets(draft, event) if event.meets is None else event.meets:
        draft.fields["fought"] = (*draft.battle.fought, (event.body, event.target))


def _unsaid_meets(draft: Draft, event: e.Attacked) -> bool:
    """Return whether the two obstruct shots if the event does not say so. Must never change."""
    return event.mode != SHOT and draft.battle.opening.kind != FLEET


@applies(e.Heartened)
def _heartened(draft: Draft, event: e.Heartened) -> None:
    kept = tuple(heart for heart in draft.bodies[event.body].hearts if heart.foe != event.foe)
    lent = (Heart(event.foe, event.amount, event.until),) if event.amount else ()
    draft.change(event.body, hearts=(*kept, *lent))


@applies(e.Suffered)
def _suffered(draft: Draft, event: e.Suffered) -> None:
    draft.change(event.body, losses=event.losses)


@applies(e.Broke)
def _broke(draft: Draft, event: e.Broke) -> None:
    draft.change(event.body, status=ROUTED)


@applies(e.ShelterLost)
def _shelter_lost(draft: Draft, event: e.ShelterLost) -> None:
    draft.change(event.body, sheltered=False, force=event.force, value=event.value, losses=event.losses)


@applies(e.Rests)
def _rests(draft: Draft, event: e.Rests) -> None:
    draft.change(event.body, rests=event.round)


@applies(e.Rallied)
def _rallied(draft: Draft, event: e.Rallied) -> None:
    body = draft.bodies[event.body]
    status = FIGHTING if event.success else body.status
    draft.change(body.id, rallied=True, status=status, losses=body.losses - event.recovered)


@applies(e.BodyLeft)
def _body_left(draft: Draft, event: e.BodyLeft) -> None:
    draft.change(event.body, status=event.status, saved=event.saved)


@applies(e.DistanceChanged)
def _distance_changed(draft: Draft, event: e.DistanceChanged) -> None:
    draft.set(distance=event.distance)


@applies(e.SurpriseEnded)
def _surprise_ended(draft: Draft, event: e.SurpriseEnded) -> None:
    draft.set(surprised=draft.battle.surprised - set(event.sides))


@applies(e.LossesShared)
def _losses_shared(draft: Draft, event: e.LossesShared) -> None:
    body = draft.bodies[event.body]
    own = {**body.shares.get(event.army, {}), **event.units}
    draft.change(body.id, shares={**body.shares, event.army: own})


@applies(e.BattleEnded)
def _battle_ended(draft: Draft, event: e.BattleEnded) -> None:
    draft.set(result=event.result, phase=Phase(AFTERMATH), orders={})


@applies(Closed)
def _closed(draft: Draft, event: Closed) -> None:
    draft.set(phase=Phase(CLOSED))


@applies(e.WithdrawalDeclared, e.CommandTested, e.SideWithdrawn, e.WithdrawalTested, e.OrderLost, ThrownAnew)
def _told(draft: Draft, event: e.Event) -> None:
    """Change nothing. The event is for the log; its effects have events of their own."""
