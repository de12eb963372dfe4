"""Phase of a battle from its first step to its last (PF-3.4, PF-3.5)."""

from __future__ import annotations

from rules.pathfinder.battle.orders.options import (
    STRATEGY_DC,
    TACTIC_DC,
    fort_to_dig,
    option_choices,
    strategy_is_free,
    strategy_refusal,
    tactic_is_free,
    tactic_refusal,
    use_refusal,
    use_target_refusal,
    uses_of,
)
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import FIGHTING, MELEE, ArmyInBattle, Mark, SetCondition, UseOrder
from rules.pathfinder.battle.steps.ends import conclude, defeat_and_rout, end_phase, linger
from rules.pathfinder.battle.steps.opposed import lost_attacks, plan_attacks, taunt, wear_down_walls, withdraw
from rules.pathfinder.battle.steps.run import PhaseRun, PlannedAttacks, healed
from rules.pathfinder.battle.steps.strike import aftereffects, attack, hold_and_trip, weather
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Situation
from rules.pathfinder.figures import UseOf

# Calm melee phases, most of them, in which only blows, weather, defeat and rout can happen.
#
# Steps 1 to 5, after-effects of damage and the end of the phase depend only on orders, marks, walls and a few traits.
# If none of these is on the field, the steps are skipped. The events are the same
# (`tests/rules/pathfinder/battle/steps/test_calm.py`), at a third of the cost.


def calm_plan(run: PhaseRun) -> PlannedAttacks | None:
    """Return the plan of a calm phase, in which every army attacks its previous target. None if anything else could
    happen.
    """
    battle, armies = run.draft.battle, run.draft.armies
    if run.orders or battle.forts or run.phase.kind != MELEE:
        return None
    tactics = battle.law.tactics
    plan: PlannedAttacks = []
    for army in run.draft.on_field():
        foe = armies.get(army.target) if army.target else None
        if foe is None or foe.status != FIGHTING or foe.side == army.side:
            return None
        if army.marks or army.hp == 0 or army.profile.acts:
            return None
        if army.tactic != "standard" and not t.ACTS.isdisjoint(tactics[army.tactic].traits):
            return None
        plan.append((army.id, foe.id, "melee"))
    return plan


# Steps 2 and 3: changes of tactic and strategy (PF-3.5, PF-3.7).


def change_tactics(run: PhaseRun) -> None:
    if not run.orders:
        return
    for army in run.acting():
        wanted = run.order(army.id).tactic
        if wanted is not None and wanted != army.tactic and tactic_refusal(run.draft.battle, army, wanted) is None:
            _change_tactic(run, army, wanted)


def _change_tactic(run: PhaseRun, army: ArmyInBattle, wanted: str) -> None:
    if tactic_is_free(run.draft.battle, army, wanted):
        run.emit(e.TacticChosen(army.id, wanted, True))
        return
    success, told = run.check(army, "tactic", "tactic", TACTIC_DC)
    run.emit(e.TacticChosen(army.id, wanted, success, **told))  # type: ignore[arg-type]
    run.doom(army, success)


def change_strategies(run: PhaseRun) -> None:
    if not run.melee or not run.orders:
        return
    for army in run.acting():
        wanted = run.order(army.id).strategy
        if wanted is not None and wanted != army.strategy and strategy_refusal(run.draft.battle, army, wanted) is None:
            _change_strategy(run, army, wanted)


def _change_strategy(run: PhaseRun, army: ArmyInBattle, wanted: str) -> None:
    if strategy_is_free(run.draft.battle, army, wanted):
        run.emit(e.StrategyChosen(army.id, wanted, True))
        return
    success, told = run.check(army, "strategy", "strategy", STRATEGY_DC)
    run.emit(e.StrategyChosen(army.id, wanted, success, **told))  # type: ignore[arg-type]
    run.doom(army, success)


# Step 4: targets and declared uses take effect together, healing first (PF-3.5).


def declare(run: PhaseRun) -> None:
    _lay_down_arms(run)
    seekers = _take_aim(run)
    for army in run.acting() if run.orders else ():
        for order in run.order(army.id).use:
            _use(run, run.army(army.id), order)
    while (run.melee and _hover(run)) | _seek_again(run, seekers):
        pass  # an army without a reachable enemy holds, and a flyer that holds is itself out of reach


