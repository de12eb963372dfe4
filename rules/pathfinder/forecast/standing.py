"""Orders of a forecast: those taken as given, and those that go on when nobody is asked any more (PF-3.5)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

from rules.battle_law import OMNISCIENT
from rules.core.errors import IllegalCommand, InvalidInput, demand
from rules.core.odds import AboutOdds
from rules.core.text import Said, _, say
from rules.pathfinder.battle.orders.commands import GiveOrder
from rules.pathfinder.battle.orders.legal import check_order
from rules.pathfinder.battle.orders.options import (
    cannot_act,
    range_refusal,
    strategy_refusal,
    tactic_refusal,
    target_refusal,
)
from rules.pathfinder.battle.state.battle_state import (
    FIGHTING,
    KEEP,
    MELEE,
    TACTICS,
    ArmyInBattle,
    BattleState,
    Order,
    Phase,
    changed,
)

# Orders taken as given, checked as the engine checks them when they are given (PF-3.5).


def with_orders(battle: BattleState, commands: Iterable[Any], *, carried_out: bool = False) -> BattleState:
    """The battle with these orders in the place of those it holds.

    Nobody is taken to surrender (R-88) unless the orders have been `carried_out`: then what an army of this guess
    could not do is left out.

    Before the melee a strategy is one for its first phase, and in the tactics phase a target one for the next, which
    costs no check. Raises `InvalidInput` and `IllegalCommand` as the engine does.
    """
    if not carried_out and surrenders(battle):
        orders = {army: replace(order, surrender=False) for army, order in battle.orders.items()}
        battle = changed(battle, orders=orders)
    for command in commands:
        if not isinstance(command, GiveOrder):
            raise InvalidInput(_("A forecast only takes orders for armies."), "/commands")
        battle = _with_order(battle, _believed(battle, command.order) if carried_out else _fighting_on(command.order))
    return battle


def surrenders(battle: BattleState) -> bool:
    """Whether an army is ordered to."""
    return any(order.surrender for order in battle.orders.values())


def _fighting_on(order: Order) -> Order:
    return replace(order, surrender=False) if order.surrender else order


def _believed(battle: BattleState, order: Order) -> Order:
    """Without staying at range where the army of this guess cannot shoot."""
    army = battle.armies.get(order.army)
    if not order.stay_at_range or army is None or range_refusal(battle, army) is None:
        return order
    return replace(order, stay_at_range=False)


def _with_order(battle: BattleState, order: Order) -> BattleState:
    demand(order.army in battle.armies, _("This battle has no such army."), field="/army")
    army = battle.armies[order.army]
    if battle.phase.kind != MELEE and order.strategy is not None:
        army = _about_to_fight(battle, army, order.strategy)
        order = replace(order, strategy=None)
    if battle.phase.kind == TACTICS and order.target not in (None, KEEP):
        army = _about_to_face(battle, army, str(order.target))
        order = replace(order, target=KEEP)
    if army is not battle.armies[army.id]:
        battle = changed(battle, armies={**battle.armies, army.id: army})
    check_order(battle, order, OMNISCIENT)
    return changed(battle, orders={**battle.orders, army.id: order})


def _about_to_fight(battle: BattleState, army: ArmyInBattle, strategy: str) -> ArmyInBattle:
    """With the strategy of its first melee phase: no strategy applies before (PF-3.5, PF-3.7)."""
    demand(strategy in battle.law.strategies, _("Strategy “{slug}” not found."), field="/strategy", slug=strategy)
    _refuse_if(strategy_later_refusal(battle, army, strategy), "/strategy")
    return changed(army, strategy=strategy)


def strategy_later_refusal(battle: BattleState, army: ArmyInBattle, strategy: str) -> Said | None:
    """Why the army could not take this strategy in its next melee phase."""
    if battle.phase.kind != MELEE:
        battle = changed(battle, phase=Phase(MELEE, 1, battle.phase.tick))
        if army.melees:
            return say(_("{army} has chosen a strategy: it changes in melee phases."), army=army.name)
    return strategy_refusal(battle, army, strategy)


def _about_to_face(battle: BattleState, army: ArmyInBattle, target: str) -> ArmyInBattle:
    demand(target in battle.armies, _("This battle has no such army."), field="/target")
    _refuse_if(target_refusal(battle, army, target), "/target")
    return changed(army, target=target)


def _refuse_if(said: Said | None, field: str) -> None:
    if said is not None:
        raise IllegalCommand(said, field)


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
