"""The first day of a month: upkeep, taxes, the routed (PF-8.4, PF-6.2, R-76, R-82)."""

from __future__ import annotations

from tests.armies.pathfinder.weeks.oracle.checks import control_dc, passes, total
from tests.armies.pathfinder.weeks.oracle.world import Army, Realm


def upkeep(realm: Realm, dice, met) -> None:
    stabilise(realm, dice, met)
    realm.treasury -= realm.consumption
    if realm.treasury < 0:
        met["debts of a kingdom"] += 1
        realm.unrest += 2
    realm.unrest += sum(getattr(realm, name) < 0 for name in ("economy", "loyalty", "stability"))
    if realm.unrest >= 11 and realm.size:
        met["hex lost"] += 1
        realm.size -= 1


def stabilise(realm: Realm, dice, met) -> None:
    die = dice.face(realm.id, "stability", 20)
    if passes(realm, "stability", die):
        met["stable"] += 1
        realm.unrest = max(0, realm.unrest - 1)
    elif control_dc(realm) - total(realm, "stability", die) >= 5:
        met["badly unstable"] += 1
        realm.unrest += dice.face(realm.id, "unrest", 4)
    else:
        met["unstable"] += 1
        realm.unrest += 1


def taxes(realm: Realm, dice, met) -> None:
    gain = max(0, total(realm, "economy", dice.face(realm.id, "income", 20)) // 3)
    met["taxes"] += gain > 0
    realm.treasury += gain


def take_heart(army: Army, realm: Realm, dice, met) -> None:
    if passes(realm, "loyalty", dice.face(army.id, "routed", 20)):
        met["took heart"] += 1
        army.status = "ready"
    else:
        met["stays routed"] += 1
