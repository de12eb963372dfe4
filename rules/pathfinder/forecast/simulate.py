"""Simulation of a battle's future many times, for any armies, sides and abilities.

Thousands of battles are simulated at once in arrays (`many`). Battles that the arrays cannot hold (`beyond_arrays`) are
played by the engine one by one. Those are fewer, and also called simulated.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from random import Random
from typing import NamedTuple

import numpy as np

from rules.core.dice import Roll
from rules.core.odds import AboutOdds, Odds
from rules.pathfinder.battle.state import events as e
from rules.pathfinder.battle.state.battle_state import RANGED, TACTICS, ArmyInBattle, BattleState, Order, Phase, changed
from rules.pathfinder.battle.state.draft import APPLY, Draft
from rules.pathfinder.battle.state.view import ArmyView
from rules.pathfinder.battle.steps.phase import resolve_phase, resolve_tactics
from rules.pathfinder.battle.steps.run import PhaseRun
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.forecast.many.battle_arrays import Happens, ManyBattles, happens
from rules.pathfinder.forecast.many.cast import Branch, Cast, TooMany, branches, residue
from rules.pathfinder.forecast.many.fates import ManyDice
from rules.pathfinder.forecast.many.reckoner import Reckoner
from rules.pathfinder.forecast.many.simulation_loop import COSTS_AS, Thrower, weight
from rules.pathfinder.forecast.standing import lasting_orders, looked_enough, watched, withdrawing
from rules.pathfinder.forecast.tally import FATES, NOBODY, UNDECIDED, Thrown, odds_of

# Battles played by the engine itself, one by one, where the arrays cannot hold them.


class Seeded:
    """Seeded dice: fast and repeatable, for simulations only."""

    __slots__ = ("_random",)

    def __init__(self, seed: int):
        self._random = Random(seed).random

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, int(self._random() * die) + 1)

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def resolved(battle: BattleState, dice: Seeded) -> BattleState:
    """Return the battle after this phase, as `decide` and `fold` would."""
    draft = Draft(battle)
    run = PhaseRun(draft, dice)
    (resolve_tactics if battle.phase.kind == TACTICS else resolve_phase)(run)
    closing = [event for event in draft.happened[-2:] if isinstance(event, e.PhaseEnded | e.PhaseBegan | e.BattleEnded)]
    for event in closing:  # these were recorded without being applied: `Draft.tell`
        APPLY[type(event)](draft, event)
    return draft.frozen()


def play(battle: BattleState, about: AboutOdds, dice: Seeded, most: int) -> tuple[BattleState, int]:
    """Play one battle until it is over or the forecast's horizon is reached. Returns its last state and the number of
    phases fought.
    """
    standing, until, fought = lasting_orders(battle), watched(battle, about), 0
    while battle.result is None and fought < most and not (fought and looked_enough(until, battle)):
        fights = battle.phase.kind != TACTICS
        if fights and about.retreats:
            battle = withdrawing(battle, about, fought)
        battle = resolved(battle, dice)
        fought += fights
        if standing and battle.result is None:
            battle = changed(battle, orders=standing)
    return battle, fought


class Pace(NamedTuple):
    """Number of battles to play: `asked`, or if None until `work` is done, but at least `fewest`."""

    asked: int | None
    fewest: int = 1
    work: int = 0

    def enough(self, played: int, worked: int) -> bool:
        return played >= self.asked if self.asked is not None else played >= self.fewest and worked >= self.work


def thrown_by_engine(battle: BattleState, about: AboutOdds, most: int, seed: int, pace: Pace) -> Thrown:
    """Play battles of at most `most` phases each. Work is counted in armies moved."""
    dice, ids, worked = Seeded(seed), tuple(battle.armies), 0
    ends: list[tuple[BattleState, int]] = []
    while not pace.enough(len(ends), worked):
        ends.append(play(battle, about, dice, most))
        worked += max(1, ends[-1][1]) * len(ids)
    return Thrown(
        ids,
        np.array([[end.armies[army].hp for end, _fought in ends] for army in ids], np.int16),
        np.array([[FATES.index(end.armies[army].status) for end, _fought in ends] for army in ids], np.int8),
        np.array([_winner(end) for end, _fought in ends], np.int8),
        np.array([fought for _end, fought in ends], np.int32),
    )


def _winner(battle: BattleState) -> int:
    if battle.result is None:
        return UNDECIDED
    return NOBODY if battle.result.winner is None else battle.result.winner


AT_ONCE = 16_384
"""Battles in one set of arrays: as many as fit the processor's cache."""
FIRST, FEWEST_FIRST = 2048, 1024
"""Battles of a first throw, to measure how long they last. It uses all the work if they last `USUAL` phases."""
USUAL = 40
MOST_BATTLES = 20_000
MOST_PHASES = 400
MOST_WAYS = 1024
WORK = 1_200_000
"""Work for one page: plain armies moved in arrays."""
AS_MANY_AS = 5
"""Battles asked about together may use the work of this many single questions."""
PLAYED_WORK = 12_000
"""Work of the engine for one question, in armies moved: more than half a second, for an error of at most six points."""
FEWEST = 8
"""Battles played at least, however long they last."""
BITS = 16
"""Most armies that one bit set can tell apart."""


