"""The future of a battle by throwing it many times: any armies, any sides, any abilities.

Thousands of battles go through arrays at once (`many`). What the arrays do not hold (`beyond_arrays`) is played by the
engine itself, battle by battle: fewer of them, under the same label.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from math import inf
from typing import NamedTuple

import numpy as np

from rules.odds import AboutOdds, Odds
from rules.pathfinder import traits as t
from rules.pathfinder.battle.state.battle import TACTICS, ArmyInBattle, BattleState, Order, Phase, changed
from rules.pathfinder.battle.state.draft import Draft
from rules.pathfinder.battle.state.view import ArmyView

from .branches import Branch, TooMany, branches
from .many.cast import Cast, residue
from .many.field import Happens, ManyBattles, happens
from .many.figures import Reckoner
from .many.run import COSTS_AS, Thrower, weight
from .played import Pace, Seeded, resolved, thrown_by_engine
from .standing import lasting_orders, withdrawing
from .tally import FATES, Thrown, odds_of

AT_ONCE = 16_384
"""Battles in arrays: as many at once as stay near the processor."""
FIRST, FEWEST_FIRST = 2048, 256
"""So many are thrown to see how long they last: as many as work allows where they last for `USUAL` phases."""
USUAL = 40
MOST_BATTLES = 20_000
MOST_PHASES = 400
MOST_WAYS = 128
WORK = 900_000
"""What a page gladly waits for: so many plain armies moved by arrays. It waits twice as long for the first throw."""
PLAYED_WORK = 2_000
"""The same, armies moved by the engine."""
FEWEST = 8
"""As many battles are played however long they last."""
BITS = 16
"""So many armies can be told apart in one number."""


def simulated(battle: BattleState, about: AboutOdds) -> Odds:
    """The odds of a battle in its tactics, ranged or melee phase, with the orders it holds; `about` as asked for."""
    return simulated_among((battle,), about)


def simulated_among(battles: Sequence[BattleState], about: AboutOdds) -> Odds:
    """The same where each of these is as likely the one as any other: one battle, ordered in different ways."""
    seed = _seed(battles[0], about.seed)
    starts = [withdrawing(_at_blows(battle, seed), about, 0) for battle in battles]
    thrown = thrown_among(starts, about, seed) if about.phases != 0 else None
    return odds_of(starts[0], thrown or _by_engine(starts, about, seed))


def _at_blows(battle: BattleState, seed: int) -> BattleState:
    """After its tactics phase."""
    if battle.phase.kind != TACTICS:
        return battle
    return changed(resolved(battle, Seeded(seed)), orders=lasting_orders(battle))


def _seed(battle: BattleState, seed: int) -> int:
    """The same for the same question, on every machine."""
    armies = [(a.id, a.hp, a.status, a.tactic, a.strategy, a.target, a.marks) for a in battle.armies.values()]
    asked = repr((seed, battle.phase, armies, sorted(battle.orders.items())))
    return int.from_bytes(hashlib.sha256(asked.encode()).digest()[:8], "big")


def _by_engine(battles: Sequence[BattleState], about: AboutOdds, seed: int) -> Thrown:
    slow = max(30, PLAYED_WORK // (FEWEST * len(battles[0].armies)))
    most = slow if about.phases is None else about.phases
    pace = Pace(about.battles, FEWEST, PLAYED_WORK)
    if (count := len(battles)) > 1:  # of each as many
        pace = Pace(max(2, (about.battles or 0) // count))
    return Thrown.together(thrown_by_engine(battle, about, most, seed + at, pace) for at, battle in enumerate(battles))


# in arrays
class Company(NamedTuple):
    """Battles that can be thrown together: the same armies, and the ways they come out of step 4."""

    cast: Cast
    figures: Reckoner
    can: Happens
    ways: tuple[dict[str, ArmyInBattle], ...]
    chances: tuple[float, ...]
    phase: Phase


def thrown_by_arrays(battle: BattleState, about: AboutOdds, seed: int) -> Thrown | None:
    """None where the arrays do not hold the battle."""
    return thrown_among((battle,), about, seed)


def thrown_among(battles: Sequence[BattleState], about: AboutOdds, seed: int) -> Thrown | None:
    """As many of each: the ways they come out of step 4 are thrown together."""
    battle, share = battles[0], 1 / len(battles)
    try:
        walked = [Branch(run, chance * share) for held in battles for run, chance in branches(held, MOST_WAYS)]
    except TooMany:
        return None
    if any(beyond_arrays(branch.run.draft, lasting_orders(battle)) for branch in walked):
        return None
    throwing = Throwing(_companies(battle, about, walked), about, np.random.Generator(np.random.SFC64(seed)))
    return _whole(battle, throwing.all())


def beyond_arrays(draft: Draft, orders: Mapping[str, Order]) -> bool:
    """Armies that rise: the engine plays these.

    Everything else on the army is held by `ManyBattles`, or stays on it as it is.
    """
    field = draft.on_field()
    views = [ArmyView(draft.battle, army) for army in field]
    rises = any(t.SPAWNS in army.profile.traits and army.id in orders and orders[army.id].spawn == "army"
                for army in field)  # fmt: skip
    told_apart = any(view.has(t.TAUNTS) or view.marked("inspired") for view in views)
    return rises or len(field) > (BITS if told_apart else 2 * BITS)


def _companies(battle: BattleState, about: AboutOdds, walked: list[Branch]) -> list[Company]:
    """Ways out of step 4 that differ in nothing but what arrays hold go together."""
    ids = [army.id for army in battle.on_field()]
    groups: dict[str, list[Branch]] = {}
    for branch in walked:
        draft = branch.run.draft
        groups.setdefault(repr(residue(draft.battle, [draft.armies[i] for i in ids])), []).append(branch)
    return [_company(battle, about, ids, group) for group in groups.values()]


def _company(battle: BattleState, about: AboutOdds, ids: list[str], group: list[Branch]) -> Company:
    draft = group[0].run.draft
    ways = tuple({i: branch.run.draft.armies[i] for i in ids} for branch in group)
    cast = Cast(draft.battle, [draft.armies[i] for i in ids], lasting_orders(battle), _stances(about, ids, ways))
    can = happens(cast, [army for way in ways for army in way.values()])
    return Company(cast, Reckoner(cast), can, ways, tuple(branch.chance for branch in group), battle.phase)


def _stances(
    about: AboutOdds, ids: list[str], ways: tuple[dict[str, ArmyInBattle], ...]
) -> list[list[tuple[str, str]]]:
    """Every tactic and strategy an army can have from here on."""
    found = []
    for army in ids:
        stances = {(way[army].tactic, way[army].strategy) for way in ways}
        if army in about.retreats:
            stances |= {("withdraw", strategy) for _tactic, strategy in stances}
        found.append(sorted(stances))
    return found


class Throwing:
    """Throws as many battles as are asked for, or as the work allows."""

    def __init__(self, companies: list[Company], about: AboutOdds, dice: np.random.Generator):
        self.companies, self.about, self.dice = companies, about, dice
        self.chances = [chance for company in companies for chance in company.chances]
        self.phases = MOST_PHASES if about.phases is None else about.phases
        self.worked = 0

    def all(self) -> Thrown:
        if (asked := self.about.battles) is not None:
            return self._throw(asked)
        begun = self._begun()
        first = self._throw(begun, 2 * WORK)
        more = int((WORK - self.worked) * begun / max(1, self.worked))
        if more < begun // 4:
            return first
        return Thrown.together((first, self._throw(min(more, MOST_BATTLES - begun))))

    def _begun(self) -> int:
        """How many a first throw holds, by what a phase costs."""
        company = self.companies[0]
        affordable = WORK / (USUAL * len(company.cast.ids) * weight(company.cast, company.can)) - COSTS_AS
        return int(min(FIRST, max(FEWEST_FIRST, affordable)))

    def _throw(self, count: int, work: float = inf) -> Thrown:
        parts = [min(AT_ONCE, count - begun) for begun in range(0, count, AT_ONCE)]
        return Thrown.together(part for size in parts for part in self._batch(size, work))

    def _batch(self, count: int, work: float) -> Iterator[Thrown]:
        """The battles fall to the ways out of step 4 as their chances have it."""
        counts = self.dice.multinomial(count, np.array(self.chances) / sum(self.chances)).tolist()
        for company in self.companies:
            mine, counts = counts[: len(company.ways)], counts[len(company.ways) :]
            groups = [(way, n) for way, n in zip(company.ways, mine, strict=True) if n]
            if groups:
                many = ManyBattles(company.cast, company.figures, company.can, groups, company.phase)
                thrower = Thrower(many, self.about, self.dice)
                yield thrower.throw(self.phases, work)
                self.worked += thrower.worked


def _whole(battle: BattleState, thrown: Thrown) -> Thrown:
    """With the armies that had left the field before the look began."""
    ids, count = tuple(battle.armies), thrown.winners.size
    hp = np.repeat(np.array([[battle.armies[i].hp] for i in ids], np.int16), count, axis=1)
    fates = np.repeat(np.array([[FATES.index(battle.armies[i].status)] for i in ids], np.int8), count, axis=1)
    for row, army in enumerate(thrown.ids):
        hp[ids.index(army)], fates[ids.index(army)] = thrown.hp[row], thrown.fates[row]
    return Thrown(ids, hp, fates, thrown.winners, thrown.phases)
