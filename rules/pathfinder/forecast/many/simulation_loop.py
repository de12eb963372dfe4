"""Simulation loop: blows on arrays, and phase after phase until every battle is over or the forecast's horizon is
reached.
"""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from rules.core.odds import AboutOdds
from rules.pathfinder.battle.state.battle_state import MELEE, Phase
from rules.pathfinder.battle.state.view import wearable
from rules.pathfinder.battle.steps.ends import numbered
from rules.pathfinder.battle.steps.strike import BARS, EXTRA_DIE, FEAR_DC, HIGHEST
from rules.pathfinder.catalogue.effects import AttackKind, Mode
from rules.pathfinder.forecast.many.battle_arrays import Happens, ManyBattles
from rules.pathfinder.forecast.many.cast import Cast
from rules.pathfinder.forecast.many.fates import (
    ManyDice,
    after_parting,
    check,
    defeats,
    end,
    hurt,
    routs,
    rows_with,
    thrown,
    weather,
    winners,
)
from rules.pathfinder.forecast.many.moves import Attacks, below, give_up, linger, may_give_up, take_aim, taunt, withdraw
from rules.pathfinder.forecast.many.reckoner import ATTACKED, Blow, every_pair
from rules.pathfinder.forecast.tally import UNDECIDED, Array, Thrown

LATE, EARLY = ATTACKED.index("late"), ATTACKED.index("early")
EVERYWHERE = slice(None)

type Where = Array | slice
"""Indices of battles, or a slice of all."""