type Candidates = Sequence[BattleState]
"""Equally likely versions of one battle, with different orders."""


def simulated(battle: BattleState, about: AboutOdds) -> Odds:
    """Return the simulated odds of a battle in its tactics, ranged or melee phase, with its current orders."""
    return _answers([(battle,)], about)[0]


def simulated_among(battles: Candidates, about: AboutOdds) -> Odds:
    """Return the simulated odds of a battle that is equally likely any of these."""
    return _answers([battles], about)[0]


def simulated_each(battles: Sequence[BattleState], about: AboutOdds) -> list[Odds]:
    """Return the simulated odds of each battle. They are one battle with different orders, so they
    share computations.
    """
    return _answers([(battle,) for battle in battles], about)


def _answers(questions: Sequence[Candidates], about: AboutOdds) -> list[Odds]:
    seed = _seed(questions, about.seed)
    starts = [[withdrawing(_at_blows(battle, seed), about, 0) for battle in battles] for battles in questions]
    shares = min(len(starts), AS_MANY_AS)
    found = thrown_together(starts, about, seed, WORK * shares) if about.phases != 0 else [None] * len(starts)
    work = PLAYED_WORK * shares // len(starts)
    return [
        odds_of(battles[0], thrown or _by_engine(battles, about, seed, work))
        for battles, thrown in zip(starts, found, strict=True)
    ]


def _at_blows(battle: BattleState, seed: int) -> BattleState:
    """Return the battle after its tactics phase."""
    if battle.phase.kind != TACTICS:
        return battle
    return changed(resolved(battle, Seeded(seed)), orders=lasting_orders(battle))


def _seed(questions: Sequence[Candidates], seed: int) -> int:
    """Return a seed that is the same for the same question, on every machine."""
    asked = repr((seed, [_told_apart(battle) for battles in questions for battle in battles]))
    return int.from_bytes(hashlib.sha256(asked.encode()).digest()[:8], "big")


def _told_apart(battle: BattleState) -> tuple[object, ...]:
    armies = [(a.id, a.hp, a.status, a.tactic, a.strategy, a.target, a.marks) for a in battle.armies.values()]
    return battle.phase, armies, sorted(battle.orders.items())


