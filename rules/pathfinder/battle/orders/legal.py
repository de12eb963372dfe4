"""Legal orders: what each viewer may do now, and the check of orders."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from rules.core.breakdown import Breakdown
from rules.core.errors import IllegalCommand, InvalidInput, demand, require
from rules.core.text import Message, Said, Term, _, say, signed
from rules.pathfinder.battle.orders.commands import Viewer
from rules.pathfinder.battle.orders.options import (
    STRATEGY_DC,
    TACTIC_DC,
    cannot_act,
    option_choices,
    range_refusal,
    strategy_is_free,
    strategy_refusal,
    surrender_refusal,
    tactic_is_free,
    tactic_refusal,
    tactics_now,
    target_refusal,
    use_refusal,
    use_target_refusal,
    use_targets,
    uses_left,
    uses_of,
    why_it_stays,
)
from rules.pathfinder.battle.state.battle_state import (
    AFTERMATH,
    CLOSED,
    KEEP,
    MELEE,
    PHASES,
    RANGED,
    SETUP,
    TACTICS,
    ArmyInBattle,
    BattleState,
    Order,
    UseOrder,
)
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Mode, Situation
from rules.pathfinder.figures import UseOf, dv_lines, morale_lines, om_lines
from rules.pathfinder.sheet import army_sheet

# Orders are checked when they are given, so that no phase is lost by a bad one.


def check_order(battle: BattleState, order: Order, viewer: Viewer) -> None:
    """Check an order. Raises `InvalidInput` for unknown ids and slugs, `IllegalCommand` for an order that is not
    possible now.
    """
    demand(order.army in battle.armies, _("This army isn’t in this battle."), field="/army")
    army = battle.armies[order.army]
    require(
        viewer.commands(order.army),
        _("You don’t command {army}. Ask its commander or the GM."),
        field="/army",
        army=army.name,
    )
    require(battle.phase.kind in (TACTICS, *PHASES), _("Armies don’t take orders in this phase."))
    _refuse_if(cannot_act(battle, army), "/army")
    _check_stance(battle, army, order)
    if battle.phase.kind == TACTICS:
        plain = order.strategy is None and order.target == KEEP and not order.use
        require(plain, _("In the tactics phase you can only choose a tactic."))
    if order.target not in (None, KEEP):
        demand(order.target in battle.armies, _("This army isn’t in this battle."), field="/target")
        demand(order.target in battle.armies, _("This army isn’t in this battle."), field="/target")
        _refuse_if(target_refusal(battle, army, str(order.target)), "/target")
    _check_words(order)
    has_line = t.HOLDS_THE_LINE in army.profile.traits
    require(has_line or not order.hold_the_line, _("The commander of {army} doesn’t have the boon Hold the line."),
            field="/hold_the_line", army=army.name)  # fmt: skip
    if order.surrender:
        _refuse_if(surrender_refusal(battle, army), "/surrender")
    if order.stay_at_range:
        _refuse_if(range_refusal(battle, army), "/stay_at_range")
    _check_uses(battle, army, order)


def _check_stance(battle: BattleState, army: ArmyInBattle, order: Order) -> None:
    if order.tactic is not None:
        demand(order.tactic in battle.law.tactics, _("Tactic “{slug}” not found."), field="/tactic", slug=order.tactic)
        _refuse_if(tactic_refusal(battle, army, order.tactic), "/tactic")
    if order.strategy is not None:
        known = order.strategy in battle.law.strategies
        demand(known, _("Strategy “{slug}” not found."), field="/strategy", slug=order.strategy)
        _refuse_if(strategy_refusal(battle, army, order.strategy), "/strategy")


def _check_words(order: Order) -> None:
    demand(
        order.withdraw in ("leave", "range"), _("Choose whether to withdraw or to stay at range."), field="/withdraw"
    )
    demand(
        order.spawn in ("heal", "army"),
        _("Choose whether Create spawn heals the army or raises a new one."),
        field="/spawn",
    )


def _check_uses(battle: BattleState, army: ArmyInBattle, order: Order) -> None:
    seen: set[tuple[str, str]] = set()
    drinks = 0
    for index, ordered in enumerate(order.use):
        at = f"/use/{index}"
        require((ordered.kind, ordered.slug) not in seen, _("The same action is ordered twice. Remove one."), field=at)
        seen.add((ordered.kind, ordered.slug))
        drinks += _check_use(battle, army, order, ordered, at)
        require(drinks < 2, _("An army can only drink one potion per phase."), field=at)


def _check_use(battle: BattleState, army: ArmyInBattle, order: Order, ordered: UseOrder, at: str) -> bool:
    """Check one use of an order. Returns whether it drinks a potion."""
    found = [u for u in uses_of(battle, army, order.tactic) if (u.kind, u.source.slug) == (ordered.kind, ordered.slug)]
    catalogue = {"ability": battle.law.abilities, "resource": battle.law.resources, "boon": battle.law.boons,
                 "tactic": battle.law.tactics}.get(ordered.kind, {})  # fmt: skip
    demand(ordered.slug in catalogue, _("“{slug}” isn’t something an army can use."), field=at, slug=ordered.slug)
    require(found, _("{army} can’t use {use}."), field=at, army=army.name, use=catalogue[ordered.slug].name)
    use = found[0]
    _refuse_if(use_refusal(battle, army, use), at)
    options = option_choices(army, use)
    demand(not options or ordered.option in options, _("Choose one of: {choices}."),
           field=f"{at}/option", choices=", ".join(options))  # fmt: skip
    demand(options or not ordered.option, _("Leave the option empty for this action."), field=f"{at}/option")
    _check_use_target(battle, army, order, ordered, at)
    return use.use.drink


def _check_use_target(battle: BattleState, army: ArmyInBattle, order: Order, ordered: UseOrder, at: str) -> None:
    use = next(
        u for u in uses_of(battle, army, order.tactic) if (u.kind, u.source.slug) == (ordered.kind, ordered.slug)
    )
    if not use.use.target:
        demand(not ordered.target, _("Leave the target empty for this action."), field=f"{at}/target")
        return
    fallback = army.id if use.use.target == "ally" else army.target
    if use.use.target == "enemy" and order.target not in (None, KEEP):
        fallback = order.target
    wanted = ordered.target or fallback or ""
    demand(wanted, _("Choose an army for this action."), field=f"{at}/target")
    if wanted not in battle.armies:
        raise InvalidInput(_("This army isn’t in this battle."), f"{at}/target")
    _refuse_if(use_target_refusal(battle, army, use, battle.armies[wanted]), f"{at}/target")


def _refuse_if(said: Said | None, field: str) -> None:
    if said is not None:
        raise IllegalCommand(said, field)


# Legal commands, for the pages' buttons and the API's `legal`.


class OrderChoice(NamedTuple):
    """Option of an order. `why` says why it is not available. `note` is its cost ("morale check DC 15"), `price` the
    same in a word or two, `means` its effect on figures.
    """

    slug: str
    label: Said
    available: bool = True
    why: Said | None = None
    note: Said | None = None
    current: bool = False
    price: Said | None = None
    means: Said | None = None


class UseChoice(NamedTuple):
    kind: str
    slug: str
    label: Said
    summary: Said
    available: bool
    why: Said | None
    left: int | None
    options: tuple[OrderChoice, ...]
    targets: tuple[OrderChoice, ...]
    needs_target: bool


@dataclass(frozen=True, slots=True)
class ArmyChoices:
    army: str
    tactics: tuple[OrderChoice, ...]
    strategies: tuple[OrderChoice, ...]
    targets: tuple[OrderChoice, ...]
    uses: tuple[UseChoice, ...]
    may_hold_the_line: bool
    may_let_go: bool
    may_keep_range: bool
    may_spawn: bool
    may_surrender: bool
    may_stay_at_range: bool
    current: Order | None
    why_not: Said | None = None
    why_it_stays: Said | None = None


@dataclass(frozen=True, slots=True)
class LegalNow:
    commands: tuple[str, ...]
    armies: tuple[ArmyChoices, ...]


@dataclass(frozen=True, slots=True)
class BattleFigures:
    """Current figures of an army, without a target."""

    om: Breakdown
    dv: Breakdown
    morale_check: Breakdown


GM_COMMANDS = {
    SETUP: ("next", "condition", "reinforce", "override", "end"),
    TACTICS: ("order", "resolve", "condition", "reinforce", "override", "interrupt", "end"),
    RANGED: ("order", "resolve", "condition", "reinforce", "override", "interrupt", "end"),
    MELEE: ("order", "resolve", "ranged", "condition", "reinforce", "override", "interrupt", "end"),
    AFTERMATH: ("aftermath",),
    CLOSED: (),
}

MODES: dict[str, Mode] = {MELEE: "melee", RANGED: "shot"}


def figures(battle: BattleState, army_id: str) -> BattleFigures:
    """Return current OM, DV and morale check, without a target (R-5)."""
    s = Situation(ArmyView(battle, battle.armies[army_id]), None, MODES.get(battle.phase.kind))
    return BattleFigures(Breakdown(om_lines(s)), Breakdown(dv_lines(s)), Breakdown(morale_lines(s)))


def figures_shown(battle: BattleState, army_id: str) -> dict[str, Breakdown]:
    """Return the figures of `figures` by name, with the army's weekly Consumption in BP (PF-1.7)."""
    found = figures(battle, army_id)
    cost = army_sheet(battle.law, battle.armies[army_id].spec).consumption
    return {"om": found.om, "dv": found.dv, "morale_check": found.morale_check, "consumption": cost}


