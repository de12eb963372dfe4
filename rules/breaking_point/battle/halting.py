"""Halts of a battle that advances by itself: orders to reconsider, and rounds that may end it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from rules.breaking_point.battle.orders.commands import GiveOrder
from rules.breaking_point.battle.orders.legal import HostChoices, check_order, host_choices
from rules.breaking_point.battle.state.battle_state import QUIET_MOST, ROUND, ROUTED, BattleNow, Order
from rules.breaking_point.battle.steps.phase import dusk_of
from rules.breaking_point.battle.telling.words import phase_label
from rules.core.errors import Refusal
from rules.core.text import Said, _, say
from rules.halts import NEW_CHOICES, NEW_ORDERS, ORDER
from rules.law import Halt, Viewer


def repeat_orders(before: BattleNow, after: BattleNow) -> Iterator[GiveOrder]:
    """Yield last round's orders again, except committing a reserve, which happens once."""
    if before.phase.kind != ROUND or after.phase.kind != ROUND:
        return
    owners = after.owners()
    for army, order in before.orders.items():
        if army in owners and any(body.on_field for body in after.of_army(army)):
            yield GiveOrder(_again(after, order))


def _again(after: BattleNow, order: Order) -> Order:
    """Return the order without bodies that have left the field or are routed."""
    standing = {body.key for body in after.of_army(order.army) if body.on_field and body.status != ROUTED}
    bodies = {key: given for key, given in order.bodies.items() if key in standing}
    rallied = {body.key for body in after.of_army(order.army) if body.rallied}
    return replace(order, bodies=bodies, commit=False, rally="" if order.rally in rallied else order.rally)


def find_order_halts(before: BattleNow, after: BattleNow, viewer: Viewer) -> Iterator[Halt]:
    """Yield halts for orders that this viewer must change, or can give now but could not before. States are as the
    viewer sees them.
    """
    if after.phase.kind != ROUND:
        return
    if before.phase.kind != ROUND:
        yield Halt(ORDER, say(NEW_ORDERS, phase=phase_label(*after.phase)))
        return
    refused = list(_refused(before, after, viewer))
    yield from refused
    asked = {halt.army for halt in refused}
    for army in after.owners():
        if viewer.commands(army) and army not in asked and _options(after, army) - _options(before, army):
            yield Halt(ORDER, say(NEW_CHOICES, army=after.armies[army].name), army)
    yield from _last_rounds(after)


def _refused(before: BattleNow, after: BattleNow, viewer: Viewer) -> Iterator[Halt]:
    """Yield halts for orders that cannot be repeated."""
    for command in repeat_orders(before, after):
        army = command.order.army
        if not viewer.commands(army):
            continue
        try:
            check_order(after, command.order, viewer)
        except Refusal as refusal:
            name = after.armies[army].name
            yield Halt(ORDER, say(_("{army}: new orders needed. {why}"), army=name, why=refusal.message), army)


def _options(battle: BattleNow, army: str) -> frozenset[tuple[str, ...]]:
    return frozenset(_slugs(host_choices(battle, army)))


def _slugs(choices: HostChoices) -> Iterator[tuple[str, ...]]:
    for body in choices.bodies:
        yield from (("attack", body.key, aim.body) for aim in body.attack if aim.why_not is None)
        yield from (("shoot", body.key, aim.body) for aim in body.shoot if aim.why_not is None)
    yield from (("withdraw",) for _allowed in range(choices.may_withdraw))
    yield from (("commit",) for _allowed in range(choices.may_commit))


def _last_rounds(after: BattleNow) -> Iterator[Halt]:
    """Yield a halt if the next round ends the battle unless something changes (B-45)."""
    said: Said | None = None
    if after.quiet + 1 >= QUIET_MOST:
        said = _("Nobody attacked. One more quiet round ends the battle.")
    elif after.phase.number >= dusk_of(after):
        said = _("The next round is the last: night falls.")
    if said is not None:
        yield Halt(ORDER, said)
