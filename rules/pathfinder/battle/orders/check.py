"""Check of orders. Everything is checked when it is given, so nothing is lost at the table."""

from __future__ import annotations

from rules.core.errors import IllegalCommand, InvalidInput, demand, require
from rules.core.text import Said, _
from rules.pathfinder.battle.orders.commands import Viewer
from rules.pathfinder.battle.orders.options import (
    cannot_act,
    option_choices,
    range_refusal,
    strategy_refusal,
    surrender_refusal,
    tactic_refusal,
    target_refusal,
    use_refusal,
    use_target_refusal,
    uses_of,
)
from rules.pathfinder.battle.state.battle_state import KEEP, PHASES, TACTICS, ArmyInBattle, BattleState, Order, UseOrder
from rules.pathfinder.catalogue import traits as t


def check_order(battle: BattleState, order: Order, viewer: Viewer) -> None:
    """Raise InvalidInput for what does not exist, IllegalCommand for what is not possible now."""
    demand(order.army in battle.armies, _("There is no such army in this battle."), field="/army")
    army = battle.armies[order.army]
    require(viewer.commands(order.army), _("You do not command {army}."), field="/army", army=army.name)
    require(battle.phase.kind in (TACTICS, *PHASES), _("No orders are taken in this phase."))
    _refuse_if(cannot_act(battle, army), "/army")
    _check_stance(battle, army, order)
    if battle.phase.kind == TACTICS:
        plain = order.strategy is None and order.target == KEEP and not order.use
        require(plain, _("In the tactics phase only a tactic is chosen."))
    if order.target not in (None, KEEP):
        demand(order.target in battle.armies, _("There is no such army in this battle."), field="/target")
        demand(order.target in battle.armies, _("There is no such army in this battle."), field="/target")
        _refuse_if(target_refusal(battle, army, str(order.target)), "/target")
    _check_words(order)
    has_line = t.HOLDS_THE_LINE in army.profile.traits
    require(has_line or not order.hold_the_line, _("{army} has no commander who holds the line."),
            field="/hold_the_line", army=army.name)  # fmt: skip
    if order.surrender:
        _refuse_if(surrender_refusal(battle, army), "/surrender")
    if order.stay_at_range:
        _refuse_if(range_refusal(battle, army), "/stay_at_range")
    _check_uses(battle, army, order)


def _check_stance(battle: BattleState, army: ArmyInBattle, order: Order) -> None:
    if order.tactic is not None:
        demand(
            order.tactic in battle.law.tactics, _("There is no tactic “{slug}”."), field="/tactic", slug=order.tactic
        )
        _refuse_if(tactic_refusal(battle, army, order.tactic), "/tactic")
    if order.strategy is not None:
        known = order.strategy in battle.law.strategies
        demand(known, _("There is no strategy “{slug}”."), field="/strategy", slug=order.strategy)
        _refuse_if(strategy_refusal(battle, army, order.strategy), "/strategy")


def _check_words(order: Order) -> None:
    demand(order.withdraw in ("leave", "range"), _("Withdraw to leave or to keep at range."), field="/withdraw")
    demand(order.spawn in ("heal", "army"), _("Spawn to heal or to raise an army."), field="/spawn")


def _check_uses(battle: BattleState, army: ArmyInBattle, order: Order) -> None:
    seen: set[tuple[str, str]] = set()
    drinks = 0
    for index, ordered in enumerate(order.use):
        at = f"/use/{index}"
        require((ordered.kind, ordered.slug) not in seen, _("The same use is ordered twice."), field=at)
        seen.add((ordered.kind, ordered.slug))
        drinks += _check_use(battle, army, order, ordered, at)
        require(drinks < 2, _("An army drinks once in a phase."), field=at)


def _check_use(battle: BattleState, army: ArmyInBattle, order: Order, ordered: UseOrder, at: str) -> bool:
    """Refuse the use or say whether it is a drink."""
    found = [u for u in uses_of(battle, army, order.tactic) if (u.kind, u.source.slug) == (ordered.kind, ordered.slug)]
    catalogue = {"ability": battle.law.abilities, "resource": battle.law.resources, "boon": battle.law.boons,
                 "tactic": battle.law.tactics}.get(ordered.kind, {})  # fmt: skip
    demand(ordered.slug in catalogue, _("There is nothing called “{slug}” to use."), field=at, slug=ordered.slug)
    require(found, _("{army} has no such use: {use}."), field=at, army=army.name, use=catalogue[ordered.slug].name)
    use = found[0]
    _refuse_if(use_refusal(battle, army, use), at)
    options = option_choices(army, use)
    demand(not options or ordered.option in options, _("Choose one of: {choices}."),
           field=f"{at}/option", choices=", ".join(options))  # fmt: skip
    demand(options or not ordered.option, _("This use has no options."), field=f"{at}/option")
    _check_use_target(battle, army, order, ordered, at)
    return use.use.drink


def _check_use_target(battle: BattleState, army: ArmyInBattle, order: Order, ordered: UseOrder, at: str) -> None:
    use = next(
        u for u in uses_of(battle, army, order.tactic) if (u.kind, u.source.slug) == (ordered.kind, ordered.slug)
    )
    if not use.use.target:
        demand(not ordered.target, _("This use names no army."), field=f"{at}/target")
        return
    fallback = army.id if use.use.target == "ally" else army.target
    if use.use.target == "enemy" and order.target not in (None, KEEP):
        fallback = order.target
    wanted = ordered.target or fallback or ""
    demand(wanted, _("Name the army this concerns."), field=f"{at}/target")
    if wanted not in battle.armies:
        raise InvalidInput(_("There is no such army in this battle."), f"{at}/target")
    _refuse_if(use_target_refusal(battle, army, use, battle.armies[wanted]), f"{at}/target")


def _refuse_if(said: Said | None, field: str) -> None:
    if said is not None:
        raise IllegalCommand(said, field)
