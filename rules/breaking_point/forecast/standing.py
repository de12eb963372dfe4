"""Standing orders in a forecast: what armies do round after round without new orders."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from rules.battle_law import OMNISCIENT
from rules.breaking_point.battle.orders.commands import GiveOrder
from rules.breaking_point.battle.orders.legal import ATTACK, SHOOT, check_order, why_it_cannot
from rules.breaking_point.battle.state.battle_state import (
    COMMAND,
    FIGHTING,
    FLEET,
    ROUND,
    BattleNow,
    Body,
    BodyOrder,
    Order,
)
from rules.breaking_point.battle.state.reach import why_out_of_reach
from rules.core.errors import InvalidInput
from rules.core.odds import AboutOdds
from rules.core.text import _

HOLDS = "hold"
type StandingOrders = Mapping[str, Order]
"""Lasting order of each army."""


def with_orders(battle: BattleNow, commands: Iterable[Any]) -> BattleNow:
    """Return the battle with these orders replacing its own. Raises as the engine does."""
    for command in commands:
        if not isinstance(command, GiveOrder):
            raise InvalidInput(_("A forecast only takes orders for armies."), "/commands")
        check_order(battle, command.order, OMNISCIENT)
        battle = battle.changed(orders={**battle.orders, command.order.army: command.order})
    return battle


def ordered(battle: BattleNow, standing: StandingOrders) -> BattleNow:
    """Return the battle with an order for every army in its next phase: its standing order, else the default."""
    return battle.changed(orders={army: _order(battle, army, standing.get(army)) for army in battle.owners()})


def lasting(battle: BattleNow) -> StandingOrders:
    """Return what the current orders mean in later rounds. A reserve is committed once."""
    return {army: replace(order, commit=False) for army, order in battle.orders.items()}


def _order(battle: BattleNow, army: str, told: Order | None) -> Order:
    order = told or Order(army)
    if battle.phase.kind == COMMAND:
        return replace(order, bodies={}, commit=False, distance="")
    bodies = {
        body.key: _deed(battle, body, order.bodies.get(body.key))
        for body in battle.of_army(army)
        if body.status == FIGHTING and not order.withdraw
    }
    return replace(order, bodies=bodies, commit=order.commit and any(b.waiting for b in battle.of_army(army)))


def _deed(battle: BattleNow, body: Body, told: BodyOrder | None) -> BodyOrder:
    """Return the order of a body: as ordered while that is possible, hold if it holds, else attack the first enemy in
    reach.
    """
    if told is not None and (told.do not in (ATTACK, SHOOT) or reaches(battle, body, told.do, told.target)):
        return told
    standing = told or BodyOrder()
    found = first_deed(battle, body, (standing.do,) if told is not None else ()) or first_deed(battle, body)
    return (
        standing._replace(do=HOLDS, target="") if found is None else standing._replace(do=found.do, target=found.target)
    )


def first_deed(battle: BattleNow, body: Body, may: Iterable[str] = ()) -> BodyOrder | None:
    """Return the first possible deed, best ones first. `may` limits the kinds."""
    return next(deeds(battle, body, may), None)


def deeds(battle: BattleNow, body: Body, may: Iterable[str] = ()) -> Iterator[BodyOrder]:
    """Yield everything it can do to an enemy now: its best kind first, enemies in attack order."""
    wanted = tuple(may)
    for do in (SHOOT, ATTACK) if body.shoots_only or battle.kind == FLEET else (ATTACK, SHOOT):
        if (not wanted or do in wanted) and why_it_cannot(battle, body, do) is None:
            for foe in battle.on_field():
                if foe.side != body.side and not why_out_of_reach(battle, body, foe, do):
                    yield BodyOrder(do, foe.id)


def reaches(battle: BattleNow, body: Body, do: str, target: str) -> bool:
    foe = battle.bodies.get(target)
    there = foe is not None and foe.on_field and body.rests != battle.round
    return there and not why_out_of_reach(battle, body, foe, do)  # type: ignore[arg-type]


def retreating(battle: BattleNow, about: AboutOdds, fought: int, left: Mapping[str, int]) -> StandingOrders:
    """Return orders for armies that withdraw from now on. `left` is the force of each army."""
    if battle.phase.kind != ROUND:
        return {}
    return {
        army: Order(army, withdraw=True)
        for army, retreat in about.retreats.items()
        if (retreat.after is not None and fought >= retreat.after)
        or (retreat.health is not None and left.get(army, 0) <= retreat.health)
    }
