"""State of many battles on arrays, their dice, and their withdrawals."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rules.breaking_point.battle.state.battle_state import (
    ANNIHILATED,
    FIGHTING,
    FLED,
    FLEET,
    ROUTED,
    SURRENDERED,
    WAITING,
    WITHDRAWN,
    BattleNow,
    Body,
)
from rules.breaking_point.battle.state.conditions import terrain_of
from rules.breaking_point.battle.state.reach import AHEAD, order_of_sides
from rules.breaking_point.battle.steps.command import PENALTIES, ROUTED_BY, WITHDRAW, leaving_lines, opposing_lines
from rules.breaking_point.forecast.exact import die
from rules.breaking_point.forecast.many.sheets import (
    ENGAGED_CODE,
    FIGURES,
    PLIGHTS,
    ROUTED_CODE,
    Numbers,
    Sheets,
    joined,
)
from rules.breaking_point.forecast.tally import UNDECIDED
from rules.core.frozen_copy import changed
from rules.core.odds import AboutOdds

FATES = (FIGHTING, ROUTED, WAITING, FLED, ANNIHILATED, WITHDRAWN, SURRENDERED)
FIGHTS, BROKEN, WAITS, GONE_FLED, DESTROYED, LEFT = range(6)
DICE = ("command", "shot", "contact", "pursuit", "riposte", "rally", "withdraw")
MARKS = ("losses", "status", "penalty", "rallied", "rests", "hearts", "lent", "met", "surprised", "quiet", "first")
"""Arrays that differ between battles from the start, and change."""


class Moments:
    """`count` battles of each of these beginnings, all of one shape (`simulate`). `battle` is the first and stands for
    what the shape fixes.

    Arrays have a row for each body and a column for each unfinished battle. `begun` is the beginning of each column,
    `rows` its number among those. A die depends only on the seed, the round, its purpose and its owner, so two
    questions about one battle have the same luck.
    """

    losses: Numbers
    status: Numbers
    penalty: Numbers
    rallied: Numbers
    rests: Numbers
    hearts: Numbers
    lent: Numbers
    met: Numbers
    surprised: Numbers
    quiet: Numbers
    first: Numbers
    force: Numbers
    value: Numbers
    mobility: Numbers
    far: Numbers
    rally: Numbers

    def __init__(self, battles: Sequence[BattleNow], sheets: Sequence[Sheets], count: int, seed: int):
        self.battles, self.sheets, self.seed, self.count = battles, joined(sheets), seed, count
        self.battle = battle = battles[0]
        self.fleets, self.ground = battle.kind == FLEET, terrain_of(battle.conditions)
        worths = die(battle.house.plain_die)
        self.worths, self.chances = np.array(list(worths)), np.cumsum(list(worths.values()))
        self.chances[-1] = 1.0
        self.bodies = list(battle.bodies.values())
        self.known_ahead: dict[tuple[int, bytes], int] = {}
        self.number = battle.phase.number
        self._begin(len(self.bodies), len(battles), count)

    def _begin(self, bodies: int, beginnings: int, count: int) -> None:
        self.begun = np.repeat(np.arange(beginnings), count)
        self.rows = np.tile(np.arange(count), beginnings)
        marks = [_marks(battle) for battle in self.battles]
        for name in MARKS:
            setattr(self, name, np.stack([own[name] for own in marks], axis=-1).repeat(count, axis=-1))
        for name in FIGURES:
            setattr(self, name, getattr(self.sheets, name).repeat(count, axis=-1))
        self.left = np.zeros((bodies, beginnings, count), dtype=np.int64)
        self.fates = np.zeros((bodies, beginnings, count), dtype=np.int64)
        self.winner = np.full((beginnings, count), UNDECIDED)
        self.rounds = np.zeros((beginnings, count), dtype=np.int64)

    # Dice.

    def thrown(self, name: str, owner: int) -> Numbers:
        """Roll an open die in every unfinished battle. Returns its values (B-1)."""
        named = (self.seed, self.number, DICE.index(name), owner)
        chance = np.random.default_rng(named).random(self.count)
        if self.rows.size > self.count:  # the same roll serves several beginnings
            return self._worth(chance)[self.rows]
        return self._worth(chance[self.rows])

    def _worth(self, chance: Numbers) -> Numbers:
        found: Numbers = self.worths[np.searchsorted(self.chances, chance, side="right")]
        return found

    def own(self, army: str) -> Numbers:
        """Return which bodies are of this army."""
        return np.array([body.army == army for body in self.bodies], dtype=bool)

    @property
    def here(self) -> Numbers:
        found: Numbers = (self.status == FIGHTS) | (self.status == BROKEN)
        return found

    @property
    def standing(self) -> Numbers:
        """Return where bodies are on the field and not routed."""
        found: Numbers = self.status == FIGHTS
        return found

    @property
    def plight(self) -> Numbers:
        """Return the index of each body's plight (its loss band, or routed, BP-4.8) on the sheets."""
        half, whole = 2 * self.losses >= self.force, self.losses >= self.force
        found = np.where(self.losses > 0, ENGAGED_CODE + half + whole, 0)
        return np.where(self.status == BROKEN, ROUTED_CODE, found) + self.begun * PLIGHTS

    def keep(self, done: Numbers, winner: Numbers | int, fought: int) -> None:
        """Store the outcomes of these battles and remove them from the arrays."""
        if not done.any():
            return
        whose = self.begun[done], self.rows[done]
        self.left[:, *whose] = np.maximum(0, self.force[:, done] - self.losses[:, done])
        self.fates[:, *whose], self.winner[whose], self.rounds[whose] = self.status[:, done], winner, fought
        others = np.flatnonzero(~done)
        for name in ("begun", "rows", *MARKS, *FIGURES):
            setattr(self, name, getattr(self, name).take(others, axis=-1))


