"""Days in their order (R-71), with what was chosen for each week (R-81)."""

from __future__ import annotations

from collections import Counter

from tests.armies.pathfinder.weeks.oracle.days import Deeds, army_day, rally
from tests.armies.pathfinder.weeks.oracle.months import take_heart, taxes, upkeep
from tests.armies.pathfinder.weeks.oracle.weeks import Orders, realm_week
from tests.armies.pathfinder.weeks.oracle.world import WEEK, World

NAMES = {
    "land": "live_off_the_land",
    "feast": "cannibalize",
    "away": "commander_away",
    "there": "commander_present",
    "double": "pay_double",
}


def let_pass(world: World, days: int, chosen: dict[str, list[str]], deeds: Deeds, dice, met: Counter) -> None:
    since, until = world.day, world.day + days
    weeks = {week: kept(world, week, since // WEEK, chosen) for week in range(since // WEEK, until // WEEK + 1)}
    foragers = {army.id for army in world.standing() if army.forager(since)}
    for day in range(since, until):
        _morning(world, day, since, chosen, deeds, dice, met)
        _plans(world, day + 1, met)
        if (day + 1) % WEEK == 0:
            orders = ordered(weeks[day // WEEK], chosen, foragers)
            for realm in world.realms.values():
                realm_week(world, realm, day + 1, orders, deeds.fighting, dice, met)
        _homecoming(world, day + 1, met)
        if world.month_begins(day + 1):
            _month(world, chosen, dice, met)
    if until % WEEK:
        world.stored[until // WEEK] = weeks[until // WEEK]
    world.day = until
    for army in world.standing():
        if army.eased and army.eased[0] < until and army.id not in deeds.fighting:
            army.consumption, army.eased = army.eased[1], None


def _plans(world: World, day: int, met) -> None:
    """What is planned is booked before anybody is paid, in full."""
    for realm in world.realms.values():
        for line in realm.planned:
            if not realm.free and line.falls(day, world.month_begins(day)):
                met["planned"] += 1
                realm.treasury += line.amount


def kept(world: World, week: int, running: int, chosen: dict[str, list[str]]) -> dict[str, list[str]]:
    """What holds in a week: in the running one what was chosen before, unless it is changed; corpses feed one week."""
    found = dict(world.stored.get(week, {})) if week == running else {}
    found |= {name: chosen[name] for name in NAMES.values() if name in chosen}
    if week != running:
        found.pop("cannibalize", None)
    return found


def ordered(week: dict[str, list[str]], chosen: dict[str, list[str]], foragers: set[str]) -> Orders:
    orders = Orders(first=chosen.get("pay_first", []))
    for field, name in NAMES.items():
        setattr(orders, field, set(week.get(name, ())))
    orders.land &= foragers
    return orders


def _morning(world: World, day: int, since: int, chosen: dict[str, list[str]], deeds: Deeds, dice, met) -> None:
    tried = [world.realms[key] for key in chosen.get("loyalty_check", ())]
    rallied = {realm.id for realm in tried if rally(world, realm, day, dice)}
    met["rally passed"] += len(rallied)
    for army in world.standing():
        army_day(world, army, day, day == since, deeds, rallied, dice)


def _homecoming(world: World, day: int, met) -> None:
    for leader in world.leaders.values():
        if leader.status == "captured" and leader.back is not None and leader.back <= day:
            met["captive home"] += 1
            leader.status, leader.ransom = "free", None


def _month(world: World, chosen: dict[str, list[str]], dice, met) -> None:
    for realm in world.realms.values():
        if realm.free:
            continue
        if realm.id not in chosen.get("skip_upkeep", ()):
            upkeep(realm, dice, met)
        else:
            met["upkeep skipped"] += 1
        if realm.id in chosen.get("collect_taxes", ()):
            taxes(realm, dice, met)
    for army in world.standing():
        if army.status == "routed":
            take_heart(army, world.realms[army.kingdom], dice, met)
