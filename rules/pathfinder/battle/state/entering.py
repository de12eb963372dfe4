"""Entry of an army into a battle from its sheet, and the opening state."""

from __future__ import annotations

from dataclasses import replace

from rules.pathfinder.battle.state.battle_state import (
    ArmyInBattle,
    BattleState,
    Entered,
    Fort,
    Mark,
    Opening,
    Part,
    Phase,
    SetCondition,
    Side,
    changed,
)
from rules.pathfinder.catalogue.conditions import DEFAULT_DEFENSE
from rules.pathfinder.figures import compile_profile
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import abilities_now, rating_of
from rules.pathfinder.size import hit_points
from rules.pathfinder.spec import AbilityChoice, ArmySpec

FORTIFICATION = "fortification"


def figures_of(law: Rulebook, spec: ArmySpec) -> Entered:
    """Return the army's figures by the current law. Hit points are those of its sheet, at most the maximum."""
    size, acr = rating_of(spec)
    hp_max = hit_points(acr, spec.unit.hit_die)
    return Entered(
        acr=acr.floor,
        rank=size.rank,
        hp=hp_max if spec.hp is None else min(spec.hp, hp_max),
        hp_max=hp_max,
        engines=0 if law.resources["siege-engines"].off else spec.resources.get("siege-engines", 0),
    )


def enter_field(law: Rulebook, spec: ArmySpec, side: int, figures: Entered, *, fresh: bool = False) -> ArmyInBattle:
    """Return the army on its side at full readiness, with the figures stored at its entry."""
    return ArmyInBattle(
        id=spec.id,
        side=side,
        spec=spec,
        acr=figures.acr,
        rank=figures.rank,
        hp=figures.hp,
        hp_max=figures.hp_max,
        morale=spec.morale,
        profile=compile_profile(law, spec, spec.unit.abilities),
        engines=figures.engines,
        marks=(Mark("fresh"),) if fresh else (),
    )


def recompile(law: Rulebook, army: ArmyInBattle) -> ArmyInBattle:
    """Return the army with its sources of figures recompiled, after a change of shape, abilities or engines."""
    resources = {**army.spec.resources, "siege-engines": army.engines}
    spec = replace(army.spec, resources=resources)  # a spec has no __dict__, so `changed` cannot copy it
    gained, lost = army.gained, army.lost
    if (shape := army.mark("shape")) is not None and shape.detail:
        gained, lost = (*gained, AbilityChoice(shape.detail)), lost | {"spellcasting"}
    return changed(army, profile=compile_profile(law, spec, abilities_now(spec, gained, lost)))


def opening_state(law: Rulebook, opening: Opening) -> BattleState:
    """Return the state before the first event. Never refuses; the opening was checked when it was stored."""
    side_of = {army: index for index, side in enumerate(opening.sides) for army in side.armies}
    armies = {
        spec.id: enter_field(law, spec, side_of[spec.id], opening.entered.get(spec.id) or figures_of(law, spec))
        for spec in opening.armies
    }
    battle = BattleState(law, opening, Phase("setup"), opening.sides, armies)
    for condition in opening.conditions:
        if condition.condition == FORTIFICATION:  # two of the same armies add
            forts = (*battle.forts, fort_of(battle, condition))
            battle = changed(battle, conditions=(*battle.conditions, condition), forts=forts)
        else:
            battle = with_condition(battle, condition)
    return battle


def same_place(left: SetCondition, right: SetCondition) -> bool:
    """Whether both are the same condition of the same armies, in any order."""
    return left.condition == right.condition and set(left.armies) == set(right.armies)


def with_condition(battle: BattleState, condition: SetCondition) -> BattleState:
    """Return the battle with the condition in force, replacing the same one of the same armies. A fortification keeps
    the wear of those it replaces (R-14, R-15).
    """
    lifted = without_condition(battle, condition)
    conditions, forts = (*lifted.conditions, condition), lifted.forts
    if condition.condition == FORTIFICATION:
        replaced = tuple(fort for fort in battle.forts if fort not in forts)
        forts = (*forts, fort_of(battle, condition, replaced))
    return changed(battle, conditions=conditions, forts=forts, memo={})


def without_condition(battle: BattleState, condition: SetCondition) -> BattleState:
    kept = tuple(held for held in battle.conditions if not same_place(held, condition))
    forts = battle.forts
    if condition.condition == FORTIFICATION:
        forts = tuple(fort for fort in forts if set(fort.armies) != set(condition.armies))
    return changed(battle, conditions=kept, forts=forts, memo={})


def fort_of(battle: BattleState, condition: SetCondition, replaced: tuple[Fort, ...] = ()) -> Fort:
    """Return the fortification that a condition describes. Defaults: stone, worth 8 (PF-4, R-14)."""
    value = DEFAULT_DEFENSE if condition.value is None else int(condition.value)
    parts = condition.parts or (Part(value=value),)
    name = replaced[0].id if replaced else _free_name(battle)
    return Fort(name, condition.armies, parts, sum(fort.worn for fort in replaced), condition.exempt)


def _free_name(battle: BattleState) -> str:
    """Return an unused fortification id, also different from lifted ones that somebody has dug under."""
    taken = {fort.id for fort in battle.forts}
    taken |= {mark.other for army in battle.armies.values() for mark in army.marks if mark.kind == "burrowed"}
    return next(name for number in range(1, len(taken) + 2) if (name := f"fort-{number}") not in taken)


def with_army(battle: BattleState, army: ArmyInBattle) -> BattleState:
    sides = tuple(
        Side(side.name, (*side.armies, army.id)) if index == army.side else side
        for index, side in enumerate(battle.sides)
    )
    return changed(battle, sides=sides, armies={**battle.armies, army.id: army})