class Fight:
    """Step 6 with the armies as they stand before the first blow. Parting shots use the same figures (R-51)."""

    def __init__(self, many: ManyBattles, plan: Attacks, dice: ManyDice):
        self.many, self.plan, self.dice = many, plan, dice
        self.stood = [many.posture(i) for i in many.cast.everybody]
        self.shoots = [many.shoots(i) for i in many.cast.everybody]
        self.hurtful: list[tuple[int, int, Array]] = []

    def attack(self) -> None:
        """Make every planned attack. Damage is applied in attack order."""
        many, attacks = self.many, self.plan.attacks
        faces = self.dice.faces(attacks.size).reshape(attacks.shape)
        many.barred_next |= attacks & (faces == 0)
        if many.can.attacked:
            many.attacked = np.where(attacks, np.maximum(many.attacked, self._moment()[:, None]), many.attacked)
        for i in rows_with(attacks):
            foes = many.cast.foes[i]
            if len(foes) == 1 and (i, foes[0]) not in self.plan.at_range:  # cheaper than to look who attacks
                mode: Mode = "melee" if many.melee else "shot"
                self._blow(i, foes[0], EVERYWHERE, mode, "attack", faces[i], attacks[i])
            else:
                self._among(i, foes, faces[i])

    def _moment(self) -> Array:
        """Return by army whether an Offense check now is early or late."""
        melees = self.many.melees if self.many.melee else [0] * len(self.many.melees)
        return np.array([LATE if fought else EARLY for fought in melees], np.int8)

    def _among(self, i: int, foes: list[int], faces: Array) -> None:
        aimed_at = np.bincount(self.many.target[i][self.plan.attacks[i]], minlength=len(self.plan.attacks))
        for j in foes:
            if not aimed_at[j]:
                continue
            for mode, meets in self._modes(self.plan.against(i, j), self.plan.keeps(i, j)):
                (where,) = meets.nonzero()
                if where.size:
                    self._blow(i, j, where, mode, "attack", faces[where])

    def _modes(self, attacks: Array, far: Array | None) -> list[tuple[Mode, Array]]:
        if not self.many.melee:
            return [("shot", attacks)]
        return [("melee", attacks)] if far is None else [("melee", attacks & ~far), ("shot", attacks & far)]

    def _blow(
        self, i: int, j: int, where: Where, mode: Mode, deed: AttackKind, faces: Array, attacks: Array | None = None
    ) -> None:
        """Apply these faces to the target, in all these battles or only where it attacks."""
        many = self.many
        damage = self._damage(i, j, where, mode, deed, faces)
        if attacks is not None:
            damage = damage * attacks
        lost = hurt(many, j, where, damage)
        if many.can.spawns:
            felling = (many.hp[j, where] == 0) & (lost > 0)
            many.felled[j, where] = np.where(felling, i, many.felled[j, where])
        if self._leaves_something(i, j):
            self._linger_on(i, j, where, mode, damage > 0, deed)
        if many.can.disarms and deed == "attack" and many.cast.armies[j].engines:
            self._break_engine(i, j, where, mode, damage > 0)

    def _damage(self, i: int, j: int, where: Where, mode: Mode, deed: AttackKind, faces: Array) -> Array:
        many = self.many
        pairs, which = every_pair(self.stood[i], self.stood[j], where)
        blows = [many.figures.blow(i, mine, j, theirs, mode, deed) for mine, theirs in pairs]
        if all(not blow.worth for blow in blows):
            table = blows[0].damage if which is None else np.concatenate([blow.damage for blow in blows])
            return table.take(faces if which is None else which * HIGHEST + faces)
        return _with_extra(blows, np.zeros(faces.size, np.intp) if which is None else which, faces, self.dice)

    # Step 7.
    def _leaves_something(self, i: int, j: int) -> bool:
        cast, can = self.many.cast, self.many.can
        return (
            (can.drains and cast.drains[i][j])
            or (can.paralyses and cast.paralyses[i][j])
            or (can.bleeds and cast.bleeds[i][j] is not None)
            or (can.frightens and cast.frightens[i][j])
        )

    def _linger_on(self, i: int, j: int, where: Where, mode: Mode, hurtful: Array, deed: AttackKind) -> None:
        """Apply the marks of attacks that computed at least 1 damage (R-40, R-43, R-44)."""
        many, cast = self.many, self.many.cast
        if cast.drains[i][j]:
            many.drained[j, where] += hurtful
        if cast.paralyses[i][j]:
            many.paralysed[j, where] += hurtful
        if mode == "melee" and (resisted := cast.bleeds[i][j]) is not None:
            many.bled.setdefault((j, resisted), np.zeros(many.count, np.int8))[where] += hurtful
        if cast.frightens[i][j] and deed == "attack":
            everywhere = np.zeros(many.count, bool)
            everywhere[where] = hurtful
            self.hurtful.append((i, j, everywhere))

    def _break_engine(self, i: int, j: int, where: Where, mode: Mode, hurtful: Array) -> None:
        """Make Siegebreaker's second Offense check against the same DV. Success destroys one engine (PF-3.11)."""
        many = self.many
        pairs, which = every_pair(self.stood[i], self.stood[j], where)
        found = [many.figures.breaking(i, mine, j, theirs, mode) for mine, theirs in pairs]
        able, each = np.array([above is not None for above in found]), np.array([above or 0 for above in found])
        of = np.zeros(hurtful.size, np.intp) if which is None else which
        (at,) = (hurtful & able[of] & (many.engines[j, where] > 0)).nonzero()
        if not at.size:
            return
        faces, places = thrown(self.dice, at.size), np.arange(many.count)[where][at]
        many.engines[j, places] -= faces + each[of[at]] > 0
        many.barred_next[i, places] |= faces == BARS

    def frighten(self) -> None:
        """Make a fear check for each army that frightens it. Failing while afraid dooms it to rout (R-45)."""
        many = self.many
        for i, j, hurtful in self.hurtful:
            where = (hurtful & (many.hp[j] > 0)).nonzero()[0]
            if where.size:
                passed = check(many, self.dice, j, where, "fear", FEAR_DC + many.cast.armies[i].acr)
                many.afraid_next[j, where] |= ~passed & ~many.afraid[j, where]

    # Step 10.
    def part(self, routed: list[tuple[int, Array]]) -> None:
        """Make parting shots with the figures of step 6. Armies that rout together make none (R-51)."""
        many, everybody = self.many, self.many.cast.battle.law.house.parting_shots == "all"
        able = many.acting() & (many.hp > 0) & ~many.barred
        shots = [(i, j, self._may_part(i, j, able[i] & gone)) for j, gone in routed for i in many.cast.everybody
                 if i != j and (everybody or many.cast.sides[i] != many.cast.sides[j])]  # fmt: skip
        for i, j, parting in shots:
            if not np.count_nonzero(parting):
                continue
            for mode, meets in self._modes(parting, self.plan.keeps(i, j)):
                (where,) = (meets & self.shoots[i] if mode == "shot" else meets).nonzero()
                if where.size:
                    self._part(i, j, where, mode)

    def _part(self, i: int, j: int, where: Array, mode: Mode) -> None:
        many = self.many
        faces = self.dice.faces(where.size)
        barred = many.barred_next[i]  # rows of one army, as in `hurt`
        barred[where] |= faces == 0
        if many.can.attacked:
            many.attacked[i, where] = np.maximum(many.attacked[i, where], self._moment()[i])
        self._blow(i, j, where, mode, "parting", faces)

    def _may_part(self, i: int, j: int, able: Array) -> Array:
        """Return where an able army reaches the one that routs (R-26)."""
        many = self.many
        if many.digging[i] or below(many, i, j):
            return np.zeros(many.count, bool)
        if many.can.flies and many.melee and many.cast.hovers_over[j][i]:
            far = self.plan.keeps(i, j)
            able &= ~(many.hovers[j] if far is None else many.hovers[j] & ~far)
        return able


