"""Moments of many battles: how those of a few beginnings stand, and the dice that fall in them."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

from rules.breaking_point.battle.battle_state import (
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
from rules.breaking_point.battle.initiative import order_of_sides
from rules.breaking_point.battle.terrain_effects import terrain_of
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

FATES = (FIGHTING, ROUTED, WAITING, FLED, ANNIHILATED, WITHDRAWN, SURRENDERED)
FIGHTS, BROKEN, WAITS, GONE_FLED, DESTROYED, LEFT = range(6)
DICE = ("command", "shot", "contact", "pursuit", "riposte", "rally", "withdraw")
MARKS = ("losses", "status", "penalty", "rallied", "rests", "hearts", "lent", "met", "surprised", "quiet", "first")
"""What a battle has of its own as it begins, and as it goes on."""


class Moments:
    """`count` battles of each of these beginnings, which are of one shape (`shapes`): what that says of all of them
    `battle`, the first, does. Arrays have a row for each body and a column for each battle not yet over. `begun`: which
    of the beginnings each column has, `rows`: which of the battles of that it is.

    What a die shows depends on the seed, the round, what it is for and whose it is, and on nothing else: two questions
    about one battle are answered with the same fortune.
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

    # dice

    def thrown(self, name: str, owner: int) -> Numbers:
        """What an open die is worth in every battle that goes on (B-1)."""
        named = (self.seed, self.number, DICE.index(name), owner)
        chance = np.random.default_rng(named).random(self.count)
        if self.rows.size > self.count:  # each falls in several of them
            return self._worth(chance)[self.rows]
        return self._worth(chance[self.rows])

    def _worth(self, chance: Numbers) -> Numbers:
        found: Numbers = self.worths[np.searchsorted(self.chances, chance, side="right")]
        return found

    def own(self, army: str) -> Numbers:
        """Whether each body is of this army."""
        return np.array([body.army == army for body in self.bodies], dtype=bool)

    @property
    def here(self) -> Numbers:
        found: Numbers = (self.status == FIGHTS) | (self.status == BROKEN)
        return found

    @property
    def standing(self) -> Numbers:
        """Who is on the field and not routed."""
        found: Numbers = self.status == FIGHTS
        return found

    @property
    def plight(self) -> Numbers:
        """Where it stands on the sheets: by losses, or that it is routed (BP-4.8)."""
        half, whole = 2 * self.losses >= self.force, self.losses >= self.force
        found = np.where(self.losses > 0, ENGAGED_CODE + half + whole, 0)
        return np.where(self.status == BROKEN, ROUTED_CODE, found) + self.begun * PLIGHTS

    def keep(self, done: Numbers, winner: Numbers | int, fought: int) -> None:
        """These are followed no further."""
        if not done.any():
            return
        whose = self.begun[done], self.rows[done]
        self.left[:, *whose] = np.maximum(0, self.force[:, done] - self.losses[:, done])
        self.fates[:, *whose], self.winner[whose], self.rounds[whose] = self.status[:, done], winner, fought
        others = np.flatnonzero(~done)
        for name in ("begun", "rows", *MARKS, *FIGURES):
            setattr(self, name, getattr(self, name).take(others, axis=-1))


def _marks(battle: BattleNow) -> dict[str, Numbers]:
    """Those of `MARKS` as it begins."""
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
    """Of each two bodies: whether they met at contact, and the heart one has against the other, and until when."""
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
    """The side that strikes first, −1 where both strike together."""
    steps = order_of_sides(battle.scores)
    return steps[0][0] if len(steps) > 1 else -1
