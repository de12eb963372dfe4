"""The end of a week: who is paid, who lacks a commander, who goes home (PF-7.2, PF-2.7, R-70, R-73, R-78)."""

from __future__ import annotations

from dataclasses import dataclass, field

from tests.armies.pathfinder.weeks.oracle.world import ENOUGH, WEEK, Army, Realm, World

HUGE = 500


@dataclass
class Orders:
    """What was chosen for one week."""

    land: set[str] = field(default_factory=set)
    feast: set[str] = field(default_factory=set)
    away: set[str] = field(default_factory=set)
    there: set[str] = field(default_factory=set)
    double: set[str] = field(default_factory=set)
    first: list[str] = field(default_factory=list)


def days_led(army: Army, end: int) -> int:
    """Days of the week before day `end` on which a commander was with it (R-80)."""
    begin = (end - 1) // WEEK * WEEK
    counted = army.led_days if begin <= army.led_to and army.led_to < begin + WEEK else 0
    him = army.leader
    if him is None or him.status != "free" or him.active_days < ENOUGH:
        return counted  # who is never there three days a week is no active commander (PF-2.5)
    return counted + max(0, end - max(begin, army.led_to, him.back or 0))


def led(army: Army, end: int, orders: Orders) -> bool:
    if army.id in orders.away:
        return False
    if army.id in orders.there and army.leader:
        return True
    return days_led(army, end) >= ENOUGH


def feeds_itself(army: Army, end: int, orders: Orders, dice) -> bool:
    """Whether the land feeds it this week: it needs an active commander (PF-2.5).

    Large armies eat a hex bare in 1d3 weeks (PF-2.9).
    """
    if army.id not in orders.land or not led(army, end, orders):
        return False
    if army.count < HUGE:
        return True
    if army.foraging is None:
        army.foraging = dice.face(army.id, "forage", 3)
    if army.foraging == 0:
        return False
    army.foraging -= 1
    return True


def price(army: Army, end: int, lives_off: bool, feasts: bool, spared: bool, fights: bool) -> int:
    """`fights`: in a battle an adjustment holds on beyond its last day."""
    bp = army.eased[1] if army.eased and army.eased[0] < end and not fights else army.consumption
    if spared:
        bp = 0
    elif lives_off and bp:
        bp = max(1, bp // 2)
    if feasts:
        bp = max(0, bp - 1)
    return bp + army.surcharge


def pay(purse: int, claims: dict[str, int], first: list[str]) -> tuple[int, set[str]]:
    """The named, then the cheapest, ties by id; each whole or not at all."""
    rank = {army: place for place, army in enumerate(first)}
    paid = set()
    for army in sorted(claims, key=lambda army: (rank.get(army, len(rank)), claims[army], army)):
        if claims[army] == 0 or claims[army] <= purse:
            purse -= claims[army]
            paid.add(army)
    return purse, paid


def realm_week(world: World, realm: Realm, end: int, orders: Orders, fighting: set[str], dice, met) -> None:
    armies = [army for army in world.standing() if army.kingdom == realm.id]
    due = {}
    for army in armies:
        lives_off = not world.in_reserve(army, end) and feeds_itself(army, end, orders, dice)
        spared, fights = world.unpaid_in_reserve(army, end), army.id in fighting
        due[army.id] = price(army, end, lives_off, army.id in orders.feast, spared, fights)
        met["unpaid in reserve"] += spared
        met["paid in reserve"] += world.in_reserve(army, end) and not spared
        met["an adjustment over"] += bool(army.eased and army.eased[0] < end)
    leaderless = {army.id for army in armies if not led(army, end, orders)}
    if realm.free:
        costs_nothing(realm, armies, leaderless, met)
        return
    left, paid = pay(realm.treasury, due, orders.first)
    left, settled = pay(left, {a.id: a.owed for a in armies if a.owed}, orders.first)
    wanting = leaderless & paid if realm.id in orders.double else set()
    left, doubled = pay(left, {army: due[army] for army in wanting}, orders.first)
    realm.treasury = left
    for army in armies:
        key = army.id
        settle(army, due[key], key in paid, key in settled, met)
        army.morale -= key in leaderless and key not in doubled
        hold_together(army, met)
    met["leaderless"] += len(leaderless)
    met["paid double"] += len(doubled)
    met["could not pay double"] += len(wanting - doubled)


def costs_nothing(realm: Realm, armies: list[Army], leaderless: set[str], met) -> None:
    """Without a treasury nothing is owed; a commander is missed only where the GM says so."""
    for army in armies:
        army.owed, army.arrears, army.surcharge = 0, False, 0
        army.morale -= army.id in leaderless and realm.leaderless
        hold_together(army, met)
    met["costs nothing"] += len(armies)


def settle(army: Army, due: int, paid: bool, settled: bool, met) -> None:
    """Debts and arrears after the week."""
    before = army.arrears
    army.owed = (0 if settled else army.owed) + (0 if paid else due)
    army.arrears = army.owed > 0 or (before and not paid)
    army.surcharge = 0
    met["unpaid"] += not paid
    met["debt settled"] += settled
    met["arrears over"] += before and not army.arrears
    met["debt settled, week unpaid"] += settled and not paid


def hold_together(army: Army, met) -> None:
    """At Morale −5 it goes home. What is written down as Morale is without the arrears, which weigh −2."""
    if army.morale - 2 * army.arrears <= -5:
        met["deserted"] += 1
        met["deserted for arrears"] += army.morale > -5
        army.status, army.leader = "disbanded", None
    army.morale = max(-4, army.morale)
