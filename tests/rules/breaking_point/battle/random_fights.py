"""Random legal orders of battles that a second reading has drawn."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Any

from rules.breaking_point.battle.battle_law import Fights
from rules.breaking_point.battle.orders import commands as c
from rules.breaking_point.battle.state.battle_state import (
    ASSAULT,
    BattleNow,
    BodyOrder,
    FieldMark,
    Opening,
    Order,
    Side,
)
from rules.law import OMNISCIENT
from tests.rules.breaking_point.second_reading import scenarios, translate


def drawn(seed: int) -> tuple[Fights, Opening]:
    """A battle by its number, checked."""
    plan = scenarios.plan(seed)
    law = Fights(translate.house(plain=plan.plain, surprise_stays=plan.surprise_stays))
    hosts = tuple(translate.host(army.id, army.troops, army.chief) for army in plan.armies)
    sides = tuple(
        Side(f"Side {side.index}", tuple(army.id for army in plan.armies if army.side == side.index), side.chief,
             side.circumstances, side.radio)
        for side in plan.sides
    )  # fmt: skip
    words = [FieldMark(word) for word in sorted(plan.conditions)]
    if plan.kind == ASSAULT:
        words += [FieldMark(word) for word in ("equipped", "invested") if getattr(plan, word)]
    opening = Opening(sides, hosts, kind=plan.kind, medium=plan.medium, distance=plan.distance,
                      conditions=tuple(words), place=translate.place(plan.place))  # fmt: skip
    return law, law.check(opening)


def orders(law: Any, battle: BattleNow, rng: Random) -> Iterator[c.GiveOrder]:
    """What everybody might order now, drawn of what is legal."""
    for army in law.legal(battle, OMNISCIENT).armies:
        leaves = army.may_withdraw and rng.random() < 0.05
        comes = army.may_commit and not leaves and rng.random() < 0.3
        bodies = {body.key: _deed(battle, body, rng, idle=leaves) for body in army.bodies if not body.waits or comes}
        distance = rng.choice(("", "close", "open")) if army.may_change_distance else ""
        yield c.GiveOrder(Order(army.army, bodies, leaves, comes, rng.choice(("", *army.rally)), distance))


def _deed(battle: BattleNow, body: Any, rng: Random, *, idle: bool) -> BodyOrder:
    found = [BodyOrder()]
    if not idle and rng.random() < 0.85:
        found = [BodyOrder("attack", aim.body) for aim in body.attack if aim.why_not is None]
        found += [BodyOrder("shoot", aim.body) for aim in body.shoot if aim.why_not is None]
    chosen = rng.choice(found or [BodyOrder()])
    return chosen._replace(pursue=body.may_pursue and rng.random() < 0.6, riposte=rng.random() < 0.8)


def commands(law: Any, battle: BattleNow, rng: Random) -> Iterator[Any]:
    """The next stretch: everybody's orders, and the GM resolves."""
    if battle.phase.kind == "setup":
        yield c.Next()
        return
    yield from orders(law, battle, rng)
    yield c.Resolve()
