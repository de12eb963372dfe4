"""Orders the viewer may not know: every world in which they are given, averaged, or the one that is worst for them.

In melee an unknown order is a strategy, before it a tactic; whoever gives it goes on as they are in everything else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import replace
from itertools import product
from random import Random
from typing import NamedTuple

from rules.core.odds import AboutOdds, Odds
from rules.core.text import Said, Term, _, say
from rules.law import Viewer
from rules.odds.intervals import half_width
from rules.odds.viewer_forecast import mixed
from rules.pathfinder.battle.orders.options import cannot_act
from rules.pathfinder.battle.state.battle_state import MELEE, ArmyInBattle, BattleState
from rules.pathfinder.forecast.choices import STRATEGY, TACTIC, answers, choosables, chosen
from rules.pathfinder.forecast.exact.forecast import exactly, many
from rules.pathfinder.forecast.simulate import simulated, simulated_among, simulated_each

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
    STRATEGY.slug: _("Where you do not know an army’s orders, each strategy open to it is as likely as any other."),
    TACTIC.slug: _("Where you do not know an army’s orders, each tactic open to it is as likely as any other."),
}
WORST: dict[str, Term] = {
    STRATEGY.slug: _("Enemies whose orders you do not know choose the strategy that is worst for you."),
    TACTIC.slug: _("Enemies whose orders you do not know choose the tactic that is worst for you."),
}
NOTHING_ELSE = _("They order nothing else, and nobody of them withdraws.")
ALIKE = _("All of them choose alike: there are too many to weigh each on its own.")
DRAWN = _("There are too many ways to combine their choices: {count} of them were drawn and weighed.")


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
