"""Intents in many battles: whom everybody strikes at, as they were told, or else the first in reach."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from rules.breaking_point.battle.battle_state import FLEET, BattleNow, Body, BodyOrder
from rules.breaking_point.battle.field_figures import CONTACT_USE, SHOT_USE
from rules.breaking_point.battle.steps.run import ATTACK, SHOOT
from rules.breaking_point.forecast.many.sheets import Numbers, Sheets, bare_powers

NOTHING, STRIKES, SHOOTS = 0, 1, 2
CODES = {ATTACK: STRIKES, SHOOT: SHOOTS}


class Choice(NamedTuple):
    """Something a body may do. `told`: just so it was ordered, whatever it has to do it with."""

    do: int
    target: int
    told: bool = False


class Intents:
    """What everybody was told, the same in each of these battles, and what they come to."""

    def __init__(self, battles: Sequence[BattleNow], sheets: Sheets):
        battle = battles[0]
        self.sheets, self.fleets = sheets, battle.kind == FLEET
        bodies = list(battle.bodies.values())
        self.can = {STRIKES: _can(battles, CONTACT_USE), SHOOTS: _can(battles, SHOT_USE)}
        self.choices = [self._choices(battle, bodies, body) for body in bodies]
        given = [_told(battle, body) or BodyOrder() for body in bodies]
        self.pursues = np.array([one.pursue and not body.shoots_only for one, body in zip(given, bodies, strict=True)])
        self.ripostes = [one.riposte for one in given]

    def _choices(self, battle: BattleNow, bodies: list[Body], body: Body) -> list[Choice]:
        told = _told(battle, body)
        if told is not None and told.do not in CODES:
            return []
        best = (SHOOTS, STRIKES) if body.shoots_only or self.fleets else (STRIKES, SHOOTS)
        may = [do for do in best if do == SHOOTS or not (self.fleets or body.shoots_only)]
        foes = [at for at, foe in enumerate(bodies) if foe.side != body.side]
        places = {foe.id: at for at, foe in enumerate(bodies)}
        wanted = [Choice(do, foe) for do in may for foe in foes]
        if told is None:
            return wanted
        same = [choice for choice in wanted if choice.do == CODES[told.do]]
        just = [Choice(CODES[told.do], places[told.target], True)] if told.target in places else []
        return [*just, *same, *wanted]

    def covered(self, standing: Numbers) -> Numbers:
        """Of each body whether others stand before it (B-25, B-70). `standing`: who is on the field and not routed."""
        found = np.zeros(standing.shape, dtype=bool)
        for at in np.flatnonzero(self.sheets.shooter) if not self.fleets else ():
            before = (self.sheets.side == self.sheets.side[at]) & ~self.sheets.shooter
            found[at] = standing[before].any(axis=0)
        return found

    def ordered(
        self, able: Numbers, here: Numbers, standing: Numbers, plight: Numbers, far: Numbers
    ) -> tuple[Numbers, Numbers]:
        """What each body does, and to whom. `able`: who takes orders and does not rest. `far`: how far it shoots."""
        does, targets = np.zeros(here.shape, dtype=np.int8), np.zeros(here.shape, dtype=np.intp)
        covered = self.covered(standing)
        for body, choices in enumerate(self.choices):
            left = able[body].copy()
            for choice in choices:
                if not left.any():
                    break
                reached = ~covered[choice.target]
                if choice.do == SHOOTS:
                    reached |= far[body] >= far[choice.target]
                taken = left & here[choice.target] & reached
                if not choice.told:
                    taken &= self.can[choice.do][body][plight[body]]
                does[body][taken], targets[body][taken] = choice.do, choice.target
                left &= ~taken
        return does, targets


def _can(battles: Sequence[BattleNow], use: str) -> Numbers:
    """Whether a body has any power so, by its plight, as `Sheets` have those of several battles."""
    return np.concatenate([bare_powers(battle, use) for battle in battles], axis=1)


def _told(battle: BattleNow, body: Body) -> BodyOrder | None:
    order = battle.orders.get(body.army)
    return None if order is None else order.bodies.get(body.key)
