"""Workshop of mass combat: levers that decide a hypothetical battle, and dials that would make it even."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from rules.core.content import Item
from rules.core.text import Message, Said, Term, _, say, signed
from rules.core.workshop import Dial, Lever, WorkshopLaw
from rules.pathfinder.battle.state.battle_state import BattleState, Opening, Part, SetCondition
from rules.pathfinder.battle.state.opening import figures_of
from rules.pathfinder.catalogue.conditions import DEFAULT_DEFENSE, WIND_NAMES
from rules.pathfinder.leadership import morale_bonus
from rules.pathfinder.rulebook import HOUSE_RULES, Rulebook
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.spec import BY_RANK, AbilityChoice, ArmySpec, CommanderSpec, parse_cr, size_of
from rules.pathfinder.workshop.setting import Bearing, Setting, begun, check_setting, meetings

FORTIFICATION = "fortification"
HOUSE = ("minimum_damage", "parting_shots")  # house rules that affect a battle
ADDED: dict[str, Term] = {"om": _("Added OM {value}"), "dv": _("Added DV {value}")}
OF_THE_GM: dict[str, Term] = {
    "sees_invisible": _("Sees invisible armies"),
    "cannot_leave": _("Can’t leave the field"),
    "engines_shoot": _("Its siege engines shoot in ranged phases"),
    "magical": _("Its attacks are magical"),
}


def levers(setting: Setting) -> tuple[Lever, ...]:
    """Return all levers, each with the setting without it, in no particular order."""
    found = [lever for spec in setting.opening.armies for lever in _levers_of_army(setting, spec)]
    return (*found, *_of_field(setting), *_of_house(setting))


def _levers_of_army(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    yield from _of_bearing(setting, spec)
    yield from _of_unit(setting, spec)
    yield from _of_resources(setting, spec)
    yield from _of_commander(setting, spec)
    yield from _of_condition(setting, spec)
    yield from _told_by_gm(setting, spec)


# Behaviour.
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
            note = say(_("given to {army} to see the difference"), army=spec.name)
            yield Lever(f"{figure}-besides", spec.id, say(words, value=signed(added)), note,
                        setting.with_bearing(spec.id, replace(bearing, **_fields(figure, 0))))  # fmt: skip


def _borne(setting: Setting, spec: ArmySpec, kind: str, item: Item, bearing: Bearing) -> Lever:
    return Lever(f"{kind}:{item.slug}", spec.id, item.name, _does(spec, item), setting.with_bearing(spec.id, bearing))


def _does(spec: ArmySpec, item: Item) -> Message:
    return say(_("{army}: {what}"), army=spec.name, what=item.summary)


# Unit and resources.
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
    """Return the setting without the order to use something that the army no longer has."""
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


# Commander.
def _of_commander(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    commander = spec.commander
    if commander is None or not commander.active:
        return
    for slug in dict.fromkeys([*(choice.boon for choice in commander.boons), commander.office_boon or ""]):
        ordered = slug == "hold-the-line" and setting.bearing(spec.id).hold_the_line  # holding is a lever itself
        if slug and not ordered:
            item = setting.law.boons[slug]
            note = say(_("{who}, commander of {army}: {what}"), who=commander.name, army=spec.name, what=item.summary)
            yield Lever(f"boon:{slug}", spec.id, item.name, note, _led(setting, spec, _without_boon(commander, slug)))
    if bonus := morale_bonus(commander).total:
        name = say(_("{who}: morale {bonus}"), who=commander.name, bonus=signed(bonus))
        yield Lever("commander", spec.id, name, _plainly(spec, _("morale checks, mainly against rout")),
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


# Condition.
def _of_condition(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    if spec.morale:
        name = say(_("Morale {value}"), value=signed(spec.morale))
        yield Lever("morale", spec.id, name, _plainly(spec, _("morale checks, mainly against rout")),
                    setting.with_spec(replace(spec, morale=0)))  # fmt: skip
    if _is_hurt(setting, spec):
        yield Lever("wounds", spec.id, _("Its wounds"), say(_("{army} wounded from the start"), army=spec.name),
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
    """Build keyword arguments for a field known only by name."""
    return {name: value}


def _is_hurt(setting: Setting, spec: ArmySpec) -> bool:
    figures = setting.figures(spec)
    return figures.hp < figures.hp_max


def _plainly(spec: ArmySpec, what: Term) -> Message:
    return say(_("{army}: {what}"), army=spec.name, what=what)


def _told_by_gm(setting: Setting, spec: ArmySpec) -> Iterator[Lever]:
    """Yield levers for settings of the army in the opening (by the GM)."""
    opening = setting.opening
    for slug, name in OF_THE_GM.items():
        if spec.id in (named := getattr(opening, slug)):
            kept = tuple(army for army in named if army != spec.id)
            yield Lever(slug, spec.id, name, say(_("set for {army}"), army=spec.name),
                        replace(setting, opening=replace(opening, **_fields(slug, kept))))  # fmt: skip
    if pairs := [pair for pair in opening.overcomes if pair[0] == spec.id]:
        left = tuple(pair for pair in opening.overcomes if pair not in pairs)
        yield Lever("overcomes", spec.id, _("Overcomes the enemy’s defense"),
                    say(_("set for {army}"), army=spec.name),
                    replace(setting, opening=replace(opening, overcomes=left)))  # fmt: skip


# Field and house rules.
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
    """Return the Defense of a fortification without wear (PF-4, R-14)."""
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


# Dials: numbers of a setting that can be changed in steps, to see what would make the battle even.

MORE_HP = 3  # times its maximum
MOST_DEFENSE = 30
MOST_OM = 12
GROUNDS = ("", "advantageous-terrain", "battlefield-advantage")  # each better than the one before (PF-4)


def dials(setting: Setting) -> tuple[Dial, ...]:
    """Return the dials of each army: hit points, number of units, walls, ground, and bonuses."""
    return tuple(dial for spec in setting.opening.armies for dial in _of_army(setting, spec))


def _of_army(setting: Setting, spec: ArmySpec) -> Iterator[Dial]:
    yield _hit_points(setting, spec)
    yield from _head_count(setting, spec)
    yield from _walls(setting, spec)
    yield _ground(setting, spec)
    yield _offense(setting, spec)


def _hit_points(setting: Setting, spec: ArmySpec) -> Dial:
    figures = setting.figures(spec)

    def says(hp: int) -> Said:
        if hp > figures.hp_max:
            return say(_("{hp} hp for {army} instead of {now}"), army=spec.name, hp=hp, now=figures.hp)
        return say(_("{army} at {hp} of {most} hp from the start"), army=spec.name, hp=hp, most=figures.hp_max)

    return Dial("hp", spec.id, figures.hp, 1, MORE_HP * figures.hp_max, lambda hp: setting.with_hp(spec.id, hp), says)


def _head_count(setting: Setting, spec: ArmySpec) -> Iterator[Dial]:
    """Dial over the sizes of armies. The number of units within a size changes nothing (PF-1.2)."""
    rank, least = size_of(spec.count).rank, _least_rank(spec)

    def with_count(to: int) -> ArmySpec:
        grown = replace(spec, count=BY_RANK[to].units)
        if spec.hp is None:
            return grown
        before, after = figures_of(setting.law, spec), figures_of(setting.law, replace(grown, hp=None))
        return replace(grown, hp=max(1, before.hp * after.hp_max // before.hp_max))

    def says(to: int) -> Said:
        acr = rating_of(with_count(to))[1]
        return say(_("{count} units in {army} instead of {now} (ACR {acr})"), army=spec.name, count=BY_RANK[to].units,
                   now=spec.count, acr=str(acr))  # fmt: skip

    if spec.id not in setting.opening.entered or setting.opening.entered[spec.id] == figures_of(setting.law, spec):
        yield Dial("count", spec.id, rank, least, BY_RANK[-1].rank, lambda to: setting.with_spec(with_count(to)), says)


def _least_rank(spec: ArmySpec) -> int:
    """Return the least size at which these units form an army (PF-1.3)."""
    steps = [parse_cr(spec.unit.cr).step]
    if spec.mount is not None and spec.mount.cr is not None:
        steps.append(parse_cr(spec.mount.cr).step)
    return next(size.rank for size in BY_RANK if max(steps) + size.step >= 0)


def _walls(setting: Setting, spec: ArmySpec) -> Iterator[Dial]:
    """Dial over the army's own walls. Shared walls, or several, have no dial."""
    around = [held for held in setting.opening.conditions if _surrounds(held, spec)]
    if len(around) > 1 or (around and around[0].armies != (spec.id,)):
        return
    now = defense_of(around[0]) if around else 0

    def at(value: int) -> Setting:
        others = tuple(held for held in setting.opening.conditions if held not in around)
        walls = (_walled(around[0] if around else None, spec, value),) if value else ()
        return replace(setting, opening=replace(setting.opening, conditions=(*others, *walls)))

    def says(value: int) -> Said:
        if not value:
            return say(_("No walls around {army}"), army=spec.name)
        if not now:
            return say(_("Walls of {value} around {army}"), army=spec.name, value=signed(value))
        return say(_("Walls of {value} around {army} instead of {now}"), army=spec.name, value=signed(value),
                   now=signed(now))  # fmt: skip

    yield Dial("walls", spec.id, now, 0, max(MOST_DEFENSE, now), at, says)


