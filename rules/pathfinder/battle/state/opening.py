"""Opening of a battle: its check, its battlefield conditions (PF-3.2, PF-4), and the entry of armies from their
sheets.
"""

from __future__ import annotations

from dataclasses import replace

from rules.core.content import SWITCHED_OFF
from rules.core.errors import Fault, InvalidInput
from rules.core.text import Said, Term, _, say
from rules.pathfinder.battle.state.battle_state import (
    Ambush,
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
from rules.pathfinder.catalogue.conditions import DEFAULT_DEFENSE, MATERIALS, PART_KINDS, WINDS
from rules.pathfinder.figures import compile_profile
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import abilities_now, army_sheet, hp_max_of, rating_of
from rules.pathfinder.spec import AbilityChoice, ArmySpec

# Entry of an army into a battle from its sheet, and the opening state.

FORTIFICATION = "fortification"


def figures_of(law: Rulebook, spec: ArmySpec) -> Entered:
    """Return the army's figures by the current law. Hit points are those of its sheet, at most the maximum."""
    size, acr = rating_of(spec)
    hp_max = hp_max_of(spec, acr)
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
        if condition.condition == FORTIFICATION:  # two fortifications of the same armies add up
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


# Check of a battle's opening and of its battlefield conditions (PF-3.2, PF-4).

NOT_READY: dict[str, Term] = {
    "defeated": _("{army}: defeated, unable to fight."),
    "disbanded": _("{army}: disbanded, unable to fight."),
    "captured": _("{army}: captured, unable to fight."),
}
MOST_DEFENSE = 200
MOST_AMMUNITION = 99  # ranged phases


def open_battle(law: Rulebook, opening: Opening) -> BattleState:
    """Return the battle in its set-up. Raises `InvalidInput` with every problem of the opening."""
    return opening_state(law, check_opening(law, opening))


def check_opening(law: Rulebook, opening: Opening) -> Opening:
    """Return the opening with its armies' figures filled in. Raises `InvalidInput` with every problem."""
    problems = [*_side_problems(opening), *_army_problems(law, opening)]
    for index, condition in enumerate(opening.conditions):
        problems += [(f"/conditions/{index}{at}", said) for at, said in condition_problems(law, opening, condition)]
    problems += _reference_problems(opening)
    if opening.ammunition is not None and not 1 <= opening.ammunition <= MOST_AMMUNITION:
        said = say(_("Enter a whole number from {low} to {high}."), low=1, high=MOST_AMMUNITION)
        problems.append(("/ammunition", said))
    if problems:
        raise InvalidInput(problems[0][1], problems[0][0], tuple(problems))
    return with_figures(law, opening)


def with_figures(law: Rulebook, opening: Opening) -> Opening:
    """Return the opening with its armies' figures by this law."""
    return replace(opening, entered={spec.id: figures_of(law, spec) for spec in opening.armies})


def _side_problems(opening: Opening) -> list[Fault]:
    problems: list[Fault] = []
    if sum(bool(side.armies) for side in opening.sides) < 2:
        problems.append(("/sides", _("Add armies to at least two sides.")))
    names = [side.name.strip() for side in opening.sides]
    for index, side in enumerate(opening.sides):
        if not 1 <= len(names[index]) <= 120:
            problems.append((f"/sides/{index}/name", _("Enter a name of 1 to 120 characters.")))
        elif names.index(names[index]) != index:
            problems.append((f"/sides/{index}/name", _("Two sides have the same name. Rename one of them.")))
        if not side.armies:
            problems.append((f"/sides/{index}/armies", _("This side has no army. Add one.")))
    return problems


def _army_problems(law: Rulebook, opening: Opening) -> list[Fault]:
    problems: list[Fault] = []
    specs = {spec.id: spec for spec in opening.armies}
    seen: set[str] = set()
    for side_index, side in enumerate(opening.sides):
        for index, army in enumerate(side.armies):
            at = f"/sides/{side_index}/armies/{index}"
            if army in seen:
                problems.append(
                    (
                        at,
                        say(_("{army}: listed twice. Remove one."), army=specs[army].name if army in specs else army),
                    )
                )
            elif army not in specs:
                problems.append((at, _("Army not found in this campaign.")))
            elif (said := army_refusal(law, specs[army], attacks=side_index == 0)) is not None:
                problems.append((at, said))
            seen.add(army)
    return problems


def army_refusal(law: Rulebook, spec: ArmySpec, *, attacks: bool) -> Said | None:
    """Return why this army cannot enter a battle, or None (PF-6.1, PF-6.2)."""
    if spec.status in NOT_READY:
        return say(NOT_READY[spec.status], army=spec.name)
    if spec.status == "routed" and attacks:
        return say(_("{army} can’t start a battle while routed."), army=spec.name)
    if spec.hp is not None and spec.hp < 1:
        return say(_("{army}: no hit points left."), army=spec.name)
    army_sheet(law, spec)
    return None


def condition_problems(law: Rulebook, field: Opening | BattleState, condition: SetCondition) -> list[Fault]:
    """Return all problems of a condition; none if it can be set (PF-4)."""
    item = law.conditions.get(condition.condition)
    if item is None:
        return [("/condition", say(_("Condition “{slug}” not found."), slug=condition.condition))]
    if item.off:
        return [("/condition", say(SWITCHED_OFF, item=item.name))]
    known = set(field.armies) if isinstance(field, BattleState) else {spec.id for spec in field.armies}
    problems: list[Fault] = [
        (at, _("This army isn’t in this battle."))
        for at, armies in (("/armies", condition.armies), ("/except", condition.exempt))
        for army in armies
        if army not in known
    ]
    if item.scope == "army" and not condition.armies:
        problems.append(("/armies", say(_("{condition}: choose an army."), condition=item.name)))
    if (said := _value_problem(item.value, condition)) is not None:
        problems.append(("/value", said))
    return [*problems, *_part_problems(condition)]


def _value_problem(kind: str, condition: SetCondition) -> Said | None:
    value = condition.value
    if kind == "wind":
        return None if value in WINDS else say(_("Choose one of: {choices}."), choices=", ".join(WINDS))
    if kind == "heroes":
        return None if value in (4, -4) else _("Set the heroes’ intervention to +4 or −4.")
    if kind == "defense":
        fits = value is None or (isinstance(value, int) and 0 <= value <= MOST_DEFENSE)
        return None if fits else say(_("Enter a Defense from 0 to {most}."), most=MOST_DEFENSE)
    return None if value is None else _("Leave the value empty for this condition.")


def _part_problems(condition: SetCondition) -> list[Fault]:
    if condition.parts and condition.condition != "fortification":
        return [("/parts", _("Only fortifications have parts. Remove the parts."))]
    problems: list[Fault] = []
    for index, part in enumerate(condition.parts):
        if part.kind not in PART_KINDS:
            problems.append(
                (f"/parts/{index}/kind", say(_("Choose one of: {choices}."), choices=", ".join(PART_KINDS)))
            )
        if part.material not in MATERIALS:
            choices = ", ".join(MATERIALS)
            problems.append((f"/parts/{index}/material", say(_("Choose one of: {choices}."), choices=choices)))
        if not isinstance(part.value, int) or not 0 <= part.value <= MOST_DEFENSE:
            problems.append((f"/parts/{index}/value", say(_("Enter a Defense from 0 to {most}."), most=MOST_DEFENSE)))
    whole = sum(part.value for part in condition.parts)
    if condition.parts and not problems and condition.value is not None and condition.value != whole:
        problems.append(
            (
                "/value",
                say(
                    _("The parts add up to {whole} instead of {value}. Change one of them."),
                    whole=whole,
                    value=condition.value,
                ),
            )
        )
    return problems


def _reference_problems(opening: Opening) -> list[Fault]:
    side_of = {army: index for index, side in enumerate(opening.sides) for army in side.armies}
    problems: list[Fault] = []
    for name in ("sees_invisible", "cannot_leave", "engines_shoot", "magical"):
        for index, army in enumerate(getattr(opening, name)):
            if army not in side_of:
                problems.append((f"/{name}/{index}", _("This army isn’t in this battle.")))
    for index, pair in enumerate(opening.overcomes):
        if side_of.get(pair[0], -1) == side_of.get(pair[1], -1) or not set(pair) <= side_of.keys():
            problems.append((f"/overcomes/{index}", _("Choose an army and one of its enemies.")))
    problems += [("/ambush", said) for ambush in opening.ambushes if (said := _ambush_problem(ambush, side_of))]
    return problems


def _ambush_problem(ambush: Ambush, side_of: dict[str, int]) -> Said | None:
    if ambush.by not in side_of or ambush.target not in side_of:
        return _("This army isn’t in this battle.")
    return _("An army can only ambush an enemy.") if side_of[ambush.by] == side_of[ambush.target] else None
