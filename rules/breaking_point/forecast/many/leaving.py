"""Withdrawals in many battles at once (B-35, B-36): as `steps.leaving` has them in one."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rules.breaking_point.battle.battle_state import BattleNow
from rules.breaking_point.battle.initiative import AHEAD
from rules.breaking_point.battle.steps.leaving import PENALTIES, ROUTED_BY, WITHDRAW, leaving_lines, opposing_lines
from rules.breaking_point.forecast.many.moments import BROKEN, FATES, FIGHTS, LEFT, WAITS, Moments
from rules.breaking_point.forecast.many.sheets import Numbers
from rules.core.frozen_copy import changed
from rules.core.odds import AboutOdds


class Leaver(NamedTuple):
    """Who leaves as one: an army, in a fleet a body. `owner`: whose die it is, by its place."""

    owner: int
    bodies: Numbers
    reserve: Numbers


class Withdrawals(Moments):
    """`armies_leave`: by body, where its army withdraws as a whole; `called`: where it was not told so, but is to."""

    does: Numbers
    targets: Numbers
    armies_leave: Numbers
    called: Numbers

    def decide_to_leave(self, about: AboutOdds, fought: int) -> None:
        """Armies that were told to withdraw, and those that do so by now or in this plight."""
        told = [order.withdraw if (order := self.battle.orders.get(body.army)) else False for body in self.bodies]
        self.called = np.zeros(self.status.shape, dtype=bool)
        for army, retreat in about.retreats.items():
            own = self.own(army)
            left = np.maximum(0, self.force - self.losses)[own].sum(axis=0)
            late = retreat.after is not None and fought >= retreat.after
            self.called[own] |= late | (left <= retreat.health if retreat.health is not None else False)
        self.armies_leave = np.array(told)[:, None] | self.called

    def withdraw(self) -> None:
        """Everybody who was told to leave, in attack order."""
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
        """Attacked by nobody it leaves freely; else it is tested (B-35)."""
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
        """By how much it is ahead before the dice: it hangs on who is still there."""
        there = np.stack([self.begun[rows], *self.status[:, rows]])
        kinds, which = np.unique(there, axis=1, return_inverse=True)
        return np.array([self._known_ahead(leaver, kind) for kind in kinds.T])[which.reshape(-1)]

    def _known_ahead(self, leaver: Leaver, kind: Numbers) -> int:
        """`kind`: which of the beginnings, and the fate of each body."""
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