def awaiting(battle: BattleState) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return the armies without orders in this phase, and what they may order."""
    what = {TACTICS: ("tactic",), RANGED: ("tactic", "target"), MELEE: ("tactic", "strategy", "target")}
    if battle.phase.kind not in what:
        return ()
    silent = (a for a in battle.on_field() if a.id not in battle.orders and cannot_act(battle, a) is None)
    return tuple((army.id, what[battle.phase.kind]) for army in silent)


def legal(battle: BattleState, viewer: Viewer) -> LegalNow:
    """Return the commands open to this viewer, and the choices of the armies they command."""
    mine = [army for army in battle.on_field() if viewer.commands(army.id)]
    orders = battle.phase.kind in (TACTICS, *PHASES)
    by_player = ("order",) if orders and mine else ()
    commands = GM_COMMANDS[battle.phase.kind] if viewer.gm else by_player
    return LegalNow(commands, tuple(army_choices(battle, army) for army in mine) if orders else ())


def army_choices(battle: BattleState, army: ArmyInBattle) -> ArmyChoices:
    why_not = cannot_act(battle, army)
    fighting = battle.phase.kind in PHASES and why_not is None
    return ArmyChoices(
        army.id,
        tactics=_tactics(battle, army),
        strategies=_strategies(battle, army) if fighting and battle.phase.kind == MELEE else (),
        targets=tuple(_army_choice(foe, foe.id == army.target) for foe in battle.enemies(army)) if fighting else (),
        uses=tuple(_use(battle, army, use) for use in _all_uses(battle, army)) if fighting else (),
        may_hold_the_line=t.HOLDS_THE_LINE in army.profile.traits and fighting,
        may_let_go=fighting,
        may_keep_range=fighting,
        may_spawn=t.SPAWNS in army.profile.traits and fighting,
        may_surrender=fighting and surrender_refusal(battle, army) is None,
        may_stay_at_range=fighting and range_refusal(battle, army) is None,
        current=battle.orders.get(army.id),
        why_not=why_not,
        why_it_stays=why_it_stays(battle, army),
    )


def _all_uses(battle: BattleState, army: ArmyInBattle) -> tuple[UseOf, ...]:
    """Return the army's own uses, and those of the tactics that it could adopt with this order."""
    found = list(uses_of(battle, army))
    for slug in tactics_now(battle, army):
        for use in uses_of(battle, army, slug):
            if use.kind == "tactic" and slug != army.tactic and tactic_refusal(battle, army, slug) is None:
                found.append(use)
    return tuple(found)


