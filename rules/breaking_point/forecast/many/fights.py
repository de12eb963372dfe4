"""Rounds of many battles at once (B-19), as `battle.steps` resolves them for one."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import NamedTuple

import numpy as np

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import COMMAND, QUIET_MOST, BattleNow
from rules.breaking_point.battle.state.field_figures import CLOSE_USE, CONTACT_USE, SHOT_USE
from rules.breaking_point.battle.state.reach import AHEAD
from rules.breaking_point.battle.steps.command import SURPRISE, command_lines
from rules.breaking_point.battle.steps.phase import dusk_of
from rules.breaking_point.battle.steps.strike import CLOSE, CONTACT, DIE_NAMES, PURSUIT, RIPOSTE, SHOT
from rules.breaking_point.forecast.choices import idle_armies
from rules.breaking_point.forecast.many.moments import BROKEN, DESTROYED, FIGHTS, GONE_FLED, LEFT, WAITS, Withdrawals
from rules.breaking_point.forecast.many.sheets import (
    NOTHING,
    SHOOTS,
    STRIKES,
    Intents,
    Numbers,
    Sheets,
    each,
    losses_of,
    ratio_bonuses,
)
from rules.breaking_point.forecast.tally import NOBODY, UNDECIDED
from rules.core.odds import AboutOdds


class Volley(NamedTuple):
    """Attacks of one body in one step. `rows` are the battles, `at` its target in each."""

    body: int
    rows: Numbers
    at: Numbers
    loss: Numbers
    victim: Numbers
    use: str
    heart: Numbers
    lends: Numbers
    """Bonus that a failure gives to the target, −1 where it succeeded."""


class Multitude(Withdrawals):
    """Simulation of many battles from beginning to end."""

    def __init__(self, battles: Sequence[BattleNow], sheets: Sequence[Sheets], count: int, seed: int):
        super().__init__(battles, sheets, count, seed)
        self.intents = Intents(battles, self.sheets)
        self.idle = np.zeros((len(self.battle.bodies), 1), dtype=bool)

    # The whole battle.

    def fight(self, about: AboutOdds, most: int) -> None:
        """Fight to the end of each battle, or as far as asked."""
        holding = idle_armies(self.battle, about)
        self.idle = np.array([[body.army in holding] for body in self.battle.bodies.values()])
        if self.battle.phase.kind == COMMAND:
            self.number = 1
        if self.battle.phase.kind == COMMAND or self.battle.due:
            self.command_test()
        fought = 0
        while self.rows.size and fought < most:
            self.decide_to_leave(about, fought)
            self.round()
            self.idle = np.zeros_like(self.idle)
            fought += 1
            self._settle(about, fought)
            self.number += 1
        self.keep(np.ones(self.rows.size, dtype=bool), UNDECIDED, fought)

    def command_test(self) -> None:
        """Make the command test (BP-4.1). If the GM waives it, all strike together (B-81)."""
        if self.battle.holds(c.UNTESTED):
            self.first = np.full(self.rows.size, -1)
            self.surprised = self.surprised if self.battle.house.surprise_for_battle else self.surprised * 0
            return
        bonus = [[command_lines(battle, side)[1].total for side in (0, 1)] for battle in self.battles]
        one, two = np.array(bonus).T[:, self.begun]
        ahead = self.thrown("command", 0) + one - self.thrown("command", 1) - two
        self.first = np.where(np.abs(ahead) < AHEAD, -1, np.where(ahead > 0, 0, 1))
        kept = self.surprised if self.battle.house.surprise_for_battle else np.zeros_like(self.surprised)
        if not self.battle.holds(c.NO_SURPRISE):
            kept = np.maximum(kept, np.array([ahead <= -SURPRISE, ahead >= SURPRISE]))
        self.surprised = kept.astype(np.intp)

    def round(self) -> None:
        here = self.here
        for side in (0, 1):  # reserves leave if nobody of their side stands (B-44)
            own = self.sheets.side == side
            self.status[(own[:, None] & (self.status == WAITS)) & ~here[own].any(axis=0)] = LEFT
        self.attacked = np.zeros(self.status.shape, dtype=bool)
        self.busy = np.zeros(self.rows.size, dtype=bool)
        self.fought = np.zeros_like(self.met)
        able = (self.status == FIGHTS) & (self.rests != self.number) & ~self.armies_leave & ~self.idle
        self.does, self.targets = self.intents.ordered(able, self.here, self.standing, self.plight, self.far)
        self.withdraw()
        self._exchange()
        self._pursue()
        self._rally()

    # Shots, shots at contact, contact.

    def _exchange(self) -> None:
        assailed = np.zeros(self.status.shape, dtype=bool)
        for body, shooter in enumerate(self.sheets.shooter):
            if shooter:
                assailed[body] = ((self.does == STRIKES) & (self.targets == body)).any(axis=0)
        for turn in (0, 1):
            able, plight = self._able(SHOOTS) & ~assailed & self._acts(turn), self.plight
            self._step([self._tested(body, rows, self.targets[body, rows], plight, SHOT_USE, SHOT)
                        for body, rows in each(able)])  # fmt: skip
        if assailed.any():
            self._step(list(self._shots_at_contact()))
        for turn in (0, 1):
            self._contact(self._acts(turn))

    def _acts(self, turn: int) -> Numbers:
        """Return which bodies act in this step: sides of one step act together in the first (B-21)."""
        sides = [(self.first == -1) | (self.first == side) if turn == 0 else self.first == 1 - side for side in (0, 1)]
        found: Numbers = np.array(sides)[self.sheets.side]
        return found

    def _able(self, do: int) -> Numbers:
        """Return where bodies can still carry out their orders (B-23)."""
        here, covered = self.here, self.intents.covered(self.standing)
        far, found = self.far, (self.does == do) & (self.status == FIGHTS)
        able: Numbers = found.copy()
        for body, rows in each(found):
            at = self.targets[body, rows]
            beyond = (far[body, rows] >= far[at, rows]) if do == SHOOTS else np.zeros(rows.size, dtype=bool)
            able[body, rows] = here[at, rows] & (~covered[at, rows] | beyond)
        return able

    def _shots_at_contact(self) -> Iterator[Volley]:
        """Let exposed shooters shoot at the first who attacks them (B-25)."""
        able, covered, plight = self._able(STRIKES), self.intents.covered(self.standing), self.plight
        for body in np.flatnonzero(self.sheets.shooter).tolist():
            attackers = able & (self.targets == body)
            shoots = attackers.any(axis=0) & (self.status[body] == FIGHTS) & ~covered[body]
            rows = np.flatnonzero(shoots)
            if rows.size:
                yield self._tested(body, rows, attackers[:, rows].argmax(axis=0), plight, CLOSE_USE, CLOSE)

    def _contact(self, acts: Numbers) -> None:
        able, plight = self._able(STRIKES), self.plight
        if not (able & acts).any():
            return
        on = np.zeros(self.losses.shape, dtype=np.int64)
        for body, rows in each(able):
            at = self.targets[body, rows]
            on[at, rows] += self._weight(body, at, rows, plight)
        struck = []
        for body, rows in each(able & acts):
            at = self.targets[body, rows]
            back = self._weight_of(at, body, rows, plight)
            mutual = able[at, rows] & (self.targets[at, rows] == body)
            odds = (on[at, rows], back + on[body, rows] - back * mutual)
            struck.append(self._tested(body, rows, at, plight, CONTACT_USE, CONTACT, odds))
        self._step(struck)

    def _weight(self, body: int, at: Numbers, rows: Numbers, plight: Numbers) -> Numbers:
        """Return power at contact, for the ratio of numbers (B-29)."""
        use = CLOSE_USE if self.sheets.shooter[body] else CONTACT_USE
        found: Numbers = self.sheets.power[use][body, at, plight[body, rows]]
        return found

    def _weight_of(self, at: Numbers, against: int, rows: Numbers, plight: Numbers) -> Numbers:
        power, hindered = self.sheets.power, plight[at, rows]
        close, contact = power[CLOSE_USE][at, against, hindered], power[CONTACT_USE][at, against, hindered]
        found: Numbers = np.where(self.sheets.shooter[at], close, contact)
        return found

    # Tests.

    def _tested(
        self,
        body: int,
        rows: Numbers,
        at: Numbers,
        plight: Numbers,
        use: str,
        mode: str,
        odds: tuple[Numbers, Numbers] | None = None,
    ) -> Volley:
        """Make tests as `steps.strike.strike` does, without applying losses. `plight` holds the plight of every body at
        the start of the step.
        """
        sheets = self.sheets
        power = sheets.power[use][body, at, plight[body, rows]]
        kept = power > 0  # a body that cannot hurt its target makes no attack (B-28)
        if not kept.all():
            odds = None if odds is None else (odds[0][kept], odds[1][kept])
            return self._tested(body, rows[kept], at[kept], plight, use, mode, odds)
        side = sheets.side[body]
        own = sheets.combat[use][body, plight[body, rows], self.surprised[side, rows]]
        own = own + self.penalty[body, rows] - self.bodies[body].penalty
        foe = sheets.defense[use][at, plight[at, rows], self.surprised[1 - side, rows]]
        heart = self.hearts[body, at, rows] if use == CONTACT_USE else np.zeros_like(rows)
        bonus = 0 if odds is None or self.ground.crowded else ratio_bonuses(*odds)
        margin = self.thrown(DIE_NAMES[mode], body)[rows] + own + bonus + heart - foe
        success = margin >= 0
        friend = self._friends(body, rows, at, ~success) if mode in (SHOT, CLOSE) else np.full(rows.size, -1)
        percent = np.where(success, 10 + 10 * (margin // 2), np.where(friend >= 0, 10 * (-margin // 2), 0))
        loss = losses_of(power, percent, self.ground.harsher)
        if mode == PURSUIT:
            loss = loss // np.where(self.mobility[at, rows] > self.mobility[body, rows], 2, 1)
        lends = np.where(success, -1, -margin // 2) if use == CONTACT_USE else np.full(rows.size, -1)
        return Volley(body, rows, at, loss, np.where(success, at, friend), use, heart, lends)

    def _friends(self, body: int, rows: Numbers, at: Numbers, failed: Numbers) -> Numbers:
        """Return a body of the shooter's side in a melee with the target since last round and not routed (B-31, B-73);
        −1 for none.
        """
        found, standing = np.full(rows.size, -1), self.standing
        for other in np.flatnonzero(self.sheets.side == self.sheets.side[body])[::-1]:
            if other != body:
                found[failed & standing[other, rows] & self.met[other, at, rows]] = other
        return found

    def _step(self, struck: list[Volley], uncapped: Numbers | None = None) -> None:
        """Apply the losses of one step together (B-33)."""
        fallen = np.zeros(self.losses.shape, dtype=np.int64)
        for one in struck:
            self.busy[one.rows] = True
            self.hearts[one.body, one.at, one.rows] -= one.heart
            if one.use != SHOT_USE and not self.fleets:
                self.fought[one.body, one.at, one.rows] = self.fought[one.at, one.body, one.rows] = True
            hit = one.victim >= 0
            fallen[one.victim[hit], one.rows[hit]] += one.loss[hit]
        for one in struck:
            failed = one.lends >= 0
            self.hearts[one.at[failed], one.body, one.rows[failed]] = one.lends[failed]
            self.lent[one.at[failed], one.body, one.rows[failed]] = self.number + 1
        if fallen.any():
            self._suffer(fallen, uncapped)
        if uncapped is None:
            for one in struck:
                self.attacked[one.body, one.rows] = True

    def _suffer(self, fallen: Numbers, uncapped: Numbers | None) -> None:
        """Apply losses (BP-4.6, B-33, B-34)."""
        force, value = self.force, self.value
        free = value < 0 if uncapped is None else (value < 0) | uncapped
        lost = np.minimum(np.where(free, fallen, np.minimum(fallen, value)), np.maximum(0, 2 * force - self.losses))
        self.losses += lost
        dead = (fallen > 0) & (self.losses >= 2 * force)
        breaks = (fallen > 0) & (value >= 0) & (self.status == FIGHTS) & ((fallen > value) | (self.losses > value))
        self.status[breaks] = BROKEN
        self.status[dead] = DESTROYED

    # End of a round.

    def _pursue(self) -> None:
        """Resolve pursuits at once: for each broken body one pursuer, and its riposte (B-39)."""
        broken = self.status == BROKEN
        if not broken.any():
            return
        plight, taken = self.plight, np.zeros(broken.shape, dtype=bool)
        struck, uncapped = [], np.zeros(broken.shape, dtype=bool)
        for fugitive, _rows in list(each(broken)):
            free = broken[fugitive].copy()
            foes = (self.sheets.side != self.sheets.side[fugitive]) & self.intents.pursues
            for body in np.flatnonzero(foes).tolist():
                after_him = (self.does[body] != NOTHING) & (self.targets[body] == fugitive)
                fresh = (self.status[body] == FIGHTS) & ~taken[body] & (self.rests[body] != self.number)
                rows = np.flatnonzero(free & fresh & (~self.attacked[body] | after_him) & ~self.armies_leave[body])
                if rows.size:
                    free[rows], taken[body, rows] = False, True
                    hit, riposte = self._run_down(body, fugitive, rows, plight)
                    struck += [hit, riposte]
                    uncapped[fugitive, hit.rows[hit.victim >= 0]] = True
        self._step(struck, uncapped)
        self.rests[taken] = self.number + 1

    def _run_down(self, body: int, fugitive: int, rows: Numbers, plight: Numbers) -> tuple[Volley, Volley]:
        """Return a pursuit, and its riposte if there is one."""
        after, before = np.full(rows.size, fugitive), np.full(rows.size, body)
        mine, his = self._weight(body, after, rows, plight), self._weight(fugitive, before, rows, plight)
        use = SHOT_USE if self.fleets else CONTACT_USE
        hit = self._tested(body, rows, after, plight, use, PURSUIT, None if self.fleets else (mine, his))
        turns = self.armies_leave[fugitive, rows] | self.intents.ripostes[fugitive]
        at_range = self.fleets or self.sheets.shooter[fugitive]
        use = SHOT_USE if self.fleets else CLOSE_USE if at_range else CONTACT_USE
        odds = None if at_range else (his[turns], mine[turns])
        return hit, self._tested(fugitive, rows[turns], before[turns], plight, use, RIPOSTE, odds)

    def _rally(self) -> None:
        """Make one rally attempt for each army (B-38). Bodies that are not rallied leave."""
        broken = self.status == BROKEN
        if not broken.any():
            return
        for number, army in enumerate(self.battle.owners()):
            own = self.own(army)
            open_ = broken & own[:, None] & ~self.rallied
            rows = np.flatnonzero(open_.any(axis=0))
            if not rows.size:
                continue
            who = open_[:, rows].argmax(axis=0)
            if (wanted := self._wanted(army)) >= 0:
                who = np.where(open_[wanted, rows] & ~self.called[wanted, rows], wanted, who)
            margin = self.thrown("rally", number)[rows] - self.rally[who, rows]
            percent = np.where(margin >= 0, np.minimum(100, 10 * (margin // 2)), 0)
            self.rallied[who, rows] = True
            self.losses[who, rows] -= self.losses[who, rows] * percent // 100
            self.status[who[margin >= 0], rows[margin >= 0]] = FIGHTS
        self.status[self.status == BROKEN] = GONE_FLED

    def _wanted(self, army: str) -> int:
        """Return the body that the army was ordered to rally first, −1 for none."""
        order = self.battle.orders.get(army)
        keys = [body.key if body.army == army else "" for body in self.bodies]
        return keys.index(order.rally) if order is not None and order.rally in keys and order.rally else -1

    def _settle(self, about: AboutOdds, fought: int) -> None:
        """End effects that last only for a round, and find the battles that are over (B-45)."""
        self.quiet = np.where(self.busy, 0, self.quiet + 1)
        self.met = self.fought
        self.hearts[self.lent < self.number + 1] = 0
        if not self.fleets and not self.battle.house.surprise_for_battle:
            self.surprised[:] = 0
        there = self.here | (self.status == WAITS)
        stands = np.array([there[self.sheets.side == side].any(axis=0) for side in (0, 1)])
        over = ~stands.all(axis=0) | (self.quiet >= QUIET_MOST) | (self.number >= dusk_of(self.battle))
        winner = np.where(stands.sum(axis=0) == 1, np.where(stands[0], 0, 1), NOBODY)
        enough = np.zeros(self.rows.size, dtype=bool)
        for army, least in about.until.items():
            own = self.own(army)
            if own.any():
                enough |= np.maximum(0, self.force - self.losses)[own].sum(axis=0) <= least
        self.keep(over, winner[over], fought)
        self.keep(enough[~over], UNDECIDED, fought)
