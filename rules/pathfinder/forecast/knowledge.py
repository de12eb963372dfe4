"""Guesses of a viewer: armies whose sheets they may not read, and orders they may not know."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence, Set
from dataclasses import replace
from itertools import product
from random import Random
from typing import NamedTuple

from rules.core.odds import AboutOdds, Guess, Odds, half_width
from rules.core.text import Said, Term, _, say
from rules.core.viewers import band_of
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
from rules.pathfinder.battle.state.opening import figures_of
from rules.pathfinder.catalogue.conditions import MARKS
from rules.pathfinder.figures import compile_profile
from rules.pathfinder.forecast.choices import STRATEGY, TACTIC, answers, choosables, chosen
from rules.pathfinder.forecast.exact.forecast import exactly, many
from rules.pathfinder.forecast.simulate import simulated, simulated_among, simulated_each
from rules.pathfinder.sheet import rating_of
from rules.pathfinder.spec import HIGHEST_CR, Acr, ArmySpec, TacticKnown, UnitSpec, parse_cr, size_of

SMITE = "smite-evil"
PLAIN_COUNT, HUGE_COUNT = 100, 2000
"""Assumed number of units. With a hundred the ACR equals the unit's CR; two thousand serve for higher ACRs."""


class Level(NamedTuple):
    """Assumed total bonus from equipment, commander and abilities to Offense and Defense (`figures`) and to morale
    checks. `left` is where its health lies within a band told in words: 0 the least, 1 the most.
    """

    figures: int
    morale: int
    weight: float
    left: float


LEVELS = (Level(0, 0, 0.25, 0.0), Level(2, 2, 0.5, 0.5), Level(4, 4, 0.25, 1.0))
"""Levels from nothing beyond the rating, through what most armies have, to well-equipped."""


def hidden_from(state: BattleState, viewer: Viewer) -> frozenset[str]:
    """Return the armies whose figures this viewer may not read."""
    return frozenset(army for army in state.armies if not viewer.knows(army))