def _tactics(battle: BattleState, army: ArmyInBattle) -> tuple[OrderChoice, ...]:
    return tuple(_tactic(battle, army, slug) for slug in tactics_now(battle, army))


def _tactic(battle: BattleState, army: ArmyInBattle, slug: str) -> OrderChoice:
    current, why = slug == army.tactic, tactic_refusal(battle, army, slug)
    free = current or tactic_is_free(battle, army, slug)
    note: Said | None = None if free or why else say(_("morale check DC {dc}"), dc=TACTIC_DC)
    if slug == "withdraw" and why is None:
        note = why_it_stays(battle, army)
    return OrderChoice(slug, battle.law.tactics[slug].name, why is None, why, note, current)


def _strategies(battle: BattleState, army: ArmyInBattle) -> tuple[OrderChoice, ...]:
    return tuple(_strategy(battle, army, slug) for slug in battle.law.strategies)


def _strategy(battle: BattleState, army: ArmyInBattle, slug: str) -> OrderChoice:
    strategy, current = battle.law.strategies[slug], slug == army.strategy
    why = strategy_refusal(battle, army, slug)
    checked = why is None and not strategy_is_free(battle, army, slug)
    note = say(_("morale check DC {dc}"), dc=STRATEGY_DC) if checked else None
    price = say(_("DC {dc}"), dc=STRATEGY_DC) if checked else _("unchanged") if current else _("no morale check")
    means = (
        say(_("OM {om} · DV {dv}"), om=signed(strategy.om), dv=signed(strategy.dv))
        if strategy.om or strategy.dv
        else None
    )
    return OrderChoice(slug, strategy.name, why is None, why, note, current, price if why is None else None, means)


def _army_choice(army: ArmyInBattle, current: bool = False) -> OrderChoice:
    return OrderChoice(army.id, Message(Term("{name}"), {"name": army.name}), current=current)


def _use(battle: BattleState, army: ArmyInBattle, use: UseOf) -> UseChoice:
    why = use_refusal(battle, army, use)
    named = use_targets(battle, army, use.use)
    targets = tuple(_army_choice(foe) for foe in named if use_target_refusal(battle, army, use, foe) is None)
    if why is None and use.use.target and not targets:
        why = _("No army here can be chosen.")
    return UseChoice(
        use.kind, use.source.slug, use.source.name, use.source.summary, why is None, why, uses_left(army, use),
        tuple(OrderChoice(slug, OPTION_LABELS.get(slug) or battle.law.abilities[slug].name)
              for slug in option_choices(army, use)),
        targets, bool(use.use.target),
    )  # fmt: skip


OPTION_LABELS: dict[str, Term] = {
    "ranged": _("with ranged attacks"),
    "melee": _("with melee attacks"),
    "damage": _("damage +1"),
    "defense": _("DV +1"),
    "heal": _("heal"),
    "magic": _("magical attacks"),
    "end": _("return to its own form"),
}
