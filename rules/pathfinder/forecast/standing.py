"""Standing orders when nobody is asked any more: orders that go on, and armies that leave when they had enough."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace

from rules.core.odds import AboutOdds
from rules.pathfinder.battle.orders.options import cannot_act, tactic_refusal
from rules.pathfinder.battle.state.battle_state import FIGHTING, BattleState, Order, changed

STANDING = ("hold_the_line", "withdraw", "let_go", "spawn")
"""Of an order what is meant for every phase to come; tactic, strategy and target go on by the law itself (PF-3.5)."""


def lasting(order: Order) -> Order:
    """What an order says of the phases after its own."""
    return Order(order.army, **{name: getattr(order, name) for name in STANDING})


def lasting_orders(battle: BattleState) -> dict[str, Order]:
    """Of every army that has an order with something lasting in it."""
    kept = {army: lasting(order) for army, order in battle.orders.items()}
    return {army: order for army, order in kept.items() if order != Order(army)}


def has_enough(about: AboutOdds, army: str, hp: int, fought: int) -> bool:
    """Whether the army now does what it can to leave, after so many phases of the look ahead."""
    retreat = about.retreats.get(army)
    if retreat is None:
        return False
    late = retreat.after is not None and fought >= retreat.after
    return late or (retreat.health is not None and hp <= retreat.health)


def may_withdraw(battle: BattleState, army: str) -> bool:
    return tactic_refusal(battle, battle.armies[army], "withdraw") is None


def withdrawing(battle: BattleState, about: AboutOdds, fought: int) -> BattleState:
    """The battle with the orders of those who have enough and can leave, in place of their tactic."""
    given = {
        army.id: replace(battle.orders.get(army.id, Order(army.id)), tactic="withdraw")
        for army in battle.armies.values()
        if army.status == FIGHTING
        and has_enough(about, army.id, army.hp, fought)
        and cannot_act(battle, army) is None
        and may_withdraw(battle, army.id)
    }
    return changed(battle, orders={**battle.orders, **given}) if given else battle


def watched(battle: BattleState, about: AboutOdds) -> Mapping[str, int]:
    """At which health of whom the look ends: of those on the field when it begins, for no other comes to one."""
    return {army: hp for army, hp in about.until.items()
            if army in battle.armies and battle.armies[army].status == FIGHTING}  # fmt: skip


def looked_enough(until: Mapping[str, int], battle: BattleState) -> bool:
    """Whether some army has come to the health at which the look ends."""
    return any(battle.armies[army].hp <= health for army, health in until.items())
