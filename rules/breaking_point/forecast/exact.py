"""Exact odds of duels: one body against another, round by round, until everything is decided (BP-4).

The battle engine gives the target of each test; every face of the die is weighted by its probability instead of rolled.
`heart`: the bonus that a body gains when an attack on it fails (B-30).
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from functools import cache, lru_cache
from typing import NamedTuple

from rules.breaking_point.battle.orders.legal import ATTACK, SHOOT
from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import (
    ANNIHILATED,
    COMMAND,
    FIELD,
    FIGHTING,
    FLED,
    FLEET,
    GONE,
    QUIET_MOST,
    ROUND,
    ROUTED,
    BattleNow,
    Body,
    BodyOrder,
    Heart,
    Phase,
    Status,
    state_of,
)
from rules.breaking_point.battle.state.reach import order_of_sides
from rules.breaking_point.battle.steps.command import command_lines, surprised_by, without_test
from rules.breaking_point.battle.steps.phase import RALLY_FROM, dusk_of, rally_lines
from rules.breaking_point.battle.steps.run import Run
from rules.breaking_point.battle.steps.strike import CONTACT, SHOT, loss_of, strike, weigh
from rules.breaking_point.battle.telling.summary import health_of, status_of
from rules.breaking_point.dice import DIE, MOST_FACES, percent_lost, percent_rallied, runs_on, value_of
from rules.breaking_point.forecast.choices import idle_armies, ordered
from rules.breaking_point.forecast.tally import NOBODY, UNDECIDED, Ended, odds_of
from rules.core.dice import Roll
from rules.core.odds import AboutOdds, Odds
from rules.law import whole

MOST_WORK = 80_000
"""Transitions computed before a duel is simulated instead."""
RAREST, MISSING_MOST = 1e-12, 1e-6
"""Rarer results are ignored. If more than the second number is missing at the end, the duel is simulated instead."""


@cache
def die(plain: bool) -> Mapping[int, float]:
    """Return the probability of each value of the die (B-1)."""
    found: dict[int, float] = defaultdict(float)
    _fall((), 1.0, plain, found)
    return dict(sorted(found.items()))


def _fall(faces: tuple[int, ...], chance: float, plain: bool, found: dict[int, float]) -> None:
    if faces and (len(faces) >= MOST_FACES or not runs_on(faces, plain=plain)):
        found[value_of(faces, plain=plain)] += chance
        return
    for face in range(1, DIE + 1):
        _fall((*faces, face), chance / DIE, plain, found)


class DuelMark(NamedTuple):
    """Changing state of a body in a duel. `lent` is the bonus from the foe's failure; `fresh`: given in this round."""

    losses: int
    status: Status = FIGHTING
    lent: int = 0
    fresh: bool = False
    rallied: bool = False


type DuelPair = tuple[DuelMark, DuelMark]
type PairChances = dict[DuelPair, float]
type Effect = tuple[int, int | None, float]
"""Possible result of a test: losses of the target, bonus to it (None: unchanged), and probability."""
type Key = tuple[object, ...]
type Way = tuple[DuelPair, tuple[tuple[int, Key], ...]]
"""State within a step, and the tests still to be made."""


class TooMuch(Exception):
    """Raised if the duel is too long for an exact answer."""


def exactly(battle: BattleNow, about: AboutOdds) -> Odds | None:
    """Return the exact odds; None if this is no duel, or too long a one."""
    if about.retreats or about.until or battle.kind not in (FIELD, FLEET) or idle_armies(battle, about):
        return None
    try:
        ends = list(_ends(battle, about))
    except TooMuch:
        return None
    missing = abs(1 - sum(end.chance for end in ends))
    return odds_of(battle, _merged(ends), exact=True) if ends and missing < MISSING_MOST else None


def _merged(ends: Iterable[Ended]) -> list[Ended]:
    """Merge indistinguishable outcomes, adding their probabilities."""
    found: dict[tuple[object, ...], Ended] = {}
    for end in ends:
        key = (end.winner, *end.left.values(), *end.fates.values(), end.rounds)
        known = found.get(key)
        found[key] = end if known is None else known._replace(chance=known.chance + end.chance)
    return list(found.values())


def _ends(battle: BattleNow, about: AboutOdds) -> Iterator[Ended]:
    for begun, chance in _begun(battle):
        duel = duel_of(begun)
        if duel is None or (duel.mutual and about.phases != 1):  # long exchanges of blows have too many outcomes
            return
        for end in duel.ends(about.phases):
            yield end._replace(chance=end.chance * chance)