def _lay_down_arms(run: PhaseRun) -> None:
    """Mark the armies that surrender. They do nothing in this phase and are captured at its end (R-88)."""
    for army in run.acting() if run.orders else ():
        if run.order(army.id).surrender:
            run.mark(army.id, Mark("surrendering", at=run.tick), "R-88")


def _take_aim(run: PhaseRun) -> list[str]:
    """Choose every army's target. Returns the armies that had to find one."""
    seekers = []
    for army in run.acting():
        if run.seeks(army):
            seekers.append(army.id)
        target = run.target_of(army)
        if target != army.target:
            run.emit(e.TargetChosen(army.id, target))
    return seekers


def _seek_again(run: PhaseRun, seekers: list[str]) -> bool:
    """Let seekers whose target burrows or hovers choose another one (PF-3.5). Returns whether any did."""
    turned = False
    for army in map(run.army, seekers):
        foe = run.army(army.target) if army.target else None
        if foe is not None and run.out_of_reach(army, foe, run.everyday):
            run.emit(e.TargetChosen(army.id, run.first_foe(army)))
            turned = True
    return turned


def _use(run: PhaseRun, army: ArmyInBattle, order: UseOrder) -> None:
    """Carry out one use if it is still possible. A tactic that was not adopted gives no use."""
    battle = run.draft.frozen()
    found = [u for u in uses_of(battle, army) if (u.kind, u.source.slug) == (order.kind, order.slug)]
    if not found or use_refusal(battle, army, found[0]) is not None:
        return
    use = found[0]
    target = run.draft.armies.get(order.target or _default_target(army, use)) if use.use.target else None
    if use.use.target and (target is None or use_target_refusal(battle, army, use, target) is not None):
        return
    if order.option and order.option not in option_choices(army, use):
        return
    run.emit(e.Used(army.id, order.kind, order.slug, order.option, target.id if target else "", use.source.rule))
    _take_effect(run, army, use, order.option, target)


def _default_target(army: ArmyInBattle, use: UseOf) -> str:
    return army.id if use.use.target == "ally" else army.target or ""


def _take_effect(run: PhaseRun, army: ArmyInBattle, use: UseOf, option: str, target: ArmyInBattle | None) -> None:
    match use.source.slug:
        case "wild-shape":
            run.emit(e.ShapeEnded(army.id) if option == "end" else e.ShapeTaken(army.id, option))
            return
        case "inspire-courage":
            _inspire(run, army, use, target or army)
            return
    if (bars := use.use.bars) is not None:
        run.mark(army.id, Mark(bars.mark, at=run.tick), bars.rule)
    _mark(run, army, use, option, target)
    _heal(run, army, use, option)
    if use.use.condition:
        run.emit(e.ConditionSet(SetCondition(use.use.condition), by=army.id, rule="PF-9"))
    if use.source.slug == "rage":
        _calm_no_more(run, army)


def _mark(run: PhaseRun, army: ArmyInBattle, use: UseOf, option: str, target: ArmyInBattle | None) -> None:
    if not use.use.mark:
        return
    at = {"phase": run.tick, "next": run.tick + 1, "battle": None}[use.use.lasts]
    source = use.source.slug if use.kind == "ability" else ""
    if use.use.on_target and target is not None:
        mark = Mark(use.use.mark, army.id, at, option, source=source)
        run.mark(target.id, mark, use.source.rule, by=army.id)
        return
    other, detail = (target.id if target else ""), option or use.source.slug
    if use.use.mark == "burrowing" and target is not None:
        fort = fort_to_dig(run.draft.frozen(), army, target)
        other, detail = (fort.id if fort else ""), target.id
    run.mark(army.id, Mark(use.use.mark, other, at, detail, source=source), use.source.rule)


