"""Check of a battle's opening and of its battlefield conditions (PF-3.2, PF-4)."""

from __future__ import annotations

from dataclasses import replace

from rules.core.content import SWITCHED_OFF
from rules.core.errors import Fault, InvalidInput
from rules.core.text import Said, Term, _, say
from rules.pathfinder.battle.state.battle_state import Ambush, BattleState, Opening, SetCondition
from rules.pathfinder.battle.state.entering import figures_of, opening_state
from rules.pathfinder.catalogue.conditions import MATERIALS, PART_KINDS, WINDS
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import army_sheet
from rules.pathfinder.spec import ArmySpec

NOT_READY: dict[str, Term] = {
    "defeated": _("{army} is defeated and can’t fight."),
    "disbanded": _("{army} is disbanded and can’t fight."),
    "captured": _("{army} is captured and can’t fight."),
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
        said = say(_("Give a whole number from {low} to {high}."), low=1, high=MOST_AMMUNITION)
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
            problems.append((f"/sides/{index}/name", _("Give a name of 1 to 120 characters.")))
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
                        say(_("{army} is listed twice. Remove one."), army=specs[army].name if army in specs else army),
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
        return say(_("{army} is routed and can’t start a battle."), army=spec.name)
    if spec.hp is not None and spec.hp < 1:
        return say(_("{army} has no hit points left."), army=spec.name)
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
