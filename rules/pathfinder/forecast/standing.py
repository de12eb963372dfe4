"""Orders of a forecast: those given with the question, and those that continue afterwards (PF-3.5)."""

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

# Orders of the question, checked as in a battle (PF-3.5).


def with_orders(battle: BattleState, commands: Iterable[Any], *, carried_out: bool = False) -> BattleState:
    """Return the battle with these orders added to or replacing its own.

    Surrenders are ignored (R-88), unless the orders were `carried_out`; then parts that an army of this guess could not
    do are left out. Before melee a strategy is meant for the first melee phase. In the tactics phase a target is meant
    for the next phase and costs no check. Raises `InvalidInput` and `IllegalCommand` as the engine does.
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
    """Whether any army is ordered to surrender."""
    return any(order.surrender for order in battle.orders.values())


def _fighting_on(order: Order) -> Order:
    return replace(order, surrender=False) if order.surrender else order


def _believed(battle: BattleState, order: Order) -> Order:
    """Return the order without staying at range, if the army of this guess cannot shoot."""
    army = battle.armies.get(order.army)
    if not order.stay_at_range or army is None or range_refusal(battle, army) is None:
        return order
    return replace(order, stay_at_range=False)


def _with_order(battle: BattleState, order: Order) -> BattleState:
    demand(order.army in battle.armies, _("This army isn’t in this battle."), field="/army")
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
    """Return the army with the strategy of its first melee phase. No strategy applies earlier (PF-3.5, PF-3.7)."""
    demand(strategy in battle.law.strategies, _("Strategy “{slug}” not found."), field="/strategy", slug=strategy)
    _refuse_if(strategy_later_refusal(battle, army, strategy), "/strategy")
    return changed(army, strategy=strategy)


def strategy_later_refusal(battle: BattleState, army: ArmyInBattle, strategy: str) -> Said | None:
    """Return why the army could not take this strategy in its next melee phase, or None."""
    if battle.phase.kind != MELEE:
        battle = changed(battle, phase=Phase(MELEE, 1, battle.phase.tick))
        if army.melees:
            return say(_("{army}: strategy already chosen. It can only change in melee phases."), army=army.name)
    return strategy_refusal(battle, army, strategy)


def _about_to_face(battle: BattleState, army: ArmyInBattle, target: str) -> ArmyInBattle:
    demand(target in battle.armies, _("This army isn’t in this battle."), field="/target")
    _refuse_if(target_refusal(battle, army, target), "/target")
    return changed(army, target=target)


def _refuse_if(said: Said | None, field: str) -> None:
    if said is not None:
        raise IllegalCommand(said, field)


STANDING = ("hold_the_line", "withdraw", "let_go", "spawn")
"""Fields of an order that last beyond its phase. Tactic, strategy and target last by the rules themselves (PF-3.5)."""


def lasting(order: Order) -> Order:
    """Return the part of an order that lasts beyond its phase."""
    return Order(order.army, **{name: getattr(order, name) for name in STANDING})


def lasting_orders(battle: BattleState) -> dict[str, Order]:
    """Return the lasting orders by army, without empty ones."""
    kept = {army: lasting(order) for army, order in battle.orders.items()}
    return {army: order for army, order in kept.items() if order != Order(army)}


def has_enough(about: AboutOdds, army: str, hp: int, fought: int) -> bool:
    """Whether the army tries to leave by now, after so many phases of the look."""
    retreat = about.retreats.get(army)
    if retreat is None:
        return False
    late = retreat.after is not None and fought >= retreat.after
    return late or (retreat.health is not None and hp <= retreat.health)


def may_withdraw(battle: BattleState, army: str) -> bool:
    return tactic_refusal(battle, battle.armies[army], "withdraw") is None


def withdrawing(battle: BattleState, about: AboutOdds, fought: int) -> BattleState:
    """Return the battle with orders to withdraw for armies that want to leave and can."""
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
    """Return the health at which the forecast stops, for the armies on the field at its start. No other army joins."""
    return {army: hp for army, hp in about.until.items()
            if army in battle.armies and battle.armies[army].status == FIGHTING}  # fmt: skip


def looked_enough(until: Mapping[str, int], battle: BattleState) -> bool:
    """Whether some army has reached the health at which the forecast stops."""
    return any(battle.armies[army].hp <= health for army, health in until.items())