def _begun(battle: BattleNow) -> Iterator[tuple[BattleNow, float]]:
    """Yield the battle at its next round, once for each outcome of a command test, with its probability (BP-4.1)."""
    if battle.phase.kind == ROUND:
        yield battle, 1.0
        return
    if battle.phase.kind != COMMAND or len(battle.sides) != 2 or any(o.withdraw for o in battle.orders.values()):
        return
    if battle.holds(c.UNTESTED):
        settled = without_test(battle)
        yield battle.changed(scores=settled.scores, surprised=frozenset(settled.surprised), phase=Phase(ROUND, 1),
                             due=frozenset()), 1.0  # fmt: skip
        return
    one, two = (command_lines(battle, side)[1].total for side in (0, 1))
    for ahead, chance in _tested(one - two, battle.house.plain_die).items():
        scores: list[int | None] = [ahead, 0]
        surprised = frozenset(surprised_by([max(ahead, 0), max(-ahead, 0)], battle))
        begun = battle.changed(scores=tuple(scores), surprised=surprised, phase=Phase(ROUND, 1), due=frozenset())
        yield begun, chance


@lru_cache(maxsize=256)
def _tested(better: int, plain: bool) -> Mapping[int, float]:
    """Return the probabilities of the first side's margin in a command test, given its advantage in bonus."""
    found: dict[int, float] = defaultdict(float)
    for one, chance in die(plain).items():
        for two, other in die(plain).items():
            found[_ahead(one + better - two)] += chance * other
    return found


def _ahead(margin: int) -> int:
    """Reduce a margin of command to what counts: nothing, two, or five."""
    size = 5 if abs(margin) >= 5 else 2 if abs(margin) >= 2 else 0
    return size if margin >= 0 else -size


class FixedDie:
    """Die that always shows the same face, used to read the target of a test from the battle engine."""

    FACE = 5

    def roll(self, army: str, name: str, die: int) -> Roll:
        return Roll(army, name, die, self.FACE)

    def checkpoint(self) -> None: ...

    def finish(self) -> None: ...


def duel_of(battle: BattleNow) -> Duel | None:
    """Return the duel that begins with this round, or None."""
    bodies = [body for body in battle.bodies.values() if body.status not in GONE]
    if len(bodies) != 2 or bodies[0].side == bodies[1].side or battle.due:
        return None
    battle = ordered(battle, battle.orders)
    deeds = tuple(battle.order_of(body) for body in bodies)
    return None if _more_than_a_duel(battle, bodies, deeds) else Duel(battle, (bodies[0], bodies[1]), deeds)


def _more_than_a_duel(battle: BattleNow, bodies: list[Body], deeds: tuple[BodyOrder, ...]) -> bool:
    orders = [order for order in battle.orders.values() if order.withdraw or order.commit or order.distance]
    odd = any(body.status != FIGHTING or body.rests >= battle.round or body.formation.support for body in bodies)
    shot_at = any(body.shoots_only for body in bodies) and any(deed.do == ATTACK for deed in deeds)
    chased = any(deed.pursue for deed in deeds)
    surrounded = any(mark.kind == c.SURROUNDED for mark in battle.conditions)
    return bool(orders or odd or shot_at or chased or surrounded)


