"""The cost of a round of breaking points: against bare Python, and as bodies grow in number."""

from __future__ import annotations

import math
import random
import time
from collections.abc import Callable, Iterator
from functools import partial

from rules.breaking_point.battle.battle_law import Fights
from rules.breaking_point.battle.orders.commands import GiveOrder, Next, Resolve
from rules.breaking_point.battle.state.battle_state import FLEET, BattleNow, BodyOrder, Opening, Order, Side
from rules.breaking_point.battle.state.opening import checked
from rules.breaking_point.forecast.forecast_law import Prospects
from rules.breaking_point.spec import Host
from rules.breaking_point.starter import STARTERS
from rules.core.dice import Roll, Rolled
from rules.core.odds import AboutOdds
from rules.law import OMNISCIENT
from tests.benchmarks import Row
from tests.benchmarks.bench_forecast import interleaved
from tests.rules.breaking_point.battle.fights import hulls

LAW, FORECAST, DICE = Fights(), Prospects(), Rolled()
FIELD = ("men-at-arms", "lancers", "knights", "longbowmen", "crossbowmen")
FLEETS = (16, 128)
CHANCE = random.Random(1).random


class Command(Rolled):
    """The command test as it mostly falls: one side strikes first, the other is not surprised."""

    __slots__ = ()

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, 7 if army == "side-0" else 4)


def bench_round() -> Iterator[Row]:
    """A round with its events and all their sums, decided and folded, of two armies of five units that all attack.

    The bare loop makes the same attacks, with the same dice: for each of them it rolls two and subtracts what succeeds,
    and every sum is a number. Armies fight in bodies, so an army of five units is two attacks a round; five ships are
    five. The second row has no dice in its loop, but the quickest random numbers there are.
    """
    for battle, what in ((field(), "units"), (fleet(5), "ships")):
        count = attacks(battle)
        took, bare = side_by_side(partial(resolve, battle), partial(bare_round, count))
        name = f"round of 2 × 5 {what} ({count} attacks, {took * 1e6:.0f} µs)"
        yield Row(f"{name}, × a bare loop that rolls two dice for each and subtracts", took / bare, 60, "lower")
        took, bare = side_by_side(partial(resolve, battle), partial(bare_round, count, numbers))
        yield Row(f"{name}, × the same loop with bare random numbers for dice", took / bare, 100, "lower")


def side_by_side(work: Callable[[], object], bare: Callable[[], object]) -> tuple[float, float]:
    """Seconds of the processor for one call of each: the best of many short series in turn, so both find it alike."""
    found: dict[int, list[float]] = {0: [], 1: []}
    for _series in range(60):
        for which, call, times in ((0, work, 10), (1, bare, 400)):
            started = time.process_time()
            for _call in range(times):
                call()
            found[which].append((time.process_time() - started) / times)
    return min(found[0]), min(found[1])


def bench_growth() -> Iterator[Row]:
    """Time against the number of bodies: the slope of the log-log line, 1 is linear."""
    few, many = FLEETS
    costs = {count: side_by_side(partial(resolve, fleet(count)), list)[0] for count in FLEETS}
    slope = math.log(costs[many] / costs[few]) / math.log(many / few)
    yield Row(f"round time by bodies, log-log slope from {2 * few} to {2 * many}", slope, 1.1, "lower")


def bench_together() -> Iterator[Row]:
    """Who wins each of ten battles that differ in numbers alone, as the odds workshop and sweeps ask: in one question,
    against as many questions.
    """
    begun = [_sized(100 + 10 * more) for more in range(10)]
    for battles in (40, 1000):
        about = AboutOdds(battles=battles)
        together, alone = interleaved(
            partial(FORECAST.winners, begun, about, OMNISCIENT),
            lambda about=about: [FORECAST.winners([battle], about, OMNISCIENT) for battle in begun],  # type: ignore[misc]
            5,
        )
        name = f"ten battles asked about together, {battles} of each ({together * 1e3:.0f} ms)"
        yield Row(f"{name}, × asked about one by one", together / alone, 0.6, "lower")


def field() -> BattleNow:
    units = tuple(STARTERS[slug].unit(100) for slug in FIELD)
    return _ordered(_begun(Opening((Side("One", ("a",)), Side("Two", ("b",))), _hosts(units))))


def _sized(heads: int) -> BattleNow:
    """Before its command test."""
    one, two = (_hosts(tuple(STARTERS[slug].unit(each) for slug in FIELD))[at] for at, each in enumerate((heads, 120)))
    return FORECAST.begun(LAW.open(checked(Opening((Side("One", ("a",)), Side("Two", ("b",))), (one, two)))))


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
        battle = LAW.fold(battle, LAW.decide(battle, command, Command(), OMNISCIENT))
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


def faces() -> int:
    return DICE.roll("", "", 10).value


def numbers() -> int:
    return int(CHANCE() * 10) + 1


def bare_round(count: int, die: Callable[[], int] = faces) -> list[int]:
    """What a round comes to with nothing explained: each attack rolls two dice, and what succeeds is subtracted."""
    force = [1000] * count
    for attack in range(count):
        margin = die() + die() + 5 - 10
        if margin >= 0:
            force[count - 1 - attack] -= 400 * (10 + 10 * (margin // 2)) // 100
    return force
