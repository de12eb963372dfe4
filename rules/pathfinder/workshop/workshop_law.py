"""Workshop of Pathfinder: the odds of battles nobody fights."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from rules.core.text import Said, _, say, signed
from rules.core.workshop import Dial, Lever, WorkshopLaw
from rules.pathfinder.battle.state.battle_state import BattleState, Opening, Part, SetCondition
from rules.pathfinder.battle.state.entering import figures_of
from rules.pathfinder.rulebook import Rulebook
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.size import BY_RANK, parse_cr, size_of
from rules.pathfinder.spec import ArmySpec
from rules.pathfinder.workshop.levers import FORTIFICATION, defense_of, levers
from rules.pathfinder.workshop.setting import Bearing, Setting, begun, check_setting, meetings

# Dials: everything of a setting that can be turned by steps, to see what would make a battle even.

MORE_HP = 3  # times what it has at most
MOST_DEFENSE = 30
MOST_OM = 12
GROUNDS = ("", "advantageous-terrain", "battlefield-advantage")  # each worth more than the one before (PF-4)


def dials(setting: Setting) -> tuple[Dial, ...]:
    """For each army: hit points, head count, walls, ground, and what a boon would give."""
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
    """By the sizes of armies: between two of them nothing changes (PF-1.2)."""
    rank, least = size_of(spec.count).rank, _least_rank(spec)

    def with_count(to: int) -> ArmySpec:
        grown = replace(spec, count=BY_RANK[to].units)
        if spec.hp is None:
            return grown
        before, after = figures_of(setting.law, spec), figures_of(setting.law, replace(grown, hp=None))
        return replace(grown, hp=max(1, before.hp * after.hp_max // before.hp_max))

    def says(to: int) -> Said:
        acr = rating_of(with_count(to))[1]
        return say(_("{count} heads in {army} instead of {now} (ACR {acr})"), army=spec.name, count=BY_RANK[to].units,
                   now=spec.count, acr=str(acr))  # fmt: skip

    if spec.id not in setting.opening.entered or setting.opening.entered[spec.id] == figures_of(setting.law, spec):
        yield Dial("count", spec.id, rank, least, BY_RANK[-1].rank, lambda to: setting.with_spec(with_count(to)), says)


def _least_rank(spec: ArmySpec) -> int:
    """Below it so few are no army (PF-1.3)."""
    steps = [parse_cr(spec.unit.cr).step]
    if spec.mount is not None and spec.mount.cr is not None:
        steps.append(parse_cr(spec.mount.cr).step)
    return next(size.rank for size in BY_RANK if max(steps) + size.step >= 0)


def _walls(setting: Setting, spec: ArmySpec) -> Iterator[Dial]:
    """Walls of its own: those it shares, or several of them, are not turned."""
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
    """The same walls, worth this much: parts as they are, from the first on, and what is more is stone."""
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
            return say(_("No better ground for {army}"), army=spec.name)
        item = setting.law.conditions[GROUNDS[step]]
        return say(_("{what} for {army}"), what=item.name, army=spec.name)

    return Dial("ground", spec.id, now, 0, len(GROUNDS) - 1, at, says)


def _left(held: SetCondition, spec: ArmySpec) -> SetCondition | None:
    """What is left of a condition once this army holds no ground."""
    if held.condition not in GROUNDS or spec.id not in held.armies:
        return held
    others = tuple(army for army in held.armies if army != spec.id)
    return replace(held, armies=others) if others else None


def _offense(setting: Setting, spec: ArmySpec) -> Dial:
    """As much as boons, better weapons or a hero at its head would give."""
    bearing = setting.bearing(spec.id)

    def at(more: int) -> Setting:
        return setting.with_bearing(spec.id, replace(bearing, om=bearing.om + more))

    def says(more: int) -> Said:
        return say(_("Another OM {value} for {army}"), value=signed(more), army=spec.name)

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
