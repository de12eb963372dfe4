"""How many battles of one beginning stand at one moment, and the dice that fall in them."""

from __future__ import annotations

import numpy as np

from rules.breaking_point.battle.initiative import order_of_sides
from rules.breaking_point.battle.state import (
    ANNIHILATED,
    FIGHTING,
    FLED,
    FLEET,
    ROUTED,
    SURRENDERED,
    WAITING,
    WITHDRAWN,
    BattleNow,
)
from rules.breaking_point.battle.terrain import terrain_of
from rules.breaking_point.forecast.exact import die
from rules.breaking_point.forecast.tally import UNDECIDED

from .arrays import repeated
from .sheets import BATTERED_CODE, DECIMATED_CODE, ENGAGED_CODE, ROUTED_CODE, Numbers, Sheets

FATES = (FIGHTING, ROUTED, WAITING, FLED, ANNIHILATED, WITHDRAWN, SURRENDERED)
FIGHTS, BROKEN, WAITS, GONE_FLED, DESTROYED, LEFT = range(6)
DICE = ("command", "shot", "contact", "pursuit", "riposte", "rally", "withdraw")


class Moments:
    """`count` battles that begin alike. Arrays have a row for each body and a column for each battle not yet over.

    What a die shows depends on the seed, the round, what it is for and whose it is, and on nothing else: two questions
    about one battle are answered with the same fortune.
    """

    def __init__(self, battle: BattleNow, sheets: Sheets, count: int, seed: int):
        self.battle, self.sheets, self.seed, self.count = battle, sheets, seed, count
        self.fleets, self.ground = battle.kind == FLEET, terrain_of(battle.conditions)
        worths = die(battle.house.plain_die)
        self.worths, self.chances = np.array(list(worths)), np.cumsum(list(worths.values()))
        self.chances[-1] = 1.0
        self.bodies = list(battle.bodies.values())
        self.rows = np.arange(count)
        self.number = battle.phase.number
        self._begin(count)

    def _begin(self, count: int) -> None:
        size, bodies = len(self.bodies), self.bodies
        places = {body.id: at for at, body in enumerate(bodies)}
        self.losses = repeated([body.losses for body in bodies], count)
        self.status = repeated([FATES.index(body.status) for body in bodies], count)
        self.rallied = repeated([body.rallied for body in bodies], count)
        self.penalty = repeated([body.penalty for body in bodies], count)
        self.known_ahead: dict[tuple[int, bytes], int] = {}
        self.rests = repeated([body.rests for body in bodies], count)
        self.hearts = np.zeros((size, size, count), dtype=np.int64)
        self.lent = np.zeros((size, size, count), dtype=np.int64)
        for at, body in enumerate(bodies):
            for heart in (heart for heart in body.hearts if heart.foe in places):
                self.hearts[at, places[heart.foe]] += heart.amount
                self.lent[at, places[heart.foe]] = heart.until
        self.met = np.zeros((size, size, count), dtype=bool)
        for one, other in self.battle.melees:
            if one in places and other in places:
                self.met[places[one], places[other]] = self.met[places[other], places[one]] = True
        self.quiet = np.full(count, self.battle.quiet)
        self.surprised = np.zeros((2, count), dtype=np.intp)
        self.surprised[sorted(self.battle.surprised)] = 1
        self.first = np.full(count, _who_is_first(self.battle))
        self.left = np.zeros((size, count), dtype=np.int64)
        self.fates = np.zeros((size, count), dtype=np.int64)
        self.winner, self.rounds = np.full(count, UNDECIDED), np.zeros(count, dtype=np.int64)

    # dice

    def thrown(self, name: str, owner: int) -> Numbers:
        """What an open die is worth in every battle that goes on (B-1)."""
        named = (self.seed, self.number, DICE.index(name), owner)
        chance = np.random.default_rng(named).random(self.count)[self.rows]
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
    def plight(self) -> Numbers:
        """By losses, or that it is routed (BP-4.8)."""
        force = self.sheets.force
        found = (self.losses > 0) * ENGAGED_CODE
        found = np.where(2 * self.losses >= force, BATTERED_CODE, found)
        found = np.where(self.losses >= force, DECIMATED_CODE, found)
        found = np.where(self.losses <= 0, 0, found)
        return np.where(self.status == BROKEN, ROUTED_CODE, found).astype(np.intp)

    def keep(self, done: Numbers, winner: Numbers | int, fought: int) -> None:
        """These are followed no further."""
        rows = self.rows[done]
        self.left[:, rows] = np.maximum(0, self.sheets.force - self.losses)[:, done]
        self.fates[:, rows], self.winner[rows], self.rounds[rows] = self.status[:, done], winner, fought
        if done.any():
            for name in ("rows", "quiet", "first"):
                setattr(self, name, getattr(self, name)[~done])
            for name in ("losses", "status", "penalty", "rallied", "rests", "hearts", "lent", "met", "surprised"):
                setattr(self, name, getattr(self, name)[..., ~done])


def _who_is_first(battle: BattleNow) -> int:
    """The side that strikes first, −1 where both strike together."""
    steps = order_of_sides(battle.scores)
    return steps[0][0] if len(steps) > 1 else -1