class Duel:
    """Duel of two bodies that repeat their orders."""

    def __init__(self, battle: BattleNow, bodies: tuple[Body, Body], deeds: tuple[BodyOrder, ...]):
        self.battle, self.bodies, self.deeds = battle, bodies, deeds
        self.worths = die(battle.house.plain_die)
        self._effects: dict[Key, tuple[Effect, ...]] = {}
        self._work = 0
        armies = [army for side in battle.sides for army in side.armies]
        self._fates = {army: status_of(battle, army) for army in armies}
        self._besides = {army: health_of(battle, army)[0] for army in armies}
        for body in bodies:
            self._besides[body.army] -= max(0, body.force - body.losses)
        self._known_fates: dict[tuple[int, str], str] = {}

    @property
    def mutual(self) -> bool:
        return all(deed.do in (SHOOT, ATTACK) for deed in self.deeds)

    def ends(self, most: int | None) -> Iterator[Ended]:
        """Yield the possible outcomes with their probabilities."""
        now: PairChances = {(self._mark(0), self._mark(1)): 1.0}
        number, fought, quiet = self.battle.phase.number, 0, self.battle.quiet
        surprised = self.battle.surprised
        while now and (most is None or fought < most):
            struck = self._round(now, surprised)
            now, attacked = self._rallied(struck.now), struck.attacked
            fought, quiet = fought + 1, 0 if attacked else quiet + 1
            last = quiet >= QUIET_MOST or number >= dusk_of(self.battle)
            open_: PairChances = defaultdict(float)
            for pair, chance in now.items():
                standing = [at for at in (0, 1) if pair[at].status == FIGHTING]
                if len(standing) == 2 and not last:
                    open_[self._next(pair[0]), self._next(pair[1])] += chance
                else:
                    winner = self.bodies[standing[0]].side if len(standing) == 1 else NOBODY
                    yield self._ended(pair, fought, chance, winner)
            now, number = dict(open_), number + 1
            if self.battle.kind != FLEET and not self.battle.house.surprise_for_battle:
                surprised = frozenset()
        for pair, chance in now.items():
            yield self._ended(pair, fought, chance, UNDECIDED)

    def _mark(self, at: int) -> DuelMark:
        body, foe = self.bodies[at], self.bodies[1 - at]
        return DuelMark(body.losses, FIGHTING, body.heart(foe.id), False, body.rallied)

    @staticmethod
    def _next(mark: DuelMark) -> DuelMark:
        """Drop a bonus from an earlier round (B-30)."""
        return mark._replace(lent=mark.lent if mark.fresh else 0, fresh=False)

    def _ended(self, pair: DuelPair, fought: int, chance: float, winner: int) -> Ended:
        left, fates = dict(self._besides), dict(self._fates)
        for at, (body, mark) in enumerate(zip(self.bodies, pair, strict=True)):
            left[body.army] += max(0, body.force - mark.losses)
            fates[body.army] = self._fate(at, mark)
        return Ended(winner, left, fates, fought, chance)

    def _fate(self, at: int, mark: DuelMark) -> str:
        """Return the fate of the body's army, which may have had other bodies."""
        if (at, mark.status) not in self._known_fates:
            body = self._body(at, mark, 0)
            battle = self.battle.changed(bodies={**self.battle.bodies, body.id: body})
            self._known_fates[at, mark.status] = status_of(battle, body.army)
        return self._known_fates[at, mark.status]

    def _body(self, at: int, mark: DuelMark, until: int) -> Body:
        lent = (Heart(self.bodies[1 - at].id, mark.lent, until),) if mark.lent else ()
        return replace(self.bodies[at], losses=mark.losses, status=mark.status, hearts=lent)

    # Rounds.

    def _round(self, now: PairChances, surprised: frozenset[int]) -> Struck:
        attacked = False
        for do in (SHOOT, ATTACK):
            for sides in order_of_sides(self.battle.scores):
                acting = [at for at in (0, 1) if self.bodies[at].side in sides and self.deeds[at].do == do]
                attacked |= bool(acting)
                now = self._step(now, acting, surprised) if acting else now
        return Struck(now, attacked)

    def _step(self, now: PairChances, acting: list[int], surprised: frozenset[int]) -> PairChances:
        """Apply one step. Everything is computed from its start and takes effect together (B-21)."""
        ways: dict[Way, float] = defaultdict(float)
        for pair, chance in now.items():
            can = [at for at in acting if pair[at].status == FIGHTING and pair[1 - at].status in (FIGHTING, ROUTED)]
            tests = tuple((at, self._key(at, pair, surprised)) for at in can)
            ways[self._spent(pair, can), tests] += chance
        while any(tests for _pair, tests in ways):
            ways = self._struck(ways)
        return {pair: chance for (pair, _none), chance in ways.items()}

    def _struck(self, ways: Mapping[Way, float]) -> dict[Way, float]:
        """Make one more test in each state, with all its results. Results too rare to matter are dropped."""
        after: dict[Way, float] = defaultdict(float)
        for (pair, tests), chance in ways.items():
            if not tests:
                after[pair, tests] += chance
                continue
            (at, key), *rest = tests
            effects = self._effects[key]
            self._work += len(effects)
            for fallen, lent, share in effects:
                if chance * share > RAREST:
                    after[self._hit(pair, at, fallen, lent), tuple(rest)] += chance * share
        if self._work > MOST_WORK:
            raise TooMuch
        return after

    def _spent(self, pair: DuelPair, can: list[int]) -> DuelPair:
        """Use up the bonuses of those who attack (B-30)."""
        one, two = (
            mark._replace(lent=0, fresh=False) if at in can and mark.lent and self.deeds[at].do == ATTACK else mark
            for at, mark in enumerate(pair)
        )
        return one, two

    def _hit(self, pair: DuelPair, at: int, fallen: int, lent: int | None) -> DuelPair:
        foe = self._suffered(1 - at, pair[1 - at], fallen)
        if lent is not None:
            foe = foe._replace(lent=lent, fresh=True)
        return (pair[0], foe) if at == 0 else (foe, pair[1])

    def _suffered(self, at: int, mark: DuelMark, fallen: int) -> DuelMark:
        """Apply losses (BP-4.6, B-33, B-34), as `steps.strike.suffer` does."""
        body = self.bodies[at]
        if fallen <= 0:
            return mark
        cap = fallen if body.value is None else body.value
        losses = mark.losses + min(fallen, cap, max(0, 2 * body.force - mark.losses))
        if losses >= 2 * body.force:
            return mark._replace(losses=losses, status=ANNIHILATED)
        breaks = body.value is not None and mark.status == FIGHTING and (fallen > body.value or losses > body.value)
        return mark._replace(losses=losses, status=ROUTED if breaks else mark.status)

    # Tests.

    def _key(self, at: int, pair: DuelPair, surprised: frozenset[int]) -> Key:
        """Return the key of everything a test depends on, and store its possible results in `_effects`."""
        own, foe = pair[at], pair[1 - at]
        states = state_of(own.losses, self.bodies[at].force), state_of(foe.losses, self.bodies[1 - at].force)
        key = (at, *states, foe.status, own.lent, bool(surprised))
        if key not in self._effects:
            self._effects[key] = self._reckoned(at, pair, surprised)
        return key

    def _reckoned(self, at: int, pair: DuelPair, surprised: frozenset[int]) -> tuple[Effect, ...]:
        bodies = {body.id: self._body(place, pair[place], self.battle.round) for place, body in enumerate(self.bodies)}
        battle = self.battle.changed(bodies={**self.battle.bodies, **bodies}, surprised=surprised)
        run = Run(battle, FixedDie())
        run.take_aim()
        body, target = run.body(self.bodies[at].id), run.body(self.bodies[1 - at].id)
        contact = self.deeds[at].do == ATTACK
        odds = weigh(run, body, target, run.attackers()) if contact else None
        attack = strike(run, body, target, CONTACT if contact else SHOT, odds)
        if attack is None:
            raise TooMuch  # the foe cannot be hurt: then it depends on the state whether anybody attacks
        need = (attack.against or 0) - (whole(attack.score) - FixedDie.FACE)
        lends = contact and self.deeds[1 - at].do == ATTACK
        most = 2 * target.force if target.value is None else target.value + 1
        found: dict[tuple[int, int | None], float] = defaultdict(float)
        for worth, chance in self.worths.items():
            margin = worth - need
            fallen = min(most, loss_of(battle, attack.power, percent_lost(margin))) if margin >= 0 else 0
            found[fallen, -margin // 2 if margin < 0 and lends else None] += chance
        return tuple((fallen, lent, chance) for (fallen, lent), chance in found.items())

    # Rally.

    def _rallied(self, now: PairChances) -> PairChances:
        """Make one rally attempt each. Bodies that are not rallied leave (B-38)."""
        for at in (0, 1):
            after: PairChances = defaultdict(float)
            for pair, chance in now.items():
                for mark, share in self._rally(at, pair[at]):
                    after[(mark, pair[1]) if at == 0 else (pair[0], mark)] += chance * share
            now = dict(after)
        return now

    def _rally(self, at: int, mark: DuelMark) -> Iterator[tuple[DuelMark, float]]:
        body = self.bodies[at]
        if mark.status != ROUTED:
            yield mark, 1.0
            return
        if mark.rallied:
            yield mark._replace(status=FLED), 1.0
            return
        need = RALLY_FROM - body.formation.command - rally_lines(self.battle, body.army, body).total
        for worth, chance in self.worths.items():
            margin = worth - need
            if margin < 0:
                yield mark._replace(status=FLED, rallied=True), chance
            else:
                back = mark.losses * percent_rallied(margin) // 100
                yield mark._replace(status=FIGHTING, rallied=True, losses=mark.losses - back), chance


class Struck(NamedTuple):
    now: PairChances
    attacked: bool