def _surrounds(held: SetCondition, spec: ArmySpec) -> bool:
    return held.condition == FORTIFICATION and spec.id in held.armies


def _walled(held: SetCondition | None, spec: ArmySpec, value: int) -> SetCondition:
    """Return the walls with this value. Parts are kept from the first on; anything beyond them is stone."""
    if held is None or not held.parts:
        return replace(held, value=value) if held else SetCondition(FORTIFICATION, value, (spec.id,))
    parts: list[Part] = []
    left = value
    for part in held.parts:
        parts.append(replace(part, value=min(left, part.value)))
        left -= parts[-1].value
    kept = [part for part in parts if part.value]
    return replace(held, value=None, parts=(*kept, Part(value=left)) if left else tuple(kept))


def _ground(setting: Setting, spec: ArmySpec) -> Dial:
    own = [held for held in setting.opening.conditions if held.condition in GROUNDS and spec.id in held.armies]
    now = max((GROUNDS.index(held.condition) for held in own), default=0)

    def at(step: int) -> Setting:
        conditions = tuple(_left(held, spec) for held in setting.opening.conditions)
        kept = tuple(held for held in conditions if held is not None)
        more = (SetCondition(GROUNDS[step], armies=(spec.id,)),) if step else ()
        return replace(setting, opening=replace(setting.opening, conditions=(*kept, *more)))

    def says(step: int) -> Said:
        if not step:
            return say(_("No ground advantage for {army}"), army=spec.name)
        item = setting.law.conditions[GROUNDS[step]]
        return say(_("{what} for {army}"), what=item.name, army=spec.name)

    return Dial("ground", spec.id, now, 0, len(GROUNDS) - 1, at, says)