def _marks(battle: BattleNow) -> dict[str, Numbers]:
    """Return the arrays of `MARKS` at the beginning."""
    bodies = list(battle.bodies.values())
    met, hearts, lent = _between(battle, bodies)
    return {
        "losses": np.array([body.losses for body in bodies]),
        "status": np.array([FATES.index(body.status) for body in bodies]),
        "penalty": np.array([body.penalty for body in bodies]),
        "rallied": np.array([body.rallied for body in bodies]),
        "rests": np.array([body.rests for body in bodies]),
        "hearts": hearts,
        "lent": lent,
        "met": met,
        "surprised": np.array([side in battle.surprised for side in (0, 1)], dtype=np.intp),
        "quiet": np.array(battle.quiet),
        "first": np.array(_who_is_first(battle)),
    }


def _between(battle: BattleNow, bodies: Sequence[Body]) -> tuple[Numbers, Numbers, Numbers]:
    """Return for each pair of bodies whether they met at contact, and the bonus of one against the other with its last
    round.
    """
    places = {body.id: at for at, body in enumerate(bodies)}
    hearts, lent = np.zeros((2, len(bodies), len(bodies)), dtype=np.int64)
    met = np.zeros(hearts.shape, dtype=bool)
    for at, body in enumerate(bodies):
        for heart in (heart for heart in body.hearts if heart.foe in places):
            hearts[at, places[heart.foe]] += heart.amount
            lent[at, places[heart.foe]] = heart.until
    for one, other in battle.melees:
        if one in places and other in places:
            met[places[one], places[other]] = met[places[other], places[one]] = True
    return met, hearts, lent


def _who_is_first(battle: BattleNow) -> int:
    """Return the side that strikes first, −1 if both strike together."""
    steps = order_of_sides(battle.scores)
    return steps[0][0] if len(steps) > 1 else -1


# Withdrawals in many battles at once (B-35, B-36), as `steps.command` has them for one.


class Leaver(NamedTuple):
    """Bodies that leave together: an army, or in a fleet a body. `owner` is the index of whoever rolls."""

    owner: int
    bodies: Numbers
    reserve: Numbers


