"""The cost of a round of breaking points: against bare Python, and as bodies grow in number."""

from __future__ import annotations

import math
import random
from collections.abc import Callable, Iterator
from functools import partial

from rules.breaking_point.battle.commands import GiveOrder, Next, Resolve
from rules.breaking_point.battle.law import Fights
from rules.breaking_point.battle.opening import checked
from rules.breaking_point.battle.state import FLEET, BattleNow, BodyOrder, Opening, Order, Side
from rules.breaking_point.spec import Host
from rules.breaking_point.starter import STARTERS
from rules.dice import Rolled
from rules.law import OMNISCIENT
from tests.benchmarks import Row
from tests.benchmarks.bench_rules import best
from tests.rules.breaking_point.fights import hulls

LAW, DICE = Fights(), Rolled()
FIELD = ("men-at-arms", "lancers", "knights", "longbowmen", "crossbowmen")
FLEETS = (4, 32)
CHANCE = random.Random(1).random


def bench_round() -> Iterator[Row]:
    """One round of two armies of five units, everybody attacking, with its events and all their sums."""
    battle = field()
    seconds = best(lambda: resolve(battle), 200)
    name = f"round of 2 × 5 units ({seconds * 1e3:.2f} ms), × a bare loop that rolls two dice and subtracts"
    yield Row(name, seconds / best(partial(bare_round, attacks(battle)), 5_000), 60, "lower")
    ships = fleet(5)
    costs = best(lambda: resolve(ships), 100)
    name = f"round of 2 × 5 ships ({costs * 1e3:.2f} ms), × the same"
    yield Row(name, costs / best(partial(bare_round, attacks(ships)), 5_000), 60, "lower")


def bench_growth() -> Iterator[Row]:
    """Time against the number of bodies: the slope of the log-log line, 1 is linear."""
    few, many = FLEETS
    costs = {count: best(partial(resolve, fleet(count)), max(3, 200 // count)) for count in FLEETS}
    slope = math.log(costs[many] / costs[few]) / math.log(many / few)
    yield Row(f"round time by bodies, log-log slope from {2 * few} to {2 * many}", slope, 1.1, "lower")


def field() -> BattleNow:
    units = tuple(STARTERS[slug].unit(100) for slug in FIELD)
    return _ordered(_begun(Opening((Side("One", ("a",)), Side("Two", ("b",))), _hosts(units))))


def fleet(count: int) -> BattleNow:
    opening = Opening(
        (Side("One", ("a",)), Side("Two", ("b",))), _hosts((hulls(),) * count), kind=FLEET, medium="space"
    )
    return _ordered(_begun(opening))


def _hosts(units: tuple) -> tuple[Host, ...]:  # type: ignore[type-arg]
    return tuple(Host(name, name.upper(), "k", units) for name in "ab")


def _begun(opening: Opening) -> BattleNow:
    """In its first round."""
    battle = LAW.open(checked(opening))
    for command in (Next(), Resolve()):
        battle = LAW.fold(battle, LAW.decide(battle, command, DICE, OMNISCIENT))
    return battle


def _ordered(battle: BattleNow) -> BattleNow:
    """Everybody attacks or shoots at somebody of the other side."""
    for army in battle.owners():
        order = Order(army, {body.key: _deed(battle, body) for body in battle.of_army(army)})
        battle = LAW.fold(battle, LAW.decide(battle, GiveOrder(order), DICE, OMNISCIENT))
    return battle


def _deed(battle: BattleNow, body) -> BodyOrder:  # type: ignore[no-untyped-def]
    foes = [foe for foe in battle.on_field(1 - body.side) if not foe.shoots_only]
    aim = foes[int(body.key) % len(foes)] if body.key.isdigit() else foes[0]
    shoots = battle.kind == FLEET or body.shoots_only
    return BodyOrder("shoot" if shoots else "attack", aim.id)


def resolve(battle: BattleNow) -> BattleNow:
    return LAW.fold(battle, LAW.decide(battle, Resolve(), DICE, OMNISCIENT))


def attacks(battle: BattleNow) -> int:
    return sum(len(order.bodies) for order in battle.orders.values())


def bare_round(count: int, chance: Callable[[], float] = CHANCE) -> list[int]:
    """What a round comes to with nothing explained: each attack rolls two dice, and what succeeds is subtracted."""
    force = [1000] * count
    for attack in range(count):
        margin = int(chance() * 10) + int(chance() * 10) + 2 + 5 - 10
        if margin >= 0:
            force[count - 1 - attack] -= 400 * (10 + 10 * (margin // 2)) // 100
    return force