def _heal(run: PhaseRun, army: ArmyInBattle, use: UseOf, option: str) -> None:
    """Heal before attacks, at least 1 hit point (PF-3.5, R-22)."""
    amounts = []
    s = Situation(run.view(army.id))
    if use.use.heal is not None:
        amounts.append(use.use.heal(s, 0))
    if use.use.drink and t.TRIAGE in army.profile.traits:
        amounts.append(army.acr // 2)
    if use.source.slug == "judgment" and option == "heal":
        amounts.append(army.acr // 2)
    now = run.army(army.id)
    if not amounts or now.mark("last-stand") is not None:
        return
    after = healed(now.hp, now.hp_max, sum(max(1, amount) for amount in amounts))
    run.emit(e.Healed(army.id, after - now.hp, use.source.slug, now.hp, after, use.source.rule))


def _inspire(run: PhaseRun, army: ArmyInBattle, use: UseOf, target: ArmyInBattle) -> None:
    """Inspire this ally, and no longer the previous one (R-25)."""
    for held in run.draft.on_field():
        if any(mark.kind == "inspired" and mark.other == army.id for mark in held.marks):
            run.emit(e.Unmarked(held.id, "inspired", army.id, rule="R-25"))
    if run.army(army.id).mark("sings-for-ally") is not None:
        run.emit(e.Unmarked(army.id, "sings-for-ally", rule="R-25"))
    if target.id == army.id:
        return
    run.mark(target.id, Mark("inspired", army.id, source="inspire-courage"), "R-25", by=army.id)
    if use.use.self_mark:
        run.mark(army.id, Mark(use.use.self_mark), "R-25")


def _calm_no_more(run: PhaseRun, army: ArmyInBattle) -> None:
    """Change a tactic or strategy that rage bars to standard, at once and without a check (R-23)."""
    now, law = run.army(army.id), run.draft.battle.law
    if law.tactics[now.tactic].careful:
        run.emit(e.TacticChosen(army.id, "standard", True, automatic=True, rule="R-23"))
    if law.strategies[now.strategy].careful:
        run.emit(e.StrategyChosen(army.id, "standard", True, automatic=True, rule="R-23"))


def _hover(run: PhaseRun) -> bool:
    """Let flyers that make no attack hover, out of reach of armies on the ground (R-26). Returns whether another one
    did.
    """
    rose = False
    for army in run.acting():
        idle = t.FLIES in army.profile.traits and (army.target is None or run.barred(army))
        if idle and army.mark("hovering", run.tick) is None:
            run.mark(army.id, Mark("hovering", at=run.tick), "R-26")
            rose = True
    return rose


def resolve_tactics(run: PhaseRun) -> None:
    """Adopt every ordered tactic without a check. An ambushed army stays on standard (PF-3.3, PF-3.4)."""
    battle = run.draft.battle
    for army in battle.on_field():
        wanted = run.order(army.id).tactic
        if wanted is None or wanted == army.tactic or army.id in battle.ambushed:
            continue
        if tactic_refusal(battle, army, wanted) is None:  # needs may be lost since the order
            run.emit(e.TacticChosen(army.id, wanted, True, rule="PF-3.4"))
    conclude(run)


def resolve_phase(run: PhaseRun) -> None:
    """Resolve a ranged or melee phase, step by step (PF-3.5)."""
    calm = come_to_blows(run)  # steps 1 to 5
    if not calm:
        hold_and_trip(run)
    attack(run)  # step 6
    if not calm:
        aftereffects(run)  # step 7
    weather(run)  # 8
    defeat_and_rout(run)  # 9, 10
    if calm:
        conclude(run)
    else:
        end_phase(run)  # 11


def come_to_blows(run: PhaseRun) -> bool:
    """Resolve steps 1 to 5: everything before the blows. Returns whether the phase is calm."""
    if (plan := calm_plan(run)) is not None:
        run.plan = plan
        return True
    carry_out_orders(run)  # steps 1 to 4
    taunt(run)  # step 5
    run.dice.checkpoint()
    plan_attacks(run)
    lost_attacks(run)
    withdraw(run)
    wear_down_walls(run)
    return False


def carry_out_orders(run: PhaseRun) -> None:
    """Resolve steps 1 to 4: lasting effects, then all orders."""
    linger(run)  # step 1
    change_tactics(run)  # step 2
    change_strategies(run)  # step 3
    run.dice.checkpoint()
    declare(run)  # step 4
