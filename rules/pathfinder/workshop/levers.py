"""Levers: everything of a setting that can be taken out of it, one at a time, to see what decides a battle."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

from rules.core.content import Item
from rules.core.text import Message, Said, Term, _, say, signed
from rules.core.workshop import Lever
from rules.pathfinder.battle.state.battle_state import SetCondition
from rules.pathfinder.catalogue.conditions import DEFAULT_DEFENSE, WIND_NAMES
from rules.pathfinder.house import HOUSE_RULES
from rules.pathfinder.leadership import morale_bonus
from rules.pathfinder.spec import AbilityChoice, ArmySpec, CommanderSpec
from rules.pathfinder.workshop.setting import Bearing, Setting

FORTIFICATION = "fortification"
HOUSE = ("minimum_damage", "parting_shots")  # those that change a battle
ADDED: dict[str, Term] = {"om": _("Another OM {value}"), "dv": _("Another DV {value}")}
OF_THE_GM: dict[str, Term] = {
    "sees_invisible": _("Sees the invisible"),
    "cannot_leave": _("Cannot leave the field"),
    "engines_shoot": _("Its siege engines shoot in ranged phases"),
    "magical": _("Its attacks are magical"),
}


def levers(setting: Setting) -> tuple[Lever, ...]:
    """Each with the setting as it would be without it; in no order."""
    found = [lever for spec in setting.opening.armies for lever in _of_army(setting, spec)]
    return (*found, *_of_field(setting), *_of_house(setting))


def _of_army(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    yield from _of_bearing(setting, spec)
    yield from _of_unit(setting, spec)
    yield from _of_resources(setting, spec)
    yield from _of_commander(setting, spec)
    yield from _of_condition(setting, spec)
    yield from _told_by_gm(setting, spec)


# what it does
def _of_bearing(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    law, bearing = setting.law, setting.bearing(spec.id)
    if bearing.tactic != "standard":
        yield _borne(setting, spec, "tactic", law.tactics[bearing.tactic], replace(bearing, tactic="standard"))
    if bearing.strategy != "standard":
        strategy = law.strategies[bearing.strategy]
        yield _borne(setting, spec, "strategy", strategy, replace(bearing, strategy="standard"))
    if bearing.hold_the_line:
        boon = law.boons["hold-the-line"]
        yield _borne(setting, spec, "order", boon, replace(bearing, hold_the_line=False))
    for figure, words in ADDED.items():
        if added := getattr(bearing, figure):
            note = say(_("given to {army} to see what it does"), army=spec.name)
            yield Lever(f"{figure}-besides", spec.id, say(words, value=signed(added)), note,
                        setting.with_bearing(spec.id, replace(bearing, **_fields(figure, 0))))  # fmt: skip


def _borne(setting: Setting, spec: ArmySpec, kind: str, item: Item, bearing: Bearing) -> Lever:
    return Lever(f"{kind}:{item.slug}", spec.id, item.name, _does(spec, item), setting.with_bearing(spec.id, bearing))


def _does(spec: ArmySpec, item: Item) -> Message:
    return say(_("{army}: {what}"), army=spec.name, what=item.summary)


# what it is
def _of_unit(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    for choice in spec.unit.abilities:
        item = setting.law.abilities[choice.ability]
        yield Lever(
            f"ability:{item.slug}", spec.id, _numbered(item.name, choice), _does(spec, item),
            _unused(setting, spec, "ability", item.slug).with_spec(_without_ability(spec, choice)),
        )  # fmt: skip
    if spec.mount is not None:
        yield Lever("mount", spec.id, _("Mounted"), _plainly(spec, _("it would fight on foot")),
                    setting.with_spec(replace(spec, mount=None)))  # fmt: skip


def _numbered(name: Term, choice: AbilityChoice) -> Said:
    return name if choice.value is None else say(_("{what} {number}"), what=name, number=choice.value)


def _without_ability(spec: ArmySpec, choice: AbilityChoice) -> ArmySpec:
    kept = tuple(held for held in spec.unit.abilities if held is not choice)
    return replace(spec, unit=replace(spec.unit, abilities=kept))


def _unused(setting: Setting, spec: ArmySpec, kind: str, slug: str) -> Setting:
    """Without the order to use it: nobody orders what they have not."""
    bearing = setting.bearing(spec.id)
    kept = tuple(use for use in bearing.uses if (use.kind, use.slug) != (kind, slug))
    return setting if kept == bearing.uses else setting.with_bearing(spec.id, replace(bearing, uses=kept))


def _of_resources(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    for slug, quantity in spec.resources.items():
        if quantity > 0:
            item = setting.law.resources[slug]
            kept = {held: number for held, number in spec.resources.items() if held != slug}
            yield Lever(f"resource:{slug}", spec.id, item.name, _does(spec, item),
                        setting.with_spec(replace(spec, resources=kept)))  # fmt: skip


# who leads it
def _of_commander(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    commander = spec.commander
    if commander is None or not commander.active:
        return
    for slug in dict.fromkeys([*(choice.boon for choice in commander.boons), commander.office_boon or ""]):
        ordered = slug == "hold-the-line" and setting.bearing(spec.id).hold_the_line  # it is a lever of its own
        if slug and not ordered:
            item = setting.law.boons[slug]
            note = say(_("{who}, commander of {army}: {what}"), who=commander.name, army=spec.name, what=item.summary)
            yield Lever(f"boon:{slug}", spec.id, item.name, note, _led(setting, spec, _without_boon(commander, slug)))
    if bonus := morale_bonus(commander).total:
        name = say(_("{who}: morale {bonus}"), who=commander.name, bonus=signed(bonus))
        yield Lever("commander", spec.id, name, _plainly(spec, _("morale checks, rout above all")),
                    setting.with_spec(replace(spec, morale=spec.morale - bonus)))  # fmt: skip
    if commander.notorious:
        yield Lever("notorious", spec.id, _("Notorious commander"), _plainly(spec, _("−1 on its morale checks")),
                    _led(setting, spec, replace(commander, notorious=False)))  # fmt: skip


def _led(setting: Setting, spec: ArmySpec, commander: CommanderSpec) -> Setting:
    return setting.with_spec(replace(spec, commander=commander))


def _without_boon(commander: CommanderSpec, slug: str) -> CommanderSpec:
    boons = tuple(choice for choice in commander.boons if choice.boon != slug)
    office = commander.office_boon if commander.office_boon != slug else None
    return replace(commander, boons=boons, office_boon=office)


# what it has gone through
def _of_condition(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    if spec.morale:
        name = say(_("Morale {value}"), value=signed(spec.morale))
        yield Lever("morale", spec.id, name, _plainly(spec, _("morale checks, rout above all")),
                    setting.with_spec(replace(spec, morale=0)))  # fmt: skip
    if _is_hurt(setting, spec):
        yield Lever("wounds", spec.id, _("Its wounds"), say(_("{army} does not begin unhurt"), army=spec.name),
                    setting.with_spec(replace(spec, hp=None)))  # fmt: skip
    if spec.arrears:
        yield Lever("arrears", spec.id, _("Unpaid"), _plainly(spec, _("−2 on its morale checks")),
                    setting.with_spec(replace(spec, arrears=False)))  # fmt: skip
    ills: tuple[tuple[str, Term], ...] = (("disease", _("Disease")), ("drain", _("Energy drain")))
    for slug, ill in ills:
        if value := getattr(spec, slug):
            note, cured = say(_("{army}: OM and DV {value}"), army=spec.name, value=signed(-value)), _fields(slug, 0)
            yield Lever(slug, spec.id, ill, note, setting.with_spec(replace(spec, **cured)))


def _fields(name: str, value: Any) -> dict[str, Any]:
    """A field that is known by its name only."""
    return {name: value}


def _is_hurt(setting: Setting, spec: ArmySpec) -> bool:
    figures = setting.figures(spec)
    return figures.hp < figures.hp_max


def _plainly(spec: ArmySpec, what: Term) -> Message:
    return say(_("{army}: {what}"), army=spec.name, what=what)


def _told_by_gm(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    """What the opening says of it besides."""
    opening = setting.opening
    for slug, name in OF_THE_GM.items():
        if spec.id in (named := getattr(opening, slug)):
            kept = tuple(army for army in named if army != spec.id)
            yield Lever(slug, spec.id, name, say(_("declared of {army}"), army=spec.name),
                        replace(setting, opening=replace(opening, **_fields(slug, kept))))  # fmt: skip
    if pairs := [pair for pair in opening.overcomes if pair[0] == spec.id]:
        left = tuple(pair for pair in opening.overcomes if pair not in pairs)
        yield Lever("overcomes", spec.id, _("Overcomes the enemy’s defense"),
                    say(_("declared of {army}"), army=spec.name),
                    replace(setting, opening=replace(opening, overcomes=left)))  # fmt: skip


# where they fight, and by whose rules
def _of_field(setting: Setting) -> Iterator[Lever]:
    opening = setting.opening
    for index, held in enumerate(opening.conditions):
        kept = (*opening.conditions[:index], *opening.conditions[index + 1 :])
        item = setting.law.conditions[held.condition]
        army = held.armies[0] if len(held.armies) == 1 else ""
        yield Lever(
            f"condition:{held.condition}:{index}", army, _condition_name(held, item.name), _where(setting, held, item),
            replace(setting, opening=replace(opening, conditions=kept)),
        )  # fmt: skip


def _condition_name(held: SetCondition, name: Term) -> Said:
    if held.condition == FORTIFICATION:
        return say(_("Walls {value}"), value=signed(defense_of(held)))
    if held.condition == "wind":
        return WIND_NAMES[str(held.value)]
    return say(_("{what} {number}"), what=name, number=signed(int(held.value))) if held.value is not None else name


def defense_of(held: SetCondition) -> int:
    """What a fortification is worth unworn (PF-4, R-14)."""
    if held.parts:
        return sum(part.value for part in held.parts)
    return DEFAULT_DEFENSE if held.value is None else int(held.value)


def _where(setting: Setting, held: SetCondition, item: Item) -> Message:
    names = ", ".join(spec.name for spec in setting.opening.armies if held.reaches(spec.id))
    return say(_("{army}: {what}"), army=names, what=item.summary)


def _of_house(setting: Setting) -> Iterator[Lever]:
    house = setting.law.house
    for slug in HOUSE:
        rule, value = HOUSE_RULES.rules[slug], getattr(house, slug)
        if value != rule.default:
            law = replace(setting.law, house=replace(house, **_fields(slug, rule.default)))
            yield Lever(f"house:{slug}", "", rule.in_words(value), _("a house rule of this campaign"),
                        replace(setting, law=law))  # fmt: skip