def _left(held: SetCondition, spec: ArmySpec) -> SetCondition | None:
    """Return what is left of a condition without this army's ground, or None."""
    if held.condition not in GROUNDS or spec.id not in held.armies:
        return held
    others = tuple(army for army in held.armies if army != spec.id)
    return replace(held, armies=others) if others else None


def _offense(setting: Setting, spec: ArmySpec) -> Dial:
    """Dial over a bonus to OM, as boons, better weapons or a hero would give."""
    bearing = setting.bearing(spec.id)

    def at(more: int) -> Setting:
        return setting.with_bearing(spec.id, replace(bearing, om=bearing.om + more))

    def says(more: int) -> Said:
        return say(_("Added OM {value} for {army}"), value=signed(more), army=spec.name)

    return Dial("om", spec.id, 0, 0, MOST_OM, at, says)


@dataclass(frozen=True, slots=True)
class Workshop(WorkshopLaw):
    law: Rulebook
    known = True

    def question(self, opening: Opening, bearings: Mapping[str, Bearing]) -> Setting:
        return Setting(self.law, opening, bearings)

    def check(self, question: Setting) -> None:
        check_setting(question)

    def begun(self, question: Setting) -> BattleState:
        return begun(question)

    def meetings(
        self, first: ArmySpec, others: Sequence[ArmySpec], field: tuple[SetCondition, ...]
    ) -> Sequence[BattleState]:
        return meetings(self.law, first, others, field)

    def levers(self, question: Setting) -> Sequence[Lever]:
        return levers(question)

    def dials(self, question: Setting) -> Sequence[Dial]:
        return dials(question)