def _by_engine(battles: Candidates, about: AboutOdds, seed: int, work: int) -> Thrown:
    """Play equally many battles of each candidate with the engine."""
    slow, count = max(30, work // (FEWEST * len(battles[0].armies))), len(battles)
    most = slow if about.phases is None else about.phases
    asked = None if about.battles is None else max(1, about.battles // count)
    first = thrown_by_engine(battles[0], about, most, seed, Pace(asked, max(2, FEWEST // count), work // count))
    pace = Pace(first.winners.size)
    others = (thrown_by_engine(battle, about, most, seed + at, pace) for at, battle in enumerate(battles[1:], 1))
    return Thrown.together((first, *others))


# In arrays.
class Way(NamedTuple):
    """One possible outcome of steps 1 to 4 of a phase: the armies after it, its probability, and the question it
    belongs to.
    """

    armies: dict[str, ArmyInBattle]
    chance: float
    question: int


class Company(NamedTuple):
    """Battles that are simulated together: equal armies, and the outcomes of steps 1 to 4."""

    cast: Cast
    figures: Reckoner
    can: Happens
    ways: tuple[Way, ...]
    phase: Phase


def thrown_together(questions: Sequence[Candidates], about: AboutOdds, seed: int, work: float) -> list[Thrown | None]:
    """Simulate each question as often as this work allows in all. None for those that the arrays cannot hold."""
    walked = {place: ways for place, battles in enumerate(questions) if (ways := _walked(battles)) is not None}
    found: list[Thrown | None] = [None] * len(questions)
    if walked:
        throwing = Throwing(_companies(questions, about, walked), about, np.random.Generator(np.random.SFC64(seed)))
        for place, thrown in throwing.all(work).items():
            found[place] = _whole(questions[place][0], thrown)
    return found


def _walked(battles: Candidates) -> list[Branch] | None:
    share = 1 / len(battles)
    try:
        walked = [Branch(run, chance * share) for held in battles for run, chance in branches(held, MOST_WAYS)]
    except TooMany:
        return None
    beyond = any(
        beyond_arrays(branch.run.draft, lasting_orders(battles[0])) or parts_early(branch.run) for branch in walked
    )
    return None if beyond else walked


def beyond_arrays(draft: Draft, orders: Mapping[str, Order]) -> bool:
    """Whether the arrays cannot hold the battle: armies may be raised, or there are too many armies. Everything else is
    held by `ManyBattles`, or stays constant on the armies.
    """
    field = draft.on_field()
    views = [ArmyView(draft.battle, army) for army in field]
    rises = any(t.SPAWNS in army.profile.traits and army.id in orders and orders[army.id].spawn == "army"
                for army in field)  # fmt: skip
    told_apart = any(view.has(t.TAUNTS) or view.marked("inspired") for view in views)
    return rises or len(field) > (BITS if told_apart else 2 * BITS)


def parts_early(run: PhaseRun) -> bool:
    """Whether an army surrenders in this phase (R-88) or another ranged phase may follow (R-89). Arrays can't hold such
    battles, so the engine plays them.
    """
    if any(order.surrender for order in run.orders.values()):
        return True
    field = run.draft.on_field()
    staying = {army.side for army in field if run.order(army.id).stay_at_range}
    return run.phase.kind == RANGED and staying == {army.side for army in field}


def _companies(questions: Sequence[Candidates], about: AboutOdds, walked: Mapping[int, list[Branch]]) -> list[Company]:
    """Group outcomes of step 4 that differ only in what arrays hold."""
    groups: dict[str, list[tuple[int, Branch]]] = {}
    for place, found in walked.items():
        battle = questions[place][0]
        standing = sorted(lasting_orders(battle).items())
        for branch in found:
            draft = branch.run.draft
            armies = [draft.armies[army.id] for army in battle.on_field()]
            groups.setdefault(repr((residue(draft.battle, armies), standing)), []).append((place, branch))
    return [_company(questions[group[0][0]][0], about, group) for group in groups.values()]


def _company(battle: BattleState, about: AboutOdds, group: list[tuple[int, Branch]]) -> Company:
    ids = [army.id for army in battle.on_field()]
    draft = group[0][1].run.draft
    ways = tuple(Way({i: branch.run.draft.armies[i] for i in ids}, branch.chance, place) for place, branch in group)
    cast = Cast(draft.battle, [draft.armies[i] for i in ids], lasting_orders(battle), _stances(about, ids, ways))
    can = happens(cast, [army for way in ways for army in way.armies.values()])
    return Company(cast, Reckoner(cast), can, ways, battle.phase)


def _stances(about: AboutOdds, ids: list[str], ways: tuple[Way, ...]) -> list[list[tuple[str, str]]]:
    """Return for each army every tactic and strategy it can have from here on."""
    found = []
    for army in ids:
        stances = {(way.armies[army].tactic, way.armies[army].strategy) for way in ways}
        if army in about.retreats:
            stances |= {("withdraw", strategy) for _tactic, strategy in stances}
        found.append(sorted(stances))
    return found


class Throwing:
    """Simulates each question as often as asked, or as the work allows."""

    def __init__(self, companies: list[Company], about: AboutOdds, dice: np.random.Generator):
        self.companies, self.about, self.dice = companies, about, ManyDice(dice)
        self.chances: dict[int, list[float]] = {}
        for company in companies:
            for way in company.ways:
                self.chances.setdefault(way.question, []).append(way.chance)
        self.phases = MOST_PHASES if about.phases is None else about.phases
        self.worked = 0

    def all(self, work: float) -> dict[int, Thrown]:
        if (asked := self.about.battles) is not None:
            return self._throw(asked)
        begun = self._begun(work)
        first = self._throw(begun, work)
        more = min(int((work - self.worked) * begun / max(1, self.worked)), MOST_BATTLES - begun)
        if more < max(1, begun // 4):
            return first
        if any(not thrown.decided.all() for thrown in first.values()):  # the rest is cut at the same phase
            self.phases = max(int(thrown.phases.max()) for thrown in first.values())
        then = self._throw(more)
        return {place: Thrown.together((first[place], then[place])) for place in first}

    def _begun(self, work: float) -> int:
        """Return the number of battles in a first throw for each question, from the cost of a phase."""
        company, together = self.companies[0], len(self.chances)
        affordable = work / (USUAL * len(company.cast.ids) * weight(company.cast, company.can)) - COSTS_AS
        return int(min(FIRST, max(FEWEST_FIRST, affordable) / together)) + 1

    def _throw(self, count: int, work: float = inf) -> dict[int, Thrown]:
        at_once = max(1, AT_ONCE // len(self.chances))
        parts: dict[int, list[Thrown]] = {place: [] for place in self.chances}
        for begun in range(0, count, at_once):
            for place, thrown in self._batch(min(at_once, count - begun), work):
                parts[place].append(thrown)
        return {place: Thrown.together(found) for place, found in parts.items()}

    def _batch(self, count: int, work: float) -> Iterator[tuple[int, Thrown]]:
        """Simulate a batch. The battles are divided among the outcomes of step 4 by their probabilities."""
        counts = {place: iter(self.dice.generator.multinomial(count, np.array(chances) / sum(chances)).tolist())
                  for place, chances in self.chances.items()}  # fmt: skip
        for company in self.companies:
            shares = [(way, next(counts[way.question])) for way in company.ways]
            if groups := [(way, share) for way, share in shares if share]:
                yield from self._together(company, groups, work)

    def _together(self, company: Company, groups: list[tuple[Way, int]], work: float) -> Iterator[tuple[int, Thrown]]:
        loaded = [(way.armies, share) for way, share in groups]
        many = ManyBattles(company.cast, company.figures, company.can, loaded, company.phase)
        thrower = Thrower(many, self.about, self.dice)
        thrown = thrower.throw(self.phases, work)
        self.worked += thrower.worked
        end = 0
        for way, share in groups:
            end += share
            yield way.question, thrown.part(slice(end - share, end))


def _whole(battle: BattleState, thrown: Thrown) -> Thrown:
    """Add the armies that had left the field before."""
    ids, count = tuple(battle.armies), thrown.winners.size
    hp = np.repeat(np.array([[battle.armies[i].hp] for i in ids], np.int16), count, axis=1)
    fates = np.repeat(np.array([[FATES.index(battle.armies[i].status)] for i in ids], np.int8), count, axis=1)
    for row, army in enumerate(thrown.ids):
        hp[ids.index(army)], fates[ids.index(army)] = thrown.hp[row], thrown.fates[row]
    return Thrown(ids, hp, fates, thrown.winners, thrown.phases)