def _with_extra(blows: list[Blow], which: Array, faces: Array, dice: ManyDice) -> Array:
    """Return the damage with further dice of a hit (R-41), each where its source is in force."""
    most = max(len(blow.worth) for blow in blows)
    wide = max(blow.damage.shape[1] for blow in blows)
    extra = np.zeros(faces.size, np.intp)
    for place in range(most):
        worth = np.array([blow.worth[place] if place < len(blow.worth) else (0,) * EXTRA_DIE for blow in blows])
        extra += worth[which, dice.generator.integers(0, EXTRA_DIE, size=faces.size)]
    table = np.zeros((len(blows), HIGHEST, wide), np.int16)
    for row, blow in enumerate(blows):
        table[row, :, : blow.damage.shape[1]] = blow.damage
    return table[which, faces, extra]


def hold_and_trip(many: ManyBattles, plan: Attacks) -> None:
    """Apply trip and grab before the blows (R-26, R-29)."""
    for i in many.cast.everybody:
        for j in many.cast.foes[i]:
            trips, grabs = many.cast.trips[i][j], many.cast.grabs[i][j]
            if not (trips or grabs):
                continue
            far = plan.keeps(i, j)
            meets = plan.against(i, j) if far is None else plan.against(i, j) & ~far
            many.tripped[j] += meets * trips
            many.grabbed[j] += meets * grabs


# Siege engines on arrays.

WEARS = 4


def wear_down_walls(many: ManyBattles, plan: Attacks, dice: ManyDice) -> None:
    """Wear down fortifications: each engine takes 1d4 off those that its army attacks in melee."""
    for i in many.cast.everybody:
        for j in many.cast.foes[i] if many.cast.works_engines[i] else ():
            if many.cast.around[j]:
                far = plan.keeps(i, j)
                (where,) = (plan.against(i, j) if far is None else plan.against(i, j) & ~far).nonzero()
                _wear(many, j, where, _thrown(many, dice, i, j, where))


def _thrown(many: ManyBattles, dice: ManyDice, i: int, j: int, where: Array) -> Array:
    """Return the sum of a die for each engine. No more dice are rolled than could wear down everything."""
    forts = many.cast.forts
    enough = sum(wearable(forts[place]) for place in many.cast.around[j])
    held = many.engines[i, where] if many.can.disarms else np.full(where.size, many.cast.armies[i].engines)
    engines = np.minimum(held, enough)
    faces = dice.generator.integers(1, WEARS + 1, size=(int(engines.max(initial=0)), where.size), dtype=np.int16)
    counted = np.arange(faces.shape[0])[:, None] < engines
    worn: Array = (faces * counted).sum(axis=0, dtype=np.int16)
    return worn


def _wear(many: ManyBattles, j: int, where: Array, left: Array) -> None:
    """Wear down fortifications one after the other; what is left over goes to the next."""
    for place in many.cast.around[j]:
        worn = np.minimum(left, wearable(many.cast.forts[place]) - many.worn[place, where])
        many.worn[place, where] += worn
        left = left - worn


NEXT = (("barred", "barred_next"), ("afraid", "afraid_next"))
CROWD = 16
"""Number of armies at which an army costs twice as much, because each has to consider all others."""
HAPPENING = 8
"""Number of possible kinds of events at which a phase costs twice as much."""
COSTS_AS = 1500
"""Overhead of array calls, as a number of additional battles."""
STRAGGLERS = 50
"""If at most one battle in so many goes on, the loop stops at the allowed work; otherwise at twice the work."""


def weight(cast: Cast, can: Happens) -> float:
    """Return the cost of moving one of these armies, relative to one of two plain ones."""
    return (1 + sum(can) / HAPPENING) * (1 + len(cast.ids) / CROWD)


