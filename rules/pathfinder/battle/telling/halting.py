"""Halts of a battle that advances by itself: orders to reconsider, and phases without decisions."""

from __future__ import annotations

from collections.abc import Iterator

from rules.core.text import _, say
from rules.halts import NEW_CHOICES, NEW_ORDERS, ORDER
from rules.law import Halt, Viewer
from rules.pathfinder.battle.orders.legal import ArmyChoices, army_choices
from rules.pathfinder.battle.orders.options import cannot_act
from rules.pathfinder.battle.state.battle_state import FIGHTING, PHASES, RANGED, ArmyInBattle, BattleState
from rules.pathfinder.battle.state.view import ArmyView, can_shoot, wind_allows
from rules.pathfinder.battle.telling.summary import phase_label

LEAVES = "withdraw"  # slug of the tactic


def find_order_halts(before: BattleState, after: BattleState, viewer: Viewer) -> Iterator[Halt]:
    """Yield halts for orders that this viewer can give now but could not before, and for lost targets. States are as
    the viewer sees them.
    """
    if after.phase.kind not in PHASES:
        return
    own = [army for army in after.on_field() if viewer.commands(army.id)]
    if own and before.phase.kind != after.phase.kind:
        yield Halt(ORDER, say(NEW_ORDERS, phase=phase_label(after.phase)))
        return
    for army in own:
        was = before.armies.get(army.id)
        if was is not None and was.target and _stood(before, was.target) and not _stood(after, was.target):
            yield Halt(ORDER, say(_("{army}: new target needed."), army=army.name), army.id)
        elif was is None or _options(after, army) - _options(before, was):
            yield Halt(ORDER, say(NEW_CHOICES, army=army.name), army.id)


def _stood(battle: BattleState, army: str) -> bool:
    return army in battle.armies and battle.armies[army].status == FIGHTING


def _options(battle: BattleState, army: ArmyInBattle) -> frozenset[tuple[str, ...]]:
    """Return everything the army may be ordered, as tuples of slugs."""
    if cannot_act(battle, army) is not None:
        return frozenset()
    return frozenset(_slugs(army_choices(battle, army)))


def _slugs(choices: ArmyChoices) -> Iterator[tuple[str, ...]]:
    yield from (("tactic", one.slug) for one in choices.tactics if one.available)
    yield from (("strategy", one.slug) for one in choices.strategies if one.available)
    yield from (("target", one.slug) for one in choices.targets)
    yield from (("use", use.kind, use.slug) for use in choices.uses if use.available)
    yield from (("surrender",) for _allowed in range(choices.may_surrender))


def has_nothing_to_decide(battle: BattleState) -> bool:
    """Whether this is a ranged phase in which nobody can shoot, use anything or withdraw (PF-3.2)."""
    if battle.phase.kind != RANGED:
        return False
    return not any(_can_do_something(battle, army) for army in battle.on_field())


def _can_do_something(battle: BattleState, army: ArmyInBattle) -> bool:
    view = ArmyView(battle, army)
    shoots = (can_shoot(view) and wind_allows(view)) or bool(army.engines and battle.forts)
    busy = bool(army.marks) or army.tactic == LEAVES or army.id in battle.orders
    return shoots or busy or any(use.available for use in army_choices(battle, army).uses)