class Withdrawals(Moments):
    """Battles with withdrawals. `armies_leave` says by body where its army withdraws as a whole; `called` where it does
    so by a retreat of the question.
    """

    does: Numbers
    targets: Numbers
    armies_leave: Numbers
    called: Numbers

    def decide_to_leave(self, about: AboutOdds, fought: int) -> None:
        """Find the armies that withdraw: by order, or by a retreat of the question."""
        told = [order.withdraw if (order := self.battle.orders.get(body.army)) else False for body in self.bodies]
        self.called = np.zeros(self.status.shape, dtype=bool)
        for army, retreat in about.retreats.items():
            own = self.own(army)
            left = np.maximum(0, self.force - self.losses)[own].sum(axis=0)
            late = retreat.after is not None and fought >= retreat.after
            self.called[own] |= late | (left <= retreat.health if retreat.health is not None else False)
        self.armies_leave = np.array(told)[:, None] | self.called

    def withdraw(self) -> None:
        """Resolve all withdrawals, in attack order."""
        ships = np.array([self.fleets and _told_to(self, at) for at in range(len(self.bodies))])
        wanted = self.armies_leave | (ships[:, None] & (self.status == FIGHTS))
        if not wanted.any():
            return
        for place, army in enumerate(self.battle.owners()):
            own = np.flatnonzero(self.own(army))
            leavers = [Leaver(at, np.array([at]), np.array([], dtype=int)) for at in own.tolist()]
            for leaver in leavers if self.fleets else [Leaver(place, own, own)]:
                here = self.here[leaver.bodies] & wanted[leaver.bodies]
                rows = np.flatnonzero(here.any(axis=0))
                if rows.size:
                    self._try(leaver, rows)

    def _try(self, leaver: Leaver, rows: Numbers) -> None:
        """Resolve one withdrawal: free if nobody attacks it, else tested (B-35)."""
        aimed = np.isin(self.targets[:, rows], leaver.bodies) & (self.does[:, rows] > 0) & self.here[:, rows]
        attacked = aimed.any(axis=0)
        self._go(leaver, rows[~attacked])
        rows = rows[attacked]
        if not rows.size:
            return
        score = self.thrown(WITHDRAW, leaver.owner)[rows] - self.thrown(WITHDRAW, len(self.bodies) + leaver.owner)[rows]
        margin = score + self._ahead(leaver, rows)
        self._go(leaver, rows[margin >= AHEAD])
        for body in leaver.bodies:
            stays = (margin < AHEAD) & self.here[body, rows]
            routed = stays & (margin <= -ROUTED_BY) & (self.value[body, rows] >= 0)
            held, worst = rows[stays & ~routed], np.where(margin >= 0, PENALTIES[True], PENALTIES[False])
            self.status[body, rows[routed]] = BROKEN
            self.penalty[body, held] = np.minimum(self.penalty[body, held], worst[stays & ~routed])

    def _go(self, leaver: Leaver, rows: Numbers) -> None:
        for body in leaver.bodies:
            self.status[body, rows[self.here[body, rows]]] = LEFT
        for body in leaver.reserve:
            self.status[body, rows[self.status[body, rows] == WAITS]] = LEFT

    def _ahead(self, leaver: Leaver, rows: Numbers) -> Numbers:
        """Return its advantage before the dice, which depends on who is still there."""
        there = np.stack([self.begun[rows], *self.status[:, rows]])
        kinds, which = np.unique(there, axis=1, return_inverse=True)
        return np.array([self._known_ahead(leaver, kind) for kind in kinds.T])[which.reshape(-1)]

    def _known_ahead(self, leaver: Leaver, kind: Numbers) -> int:
        """Return the cached advantage. `kind` is the index of the beginning and the fate of each body."""
        key = (leaver.owner, kind.tobytes())
        if key not in self.known_ahead:
            self.known_ahead[key] = self._reckoned_ahead(leaver, self.battles[kind[0]], kind[1:])
        return self.known_ahead[key]

    def _reckoned_ahead(self, leaver: Leaver, begun: BattleNow, fates: Numbers) -> int:
        bodies = [changed(body, status=FATES[fate]) for body, fate in zip(begun.bodies.values(), fates, strict=True)]
        battle = begun.changed(bodies={body.id: body for body in bodies})
        own = [bodies[at] for at in leaver.bodies if bodies[at].on_field]
        foe = 1 - own[0].side
        return leaving_lines(battle, own[0].army, own, [foe]).total - opposing_lines(battle, foe).total


def _told_to(moments: Moments, at: int) -> bool:
    body = moments.bodies[at]
    order = moments.battle.orders.get(body.army)
    return order is not None and body.key in order.bodies and order.bodies[body.key].do == WITHDRAW
