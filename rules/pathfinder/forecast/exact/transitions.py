"""Transitions of each phase to come, read from the engine while nobody is hurt (PF-3.5).

Blows are simultaneous. So what an army has left depends only on the other's rolls and its own checks, as long as no
figure, target or check depends on hit points. `rules.pathfinder.forecast.exact.supported` checks that.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from rules.core.dice import Roll
from rules.law import whole
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import MELEE, TACTICS, ArmyInBattle, BattleState, Order, changed
from rules.pathfinder.battle.state.draft import Draft
from rules.pathfinder.battle.state.fold import fold
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.battle.steps.ends import (
    chance_to_stand,
    end_phase,
    may_hold,
    may_part,
    mending,
    never_routs,
    resisted,
    rout_lines,
)
from rules.pathfinder.battle.steps.phase import come_to_blows, resolve_tactics
from rules.pathfinder.battle.steps.run import PhaseRun, chance_to_pass
from rules.pathfinder.battle.steps.strike import Exchange, bleeding, exchange, hold_and_trip
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import Fact
from rules.pathfinder.figures import total
from rules.pathfinder.forecast.exact.hit_point_losses import Harm, harm_of
from rules.pathfinder.forecast.exact.supported import CHECKS, NotUnderstood, check_army, check_pair, check_run

MOST_TURNS = 12  # until the phases repeat
MOST_BRANCHES = 8


class Facing(NamedTuple):
    """Effects of one phase on an army, and its chances to stay on the field.

    `blow` is None if the other makes no attack, `parting` if it makes no parting shot or parting shots are not asked
    for. `firm` is the chance to pass the rout check, `firm_struck` after an attack. `bleeds` is the resistance to the
    d6 that a wound of this phase costs in the next, or None. `mend` and `heal` are the healing in steps 1 and 4.
    """

    blow: Harm | None
    parting: Harm | None
    firm: float
    firm_struck: float
    bleeds: int | None
    mend: tuple[int, ...]
    heal: tuple[int, ...]
    weather: bool

    @property
    def plain(self) -> bool:
        """Whether only blows and rout can happen."""
        return self.bleeds is None and not (self.mend or self.heal or self.weather)


type Turn = tuple[Facing, Facing]


class Rout(NamedTuple):
    """Rout check that can fail: its bonus, and whether it may be rerolled."""

    bonus: int
    again: bool


class Suffering(NamedTuple):
    """Figures behind a `Facing`. `calm` and `struck` are its rout checks, None if passed without a die."""

    blow: Exchange | None
    parting: Exchange | None
    calm: Rout | None
    struck: Rout | None
    bleeds: int | None
    mend: tuple[int, ...]
    heal: tuple[int, ...]
    weather: bool

    def facing(self, margin: int = 0, morale: int = 0) -> Facing:
        """Return the facing with the foe's margin of Offense over Defense, and its own morale bonus, changed by so
        much.
        """
        return Facing(
            _harm(self.blow, margin), _harm(self.parting, margin),
            _firm(self.calm, morale), _firm(self.struck, morale),
            self.bleeds, self.mend, self.heal, self.weather,
        )  # fmt: skip


def _harm(pair: Exchange | None, margin: int) -> Harm | None:
    if pair is None:
        return None
    return harm_of(pair._replace(om_total=pair.om_total + margin) if margin else pair)


def _firm(rout: Rout | None, morale: int = 0) -> float:
    return 1.0 if rout is None else float(chance_to_stand(rout.bonus + morale, rout.again))


type Sight = tuple[Suffering, Suffering]


class Seen(NamedTuple):
    """Figures of a turn, with a cache key of everything they depend on: equal keys mean equal figures."""

    figures: Sight
    why: object | None


class Course(NamedTuple):
    """Possible sequence of phases; the last repeats forever. `weight` is its probability."""

    weight: float
    turns: tuple[Turn, ...]


class Chained(NamedTuple):
    """Army of a Markov chain. `bleeding` is the resistance to each wound it starts with."""

    id: str
    hp: int
    hp_max: int
    acr: int
    captured: bool
    regenerates: bool
    bleeding: tuple[int, ...]


def body_of(battle: BattleState, army: ArmyInBattle) -> Chained:
    wounds = tuple([resisted(army, mark.detail) for mark in army.marks if mark.kind == "bleeding"])
    return Chained(
        army.id, army.hp, army.hp_max, army.acr, army.id in battle.opening.cannot_leave,
        t.REGENERATES in army.profile.traits, wounds,
    )  # fmt: skip


def courses(battle: BattleState, standing: dict[str, Order], *, parting: bool = True) -> list[Course]:
    """Return every possible course of the phases, by the checks that change tactics and strategies.

    `parting`: with parting shots, which only affect the fate of routed armies. Raises `NotUnderstood` if an army's fate
    depends on more than its own chain of hit points.
    """
    found = sights(battle, standing, parting=parting)
    return [Course(weight, settled([(one.facing(), two.facing()) for one, two in turns])) for weight, turns in found]


def sights(battle: BattleState, standing: dict[str, Order], *, parting: bool) -> list[tuple[float, list[Sight]]]:
    """Return the courses as figures of the two armies."""
    for army in battle.on_field():
        check_army(battle, army)
    battle = _unhurt(battle)
    if battle.phase.kind == TACTICS:
        battle = _after_tactics(battle, standing)
    return list(_Way(standing, parting).onward(battle, None))


def settled(turns: list[Turn]) -> tuple[Turn, ...]:
    """Drop turns at the end that only repeat the previous one."""
    while len(turns) > 1 and turns[-1] == turns[-2]:
        turns.pop()
    return tuple(turns)


def _unhurt(battle: BattleState) -> BattleState:
    """Return the battle with armies at 1 hit point, so that healing shows, and without bleeding, which the chain
    computes.
    """
    armies = {
        army.id: changed(army, hp=1, marks=tuple([mark for mark in army.marks if mark.kind != "bleeding"]))
        for army in battle.armies.values()
    }
    return changed(battle, armies=armies)


def _after_tactics(battle: BattleState, standing: dict[str, Order]) -> BattleState:
    run = PhaseRun(Draft(battle), DiceAsTold(()))
    resolve_tactics(run)
    return _closed(run, standing)


def _closed(run: PhaseRun, standing: dict[str, Order]) -> BattleState:
    """Return the battle at the beginning of the next phase. The events that close a phase were recorded without being
    applied (`Draft.tell`).
    """
    battle = fold(run.draft.frozen(), run.draft.happened[-2:])
    return changed(battle, orders=standing) if standing else battle


class _Way(NamedTuple):
    """Settings of the walk: orders that last, and whether parting shots are asked for."""

    standing: dict[str, Order]
    parting: bool

    def onward(
        self, battle: BattleState, before: object, last: Seen | None = None, depth: int = 0
    ) -> Iterator[tuple[float, list[Sight]]]:
        """Yield the turns from here for each combination of check results. The last turn repeats."""
        sign = _signature(battle)
        if sign == before:
            yield 1.0, []
            return
        if depth == MOST_TURNS:
            raise NotUnderstood("it never settles")
        for weight, run, calm in _branches(battle):
            seen = _seen(run, last, parting=self.parting)
            if calm and self._goes_on_so(run):
                yield weight, [seen.figures]
                continue
            for further, turns in self.onward(_ended(run, self.standing), sign, seen, depth + 1):
                yield weight * further, [seen.figures, *turns]

    def _goes_on_so(self, run: PhaseRun) -> bool:
        """Whether a calm phase repeats: there are no lasting orders and the next phase has the same figures."""
        first = run.phase.number == 1 and any(Fact.PHASE in run.view(army.id).reads for army in run.draft.on_field())
        return not self.standing and not first


def _ended(run: PhaseRun, standing: dict[str, Order]) -> BattleState:
    end_phase(run)
    if len(run.draft.on_field()) < 2:
        raise NotUnderstood("somebody leaves")
    return _closed(run, standing)


def _signature(battle: BattleState) -> object:
    """Return a key of everything the next phase depends on except hit points. If it repeats, the
    phases repeat forever.
    """
    phase = battle.phase
    armies = tuple([_standing(army, phase.tick) for army in battle.on_field()])
    number = min(phase.number, 2) if phase.kind == MELEE else phase.number
    orders = tuple(battle.orders.values())
    return phase.kind, number, battle.conditions, battle.forts, orders, armies


def _standing(army: ArmyInBattle, tick: int) -> object:
    marks = tuple([(m.kind, m.other, m.at and m.at - tick, m.detail, m.amount, m.source) for m in army.marks])
    stance = (army.tactic, army.strategy, army.target, marks)
    return stance, id(army.profile), army.engines, army.adjustments, tuple(army.spent.items())


class DiceAsTold:
    """Dice with given faces, and 20 afterwards; the rolls are recorded. Raises `NotUnderstood` for a die that decides
    more than a change of stance.
    """

    def __init__(self, faces: tuple[int, ...]):
        self._faces = faces
        self.fallen: list[Roll] = []

    def roll(self, army: str, name: str, die: int) -> Roll:
        if name not in CHECKS:
            raise NotUnderstood(name)
        at = len(self.fallen)
        self.fallen.append(Roll(army, name, die, self._faces[at] if at < len(self._faces) else die))
        return self.fallen[-1]

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def _branches(battle: BattleState) -> Iterator[tuple[float, PhaseRun, bool]]:
    """Yield the phase up to its blows for each combination of check results, with its probability and whether it is
    calm.
    """
    waiting: list[tuple[float, tuple[int, ...]]] = [(1.0, ())]
    for _branch in range(MOST_BRANCHES):
        if not waiting:
            return
        weight, faces = waiting.pop()
        dice = DiceAsTold(faces)
        run = PhaseRun(Draft(battle), dice)
        calm = come_to_blows(run)
        check_run(run)
        for at, roll in enumerate(dice.fallen[len(faces) :], len(faces)):
            passed = _chance_passed(run, roll)
            if passed < 1:
                waiting.append((weight * (1 - passed), (*(r.value for r in dice.fallen[:at]), 1)))
            weight *= passed
        if weight:
            yield weight, run, calm
    if waiting:
        raise NotUnderstood("too many checks")


def _chance_passed(run: PhaseRun, roll: Roll) -> float:
    """Return the chance to pass the check that this die decides (PF-3.1)."""
    event = next(event for event in run.draft.happened if roll in getattr(event, "rolls", ()))
    assert isinstance(event, e.TacticChosen | e.StrategyChosen)
    return chance_to_pass(whole(event.check) - roll.value, whole(event.against))


def _seen(run: PhaseRun, last: Seen | None, *, parting: bool) -> Seen:
    """Return the turn just before the blows: who attacks whom, with the current figures."""
    armies = run.draft.on_field()
    if len(armies) != 2:
        raise NotUnderstood("somebody leaves")
    why = _why(run)
    if last is not None and why is not None and why == last.why:
        hold_and_trip(run)
        return last
    untouched = [_rout(run, army) for army in armies]
    hold_and_trip(run)
    run.look()
    first, second = [army.id for army in armies]
    mine = _figures(run, first, second, untouched[0], parting=parting)
    return Seen((mine, _figures(run, second, first, untouched[1], parting=parting)), why)


def _why(run: PhaseRun) -> object | None:
    """Return the cache key of a turn: everything that its figures depend on. None if an army bears marks, which may
    last only one phase.
    """
    views = [run.view(army.id) for army in run.draft.on_field()]
    if any(view.army.marks for view in views):
        return None
    reads = views[0].reads | views[1].reads
    armies = [(v.sources, v.facts(reads), run.order(v.id).hold_the_line, _healed(run, v.id)) for v in views]
    battle = run.draft.battle
    return run.phase.kind, run.plan, run.at_range, armies, battle.conditions, battle.forts


def _rout(run: PhaseRun, army: ArmyInBattle) -> Rout | None:
    return None if never_routs(army) else Rout(total(rout_lines(run, army)), may_hold(run, army))


def _figures(run: PhaseRun, army_id: str, foe_id: str, calm: Rout | None, *, parting: bool) -> Suffering:
    """Return the figures of the foe's attack on this army."""
    army, me, foe = run.army(army_id), run.views[army_id], run.views[foe_id]
    check_pair(foe, me)
    planned = [mode for attacker, target, mode in run.plan if (attacker, target) == (foe_id, army_id)]
    struck = calm
    if planned and "grabbed" in [mark.kind for mark in army.marks]:
        struck = _rout(run, army)
    bleeds = bleeding(foe, me) if planned and planned[0] == "melee" else ""
    return Suffering(
        exchange(foe, me, planned[0], "attack") if planned else None,
        _parting(run, army_id, foe, me) if parting and _firm(calm) * _firm(struck) < 1 else None,
        calm, struck,
        resisted(army, bleeds) if bleeds else None,
        tuple([max(1, amount) for _name, amount in mending(army)]),
        _healed(run, army_id),
        run.draft.battle.conditions != () and me.under("sandstorm"),
    )  # fmt: skip


def _parting(run: PhaseRun, army_id: str, foe: ArmyView, me: ArmyView) -> Exchange | None:
    if not may_part(run, run.army(foe.id), army_id):
        return None
    return exchange(foe, me, run.mode(foe.id, army_id), "parting")


def _healed(run: PhaseRun, army_id: str) -> tuple[int, ...]:
    """Return the healing by declared uses, observed on an army with 1 hit point (PF-3.5)."""
    names = ("fast-healing", "regeneration")
    healed = [event for event in run.draft.happened if isinstance(event, e.Healed)]
    return tuple([whole(event.amount) for event in healed if event.army == army_id and event.cause not in names])
