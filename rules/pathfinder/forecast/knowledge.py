"""Knowledge of a viewer: armies whose sheets they do not read, and orders they may not know."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import product
from random import Random
from typing import NamedTuple

from rules.core.health import band_of
from rules.core.odds import AboutOdds, Guess, Odds, half_width
from rules.core.text import Said, Term, _, say
from rules.law import Viewer
from rules.odds.viewer_forecast import mixed
from rules.pathfinder.battle.orders.options import cannot_act, use_target_refusal
from rules.pathfinder.battle.state.battle_state import (
    DEFEATED,
    MELEE,
    PHASES,
    ROUTED,
    Adjustment,
    ArmyInBattle,
    BattleState,
    Entered,
    Mark,
    Opening,
    changed,
)
from rules.pathfinder.battle.state.entering import figures_of
from rules.pathfinder.catalogue.marks import MARKS
from rules.pathfinder.figures import compile_profile
from rules.pathfinder.forecast.choices import STRATEGY, TACTIC, answers, choosables, chosen
from rules.pathfinder.forecast.exact.forecast import exactly, many
from rules.pathfinder.forecast.simulate import simulated, simulated_among, simulated_each
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.size import HIGHEST_CR, Acr, parse_cr, size_of
from rules.pathfinder.spec import ArmySpec, TacticKnown, UnitSpec

SMITE = "smite-evil"
PLAIN_COUNT, HUGE_COUNT = 100, 2000
"""How many it is said to count: a hundred are rated as each of them is, two thousand for ratings beyond that."""


class Level(NamedTuple):
    """What gear, commander and abilities add to Offense and Defense, and to morale checks, all told. `left`: how much
    of what its health may be, where that is told in words: 0 the least, 1 the most.
    """

    figures: int
    morale: int
    weight: float
    left: float


LEVELS = (Level(0, 0, 0.25, 0.0), Level(2, 2, 0.5, 0.5), Level(4, 4, 0.25, 1.0))
"""Nothing beyond its rating, as most armies have it, and as much as well-equipped ones bring."""


def hidden_from(state: BattleState, viewer: Viewer) -> frozenset[str]:
    """The armies whose figures they may not read."""
    return frozenset(army for army in state.armies if not viewer.knows(army))


def guesses(state: BattleState, viewer: Viewer) -> Sequence[Guess]:
    """The worlds that look to them like this one; in each all hidden armies are of one level, and all can shoot that
    have shot, or all can.
    """
    orders = {army: order for army, order in state.orders.items() if viewer.commands(army)}
    known = state if len(orders) == len(state.orders) else changed(state, orders=orders)
    hidden = hidden_from(state, viewer)
    if not hidden:
        return (Guess(known),)
    evil, shot = _shown_as_evil(state, viewer), {army for army in hidden if _has_shot(state.armies[army])}
    shooters = (shot, hidden) if hidden - shot else (hidden,)
    believed = [_plain_specs(state, hidden, evil, able) for able in shooters]
    return tuple(
        Guess(_veiled(known, specs, level), level.weight / len(believed)) for level, specs in product(LEVELS, believed)
    )


def _plain_specs(state: BattleState, hidden: Set[str], evil: Set[str], shooters: Set[str]) -> dict[str, ArmySpec]:
    return {army: _plain_spec(state.armies[army], evil=army in evil, shoots=army in shooters) for army in hidden}


def _has_shot(army: ArmyInBattle) -> bool:
    """It attacked before it was in any melee: everybody has seen its shots."""
    return army.attacked == "early" and not army.melees


def _shown_as_evil(state: BattleState, viewer: Viewer) -> frozenset[str]:
    """The enemies at which their own armies may be ordered what works on the evil alone (R-27)."""
    if state.phase.kind not in PHASES:
        return frozenset()
    own = [army for army in state.on_field() if viewer.commands(army.id)]
    smites = [(army, use) for army in own for use in army.profile.uses if use.source.slug == SMITE]
    return frozenset(foe.id for army, use in smites for foe in state.enemies(army)
                     if use_target_refusal(state, army, use, foe) is None)  # fmt: skip


def _veiled(state: BattleState, specs: Mapping[str, ArmySpec], level: Level) -> BattleState:
    hidden = specs.keys()
    armies = {
        key: _plain_army(state, army, specs[key], level) if key in hidden else _marked_plainly(army, hidden)
        for key, army in state.armies.items()
    }
    opening = _plain_opening(state, specs)
    return changed(state, opening=opening, armies=armies, worded=frozenset(), memo={})


def _marked_plainly(army: ArmyInBattle, hidden: Set[str]) -> ArmyInBattle:
    """Of a mark that one of these left on it they see that it is there, and not which of its abilities did it."""
    if not any(mark.other in hidden for mark in army.marks):
        return army
    marks = (_of_unknown_cause(mark) if mark.other in hidden else mark for mark in army.marks)
    return changed(army, marks=tuple(marks))


def _of_unknown_cause(mark: Mark) -> Mark:
    """What bleeds is told once it has bled (R-43)."""
    return replace(mark, source="", detail="" if mark.kind == "bleeding" else mark.detail)


def _plain_spec(army: ArmyInBattle, *, evil: bool, shoots: bool) -> ArmySpec:
    """An army of that rating and nothing else."""
    acr = rating_of(army.spec)[1]
    count = PLAIN_COUNT if acr <= parse_cr(str(HIGHEST_CR)) else HUGE_COUNT
    unit = UnitSpec("", cr=str(Acr(acr.step - size_of(count).step)), alignment="NE" if evil else "N", ranged=shoots)
    tactics = (TacticKnown(army.tactic, granted=True),)
    return ArmySpec(army.id, army.name, unit, count, tactics=tactics, kingdom=army.spec.kingdom)


def _plain_army(state: BattleState, army: ArmyInBattle, spec: ArmySpec, level: Level) -> ArmyInBattle:
    """As it stands there: what is left out here is what the field does not show."""
    hp, hp_max = _believed(state, army, spec, level)
    more = tuple(Adjustment(figure, level.figures, "") for figure in ("om", "dv") if level.figures)
    return ArmyInBattle(
        id=army.id,
        side=army.side,
        spec=spec,
        acr=army.acr,
        rank=size_of(spec.count).rank,
        hp=hp,
        hp_max=hp_max,
        morale=level.morale,
        profile=compile_profile(state.law, spec, ()),
        status=army.status,
        tactic=army.tactic,
        strategy=army.strategy,
        target=army.target,
        marks=tuple(_plain_mark(mark, hp) for mark in army.marks if _shows(state, mark)),
        adjustments=more,
        melees=army.melees,
        lost_hp=army.lost_hp,
        felled_by=army.felled_by,
        last_loss=army.last_loss,
        attacked=army.attacked,
    )


def _believed(state: BattleState, army: ArmyInBattle, spec: ArmySpec, level: Level) -> tuple[int, int]:
    """Its hit points as they are seen; told in words, as many as an army of that rating may have left."""
    if army.id not in state.worded:
        return army.hp, army.hp_max
    most = figures_of(state.law, spec).hp_max
    return band_of(army.hp, army.hp_max).within(most, level.left), most


def _shows(state: BattleState, mark: Mark) -> bool:
    effect = MARKS.get(mark.kind)
    return effect is not None and not effect.hidden and (mark.at is None or mark.at >= state.phase.tick)


def _plain_mark(mark: Mark, hp: int) -> Mark:
    """A last stand holds up the fate that its hit points show (R-52)."""
    fate = (ROUTED if hp else DEFEATED) if mark.kind == "last-stand" else ""
    return replace(mark, detail=fate, source="")


def _plain_opening(state: BattleState, specs: Mapping[str, ArmySpec]) -> Opening:
    """The same field, without what the opening tells of those."""
    opening = state.opening

    def without[Item: (str, tuple[str, str])](named: tuple[Item, ...]) -> tuple[Item, ...]:
        return tuple(item for item in named if not (specs.keys() & ({item} if isinstance(item, str) else set(item))))

    return replace(
        opening,
        armies=tuple(specs.get(spec.id, spec) for spec in opening.armies),
        overcomes=without(opening.overcomes),
        sees_invisible=without(opening.sees_invisible),
        cannot_leave=without(opening.cannot_leave),
        engines_shoot=without(opening.engines_shoot),
        magical=without(opening.magical),
        entered={key: _plain_entry(state, key, entry, specs.get(key)) for key, entry in opening.entered.items()},
    )


def _plain_entry(state: BattleState, army: str, entry: Entered, spec: ArmySpec | None) -> Entered:
    if spec is None:
        return entry
    known = entry if army not in state.worded else figures_of(state.law, spec)
    return replace(entry, rank=size_of(spec.count).rank, engines=0, hp=known.hp, hp_max=known.hp_max)


# Orders the viewer may not know: every world in which they are given, averaged, or the one that is worst for them.
#
# In melee an unknown order is a strategy, before it a tactic; whoever gives it goes on as they are in everything
# else.

type ChoiceByArmy = Mapping[str, str]
"""Of each army of unknown orders what it is told to choose."""

MOST = 25
"""So many worlds are weighed one by one: all of them where one army meets another."""
DRAWN_MOST = 60
"""So many are drawn where there are more."""
WORST_MOST = 6
"""So many of them are thrown one by one to find the worst, where more than two armies fight."""
FEW = 200
"""As many battles are thrown to find the worst world where it cannot be reckoned."""

AVERAGE: dict[str, Term] = {
    STRATEGY.slug: _("If you don’t know an army’s orders, all its strategies are equally likely."),
    TACTIC.slug: _("If you don’t know an army’s orders, all its tactics are equally likely."),
}
WORST: dict[str, Term] = {
    STRATEGY.slug: _("Enemies whose orders you don’t know choose the strategy that is worst for you."),
    TACTIC.slug: _("Enemies whose orders you don’t know choose the tactic that is worst for you."),
}
NOTHING_ELSE = _("These armies give no other orders and don’t withdraw.")
ALIKE = _("They all make the same choice: there are too many to try each alone.")
DRAWN = _("Their choices combine in too many ways: {count} combinations were drawn at random and tried.")


class Worlds(NamedTuple):
    """What may have been ordered; `drawn` where it is not all of it. `assumed` says what was taken for granted."""

    kind: str
    all: Sequence[ChoiceByArmy]
    drawn: bool
    worst: bool
    assumed: tuple[Said, ...]


def foretold(battle: BattleState, about: AboutOdds, viewer: Viewer) -> Odds | None:
    """The odds as `about.unknown` has it; None where this viewer is in doubt about no order."""
    worlds = worlds_of(battle, about, viewer)
    if worlds is None:
        return None
    states = [chosen(battle, worlds.kind, orders) for orders in worlds.all]
    odds = _worst(states, about, _sides(battle, viewer)) if worlds.worst else _average(states, about, worlds.drawn)
    return replace(odds, assumed=(*odds.assumed, *worlds.assumed))


def _average(states: Sequence[BattleState], about: AboutOdds, drawn: bool) -> Odds:
    found = [] if drawn else many(states, about)
    exact = [odds for odds in found if odds is not None]
    if exact and len(exact) == len(states):
        return mixed([(odds, 1 / len(exact)) for odds in exact])
    odds = simulated_among(states, about)
    if not drawn:
        return odds
    of_the_draw = max(half_width(side.win, len(states)) for side in odds.sides)
    return replace(odds, error=math.hypot(odds.error, of_the_draw))


def _worst(states: Sequence[BattleState], about: AboutOdds, sides: frozenset[int]) -> Odds:
    """What few battles made out as the worst is thrown anew: the least of many is less than is true."""
    few = replace(about, battles=min(FEW, about.battles or FEW))
    found = answers(states, few, simulated_each)
    least = min(range(len(found)), key=lambda at: sum(found[at].wins[side] for side in sides))
    return exactly(states[least], about) or simulated(states[least], about)


def _sides(battle: BattleState, viewer: Viewer) -> frozenset[int]:
    """Those on which they command somebody."""
    return frozenset(army.side for army in battle.armies.values() if viewer.commands(army.id))


# the worlds
def worlds_of(battle: BattleState, about: AboutOdds, viewer: Viewer) -> Worlds | None:
    """What armies may be told whose orders they do not know; None where none has a choice.

    Who commands nobody has nothing that could be worst for them.
    """
    sides = _sides(battle, viewer)
    worst = about.unknown == "worst" and bool(sides)
    kind = STRATEGY.slug if battle.phase.kind == MELEE else TACTIC.slug
    told = {command.order.army for command in about.commands}
    armies = [army for army in battle.on_field() if _unknown(battle, army, told, viewer)]
    if worst:
        armies = [army for army in armies if army.side not in sides]
    choices = {army.id: _choices(battle, kind, army) for army in armies}
    choices = {army: open_to for army, open_to in choices.items() if len(open_to) > 1}
    if not choices:
        return None
    return _told(kind, choices, worst, WORST_MOST if worst and len(battle.on_field()) > 2 else MOST)


def _unknown(battle: BattleState, army: ArmyInBattle, told: set[str], viewer: Viewer) -> bool:
    return army.id not in told and not viewer.commands(army.id) and cannot_act(battle, army) is None


def _choices(battle: BattleState, kind: str, army: ArmyInBattle) -> list[str]:
    """What it may choose, its present choice among them; to leave is no way to fight."""
    found = choosables(battle, army, kind)
    return [choice.slug for choice in found if choice.current or not (choice.barred or choice.slug == "withdraw")]


def _told(kind: str, choices: Mapping[str, Sequence[str]], worst: bool, most: int) -> Worlds:
    words: list[Said] = [(WORST if worst else AVERAGE)[kind], NOTHING_ELSE]
    drawn = math.prod(map(len, choices.values())) > most
    if not drawn:
        worlds = [dict(zip(choices, each, strict=True)) for each in product(*choices.values())]
    elif worst:
        worlds = _alike(choices)
        words.append(ALIKE)
    else:
        worlds = _drawn(choices)
        words.append(say(DRAWN, count=len(worlds)))
    return Worlds(kind, worlds, drawn, worst, tuple(words))


def _alike(choices: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Whoever has not the choice goes on as they are."""
    every = dict.fromkeys(slug for open_to in choices.values() for slug in open_to)
    return [{army: slug for army, open_to in choices.items() if slug in open_to} for slug in every][:MOST]


def _drawn(choices: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Of each army every choice as often as any other, as near as may be."""
    random, worlds = Random(1), [dict[str, str]() for _world in range(DRAWN_MOST)]
    for army, open_to in choices.items():
        dealt = [open_to[number % len(open_to)] for number in range(DRAWN_MOST)]
        random.shuffle(dealt)
        for world, choice in zip(worlds, dealt, strict=True):
            world[army] = choice
    return worlds