class Over(NamedTuple):
    """Battles that ended together, in the format of `Thrown`, and their indices."""

    column: Array
    hp: Array
    fates: Array
    winners: Array
    phases: Array


class Thrower:
    """Simulates battles that are all after step 4 of their first phase. `worked` counts plain armies moved in all
    battles.
    """

    def __init__(self, many: ManyBattles, about: AboutOdds, dice: ManyDice):
        self.many, self.about, self.dice = many, about, dice
        self.retreats = may_give_up(many, about)
        self.weight = weight(many.cast, many.can)
        self.fought = 0
        self.worked = 0
        self.begun = many.count
        self.over: list[Over] = []

    def throw(self, phases: int, work: float) -> Thrown:
        """Simulate at most this many phases, starting no new one once so much work is done."""
        self._fight()
        while self.many.count and self.fought < phases and self.worked < self._allowed(work):
            self._next_phase()
            self._prepare()
            self._fight()
        self._store(np.ones(self.many.count, bool), np.full(self.many.count, UNDECIDED, np.int8))
        return self._in_order()

    def _in_order(self) -> Thrown:
        """Return all battles in their original order."""
        column, hp, fates, winners, phases = (np.concatenate(part, axis=-1) for part in zip(*self.over, strict=True))
        place = np.empty_like(column)
        place[column] = np.arange(column.size)
        rows = [array.take(place, axis=-1) for array in (hp, fates, winners, phases)]
        return Thrown(tuple(self.many.cast.ids), *rows)

    def _allowed(self, work: float) -> float:
        return work if self.many.count * STRAGGLERS < self.begun else 2 * work

    def _prepare(self) -> None:
        """Do steps 1 to 4 without new orders."""
        many, before = self.many, self.many.hp.copy() if self.retreats else self.many.hp
        linger(many, self.dice)
        if self.retreats:
            give_up(many, self.retreats, self.fought, before)
        take_aim(many)

    def _fight(self) -> None:
        """Do step 5 to the end of the phase."""
        many, dice = self.many, self.dice
        if many.can.taunts:
            taunt(many, dice)
        plan = Attacks(many)
        if many.can.withdraws:
            withdraw(many, plan, dice)
        if many.can.besieges and many.melee:
            wear_down_walls(many, plan, dice)
        if many.can.holds and many.melee:
            hold_and_trip(many, plan)
        fight = Fight(many, plan, dice)
        fight.attack()
        fight.frighten()
        if many.can.storms:
            weather(many)
        defeats(many)
        if routed := routs(many, dice):
            fight.part(routed)
            after_parting(many, routed)
        end(many)
        self._close()

    def _close(self) -> None:
        """End the phase, and store the battles that are over."""
        many = self.many
        self.fought += 1
        self.worked += int((many.count + COSTS_AS) * len(many.cast.ids) * self.weight)
        done, won = self._decided()
        for army, health in self.about.until.items():
            if (place := many.cast.place.get(army)) is not None:
                done |= many.hp[place] <= health
        if np.count_nonzero(done):
            self._store(done, won)
            many.keep(~done)

    def _decided(self) -> tuple[Array, Array]:
        """Return where battles are over and who won. Only battles in which a fate changed are examined."""
        many = self.many
        won = np.full(many.count, UNDECIDED, np.int8)
        (where,) = many.changed.nonzero()
        if where.size:
            won[where] = winners(many, where)
            many.changed[where] = False
        return won != UNDECIDED, won

    def _store(self, done: Array, won: Array) -> None:
        many, ended = self.many, np.flatnonzero(done)
        hp, fates = many.hp.take(ended, axis=-1), many.fate.take(ended, axis=-1)
        phases = np.full(ended.size, self.fought, np.int32)
        self.over.append(Over(many.column.take(ended), hp, fates, won.take(ended), phases))

    def _next_phase(self) -> None:
        many = self.many
        if many.melee:
            many.melees = [number + 1 for number in many.melees]
        before = many.phase
        many.phase = (
            Phase(MELEE, before.number + 1, before.tick + 1)
            if many.melee
            else numbered((*many.cast.battle.phases, before), MELEE, before.tick + 1)
        )
        many.begin()
        for now, later in NEXT:
            if now in many.names:
                setattr(many, now, getattr(many, later))
                setattr(many, later, np.zeros_like(getattr(many, now)))
        if many.can.frightens:
            many.barred = many.barred | many.afraid
        many.forget()
