"""An exact forecast of another make: the real engine, played through every face that differs, in fractions.

Slow, and it knows nothing of chains. Orders are given once; what of them lasts is given again every phase.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from typing import NamedTuple

from rules.core.dice import Roll
from rules.pathfinder.battle.decide import decide
from rules.pathfinder.battle.orders import commands as c
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import BattleState, Mark, Order, changed
from rules.pathfinder.battle.state.fold import fold
from tests.rules.pathfinder.strategies import GM

CHECKS = ("tactic", "strategy", "taunt", "fear", "rout", "rout-reroll")
BLOWS = ("attack", "parting")


class Scripted:
    """These faces, then the highest."""

    def __init__(self, faces: tuple[int, ...]):
        self.faces, self.fallen = faces, []

    def roll(self, army: str, name: str, die: int) -> Roll:
        at = len(self.fallen)
        self.fallen.append(Roll(army, name, die, self.faces[at] if at < len(self.faces) else die))
        return self.fallen[-1]

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


class Way(NamedTuple):
    chance: Fraction
    after: BattleState


class Run(NamedTuple):
    rolls: list[Roll]
    events: tuple[e.Event, ...]


def run(battle: BattleState, faces: tuple[int, ...]) -> Run:
    dice = Scripted(faces)
    return Run(dice.fallen, decide(battle, c.Resolve(), dice, GM))


type Blows = dict[object, list[list[int]]]
"""By the figures of a blow the faces of it that come to the same, whenever it falls."""


def ways(
    battle: BattleState, blows: Blows, faces: tuple[int, ...] = (), chance: Fraction = Fraction(1)
) -> Iterator[Way]:
    """Every way the phase can go from these dice on, alike ones once."""
    told = run(battle, faces)
    if len(told.rolls) == len(faces):
        yield Way(chance, fold(battle, told.events))
        return
    roll = told.rolls[len(faces)]
    for alike in alternatives(battle, blows, faces, told):
        yield from ways(battle, blows, (*faces, alike[0]), chance * Fraction(len(alike), roll.die))


def alternatives(battle: BattleState, blows: Blows, faces: tuple[int, ...], told: Run) -> list[list[int]]:
    """Of the next die the faces that do the same."""
    roll = told.rolls[len(faces)]
    every = range(1, roll.die + 1)
    if roll.name in CHECKS:
        event = decided_by(told, roll)
        bonus = event.check - event.rolls[-1].value
        found = [[f for f in every if f + bonus >= event.against], [f for f in every if f + bonus < event.against]]
        return [alike for alike in found if alike]
    if roll.name not in BLOWS:
        return [[face] for face in every]
    blow = figures(decided_by(told, roll))
    if blow not in blows:
        classes: dict[object, list[int]] = defaultdict(list)
        for face in every:
            classes[what_it_does(battle, faces, face)].append(face)
        blows[blow] = list(classes.values())
    return blows[blow]


def figures(blow: e.Event) -> object:
    """What it comes to hangs on these and on its die: all that is told of it where it shows the highest face."""
    return (blow.kind, blow.mode, blow.army, blow.target, blow.om, blow.dv, blow.damage_lines, blow.spared,
            blow.hp_before, blow.rolls)  # fmt: skip


def decided_by(told: Run, roll: Roll) -> e.Event:
    return next(event for event in told.events if roll in getattr(event, "rolls", ()))


def what_it_does(battle: BattleState, faces: tuple[int, ...], face: int) -> object:
    told = run(battle, (*faces, face))
    event = decided_by(told, told.rolls[len(faces)])
    return face if len(event.rolls) > 1 else (event.lost, event.damage > 0, event.bars)


def sign(battle: BattleState) -> object:
    """The battle as the next phase sees it, whenever it is."""
    tick = battle.phase.tick
    armies = tuple(
        (a.id, a.hp, a.status, a.tactic, a.strategy, a.target, tuple(sorted(a.spent.items())), a.engines, a.attacked,
         a.felled_by, min(a.melees, 1), tuple(sorted(mark_sign(mark, tick) for mark in a.marks)))
        for a in battle.armies.values()
    )  # fmt: skip
    phase = battle.phase.kind, min(battle.phase.number, 2)
    return phase, armies, battle.forts, battle.conditions, tuple(sorted(battle.orders.items())), battle.result


def mark_sign(mark: Mark, tick: int) -> tuple[object, ...]:
    at = "" if mark.at is None else str(mark.at - tick)
    other = str(int(mark.other) - tick) if mark.kind == "last-stand" else mark.other
    return mark.kind, other, at, mark.detail, mark.amount, mark.source


@dataclass
class Future:
    """What came out: by army the health and the status, the sides' wins, when it was decided."""

    win: dict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    mutual: Fraction = Fraction(0)
    undecided: Fraction = Fraction(0)
    health: dict[tuple[str, int], Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    fates: dict[tuple[str, str], Fraction] = field(default_factory=lambda: defaultdict(Fraction))
    lengths: dict[int, Fraction] = field(default_factory=lambda: defaultdict(Fraction))

    def add(self, battle: BattleState, chance: Fraction, phase: int) -> None:
        for army in battle.armies.values():
            self.health[army.id, army.hp] += chance
            self.fates[army.id, army.status] += chance
        if battle.result is None:
            self.undecided += chance
            return
        self.lengths[phase] += chance
        if battle.result.winner is None:
            self.mutual += chance
        else:
            self.win[battle.result.winner] += chance


def future(battle: BattleState, phases: int, until: Mapping[str, int] | None = None) -> Future:
    """The battle played through so many phases in every way."""
    lasting = {army: Order(army, hold_the_line=True) for army, o in battle.orders.items() if o.hold_the_line}
    found, known = Future(), {}
    now = {sign(battle): (battle, Fraction(1))}
    blows: Blows = {}
    number = 0
    while now and number < phases:
        fights = next(iter(now.values()))[0].phase.kind != "tactics"
        number += fights
        then: dict[object, tuple[BattleState, Fraction]] = {}
        for key, (held, chance) in now.items():
            if key not in known:
                known[key] = merged(held, lasting, blows)
            for share, after in known[key]:
                looked = fights and any(after.armies[army].hp <= hp for army, hp in (until or {}).items())
                if after.result is not None or looked:
                    found.add(after, chance * share, number)
                    continue
                mark = sign(after)
                before = then.get(mark, (after, Fraction(0)))[1]
                then[mark] = (after, before + chance * share)
        now = then
    for held, chance in now.values():
        found.add(held, chance, number)
    return found


def merged(battle: BattleState, lasting: dict[str, Order], blows: Blows) -> list[Way]:
    """The ways of a phase, those that come to the same state once."""
    found: dict[object, Way] = {}
    for chance, after in ways(battle, blows):
        if lasting and after.result is None:
            after = changed(after, orders=lasting)
        key = sign(after)
        found[key] = Way(chance + (found[key].chance if key in found else 0), after)
    return list(found.values())