def guesses(state: BattleState, viewer: Viewer) -> Sequence[Guess]:
    """Return the worlds that look like this one to the viewer. In each, all hidden armies have the same level, and
    either only those that have shot can shoot, or all can.
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
    """Whether everybody has seen the army shoot: it attacked before it was in any melee."""
    return army.attacked == "early" and not army.melees


def _shown_as_evil(state: BattleState, viewer: Viewer) -> frozenset[str]:
    """Return the enemies that the viewer sees to be evil, because an army of theirs may smite them (R-27)."""
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
    """Return the army with marks from hidden armies stripped of their cause. The viewer sees the mark, not the ability
    behind it.
    """
    if not any(mark.other in hidden for mark in army.marks):
        return army
    marks = (_of_unknown_cause(mark) if mark.other in hidden else mark for mark in army.marks)
    return changed(army, marks=tuple(marks))


def _of_unknown_cause(mark: Mark) -> Mark:
    """Return the mark without its cause. The kind of bleeding shows only once the army has bled (R-43)."""
    return replace(mark, source="", detail="" if mark.kind == "bleeding" else mark.detail)


def _plain_spec(army: ArmyInBattle, *, evil: bool, shoots: bool) -> ArmySpec:
    """Return the spec of a plain army with that ACR and nothing else."""
    acr = rating_of(army.spec)[1]
    count = PLAIN_COUNT if acr <= parse_cr(str(HIGHEST_CR)) else HUGE_COUNT
    unit = UnitSpec("", cr=str(Acr(acr.step - size_of(count).step)), alignment="NE" if evil else "N", ranged=shoots)
    tactics = (TacticKnown(army.tactic, granted=True),)
    return ArmySpec(army.id, army.name, unit, count, tactics=tactics, kingdom=army.spec.kingdom)


def _plain_army(state: BattleState, army: ArmyInBattle, spec: ArmySpec, level: Level) -> ArmyInBattle:
    """Return the army as visible on the field: its visible features on an ordinary spec."""
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
    """Return (hit points, maximum) as seen. If told in words, they are assumed for an army of that ACR."""
    if army.id not in state.worded:
        return army.hp, army.hp_max
    most = figures_of(state.law, spec).hp_max
    return band_of(army.hp, army.hp_max).within(most, level.left), most


def _shows(state: BattleState, mark: Mark) -> bool:
    effect = MARKS.get(mark.kind)
    return effect is not None and not effect.hidden and (mark.at is None or mark.at >= state.phase.tick)


def _plain_mark(mark: Mark, hp: int) -> Mark:
    """Return a mark as the viewer sees it. Its hit points reveal the fate behind a last stand (R-52)."""
    fate = (ROUTED if hp else DEFEATED) if mark.kind == "last-stand" else ""
    return replace(mark, detail=fate, source="")


def _plain_opening(state: BattleState, specs: Mapping[str, ArmySpec]) -> Opening:
    """Return the opening without what it says of these armies."""
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


# Unknown orders: all possible worlds averaged, or the one that is worst for the viewer.
#
# In melee an unknown order is a strategy, before melee a tactic. The army goes on as before in everything else.

type ChoiceByArmy = Mapping[str, str]
"""Assumed choice of each army with unknown orders."""

MOST = 25
"""Largest number of worlds that are all tried: enough for one army against one."""
DRAWN_MOST = 60
"""Number of worlds drawn at random if there are more."""
WORST_MOST = 6
"""Number of those simulated one by one to find the worst, if more than two armies fight."""
FEW = 200
"""Battles simulated for each world to find the worst, where no exact answer exists."""

AVERAGE: dict[str, Term] = {
    STRATEGY.slug: _("If you don’t know an army’s orders, all its strategies are equally likely."),
    TACTIC.slug: _("If you don’t know an army’s orders, all its tactics are equally likely."),
}
WORST: dict[str, Term] = {
    STRATEGY.slug: _("Enemies whose orders you don’t know choose the strategy that is worst for you."),
    TACTIC.slug: _("Enemies whose orders you don’t know choose the tactic that is worst for you."),
}
NOTHING_ELSE = _("These armies are given no other orders and don’t withdraw.")
ALIKE = _("All are assumed to make the same choice: there are too many to try separately.")
DRAWN = _("Their choices combine in too many ways: {count} combinations were drawn at random and tried.")


class Worlds(NamedTuple):
    """Worlds of possible orders. `drawn`: a random sample, not all. `assumed` lists the assumptions."""

    kind: str
    all: Sequence[ChoiceByArmy]
    drawn: bool
    worst: bool
    assumed: tuple[Said, ...]


def foretold(battle: BattleState, about: AboutOdds, viewer: Viewer) -> Odds | None:
    """Return the odds as `about.unknown` asks. None if the viewer knows every order."""
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
    """Return the odds of the worst world. It is simulated again, because the least of many small samples is too low."""
    few = replace(about, battles=min(FEW, about.battles or FEW))
    found = answers(states, few, simulated_each)
    least = min(range(len(found)), key=lambda at: sum(found[at].wins[side] for side in sides))
    return exactly(states[least], about) or simulated(states[least], about)


def _sides(battle: BattleState, viewer: Viewer) -> frozenset[int]:
    """Return the sides on which the viewer commands an army."""
    return frozenset(army.side for army in battle.armies.values() if viewer.commands(army.id))


# The worlds.
def worlds_of(battle: BattleState, about: AboutOdds, viewer: Viewer) -> Worlds | None:
    """Return the possible orders of armies whose orders the viewer does not know. None if no such army has a choice.
    For a viewer without armies there is no worst world.
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
    """Return the choices an army may make, its current one included. Withdrawing is not considered."""
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
    """Return worlds in which all these armies make the same choice. An army without that choice goes on as it is."""
    every = dict.fromkeys(slug for open_to in choices.values() for slug in open_to)
    return [{army: slug for army, open_to in choices.items() if slug in open_to} for slug in every][:MOST]


def _drawn(choices: Mapping[str, Sequence[str]]) -> list[dict[str, str]]:
    """Return random worlds in which each army's choices are equally frequent, as nearly as possible."""
    random, worlds = Random(1), [dict[str, str]() for _world in range(DRAWN_MOST)]
    for army, open_to in choices.items():
        dealt = [open_to[number % len(open_to)] for number in range(DRAWN_MOST)]
        random.shuffle(dealt)
        for world, choice in zip(worlds, dealt, strict=True):
            world[army] = choice
    return worlds
