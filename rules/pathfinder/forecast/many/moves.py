"""Steps 1 to 5 on arrays, for a phase without new orders (PF-3.5)."""

from __future__ import annotations

import numpy as np

from rules.core.odds import AboutOdds, Retreat
from rules.pathfinder.battle.steps.opposed import TAUNT_DC
from rules.pathfinder.forecast.many.battle_arrays import NOBODY, ManyBattles
from rules.pathfinder.forecast.many.fates import ManyDice, bonus, check, fall, heal, hurt, may_leave, rows_with, thrown
from rules.pathfinder.forecast.many.reckoner import every_pair
from rules.pathfinder.forecast.standing import may_withdraw
from rules.pathfinder.forecast.tally import FALLEN, GONE, Array

BLEEDS = 6
WITHSTOOD = 2  # taunts withstood, after which none works any more


# Step 1.
def linger(many: ManyBattles, dice: ManyDice) -> None:
    """Apply bleeding, then fast healing and regeneration, then defeat at 0 hp (R-43)."""
    bled, many.bled = many.bled, {}
    for (i, resisted), marks in bled.items():
        _bleed(many, dice, i, resisted, marks * many.on(i))
    if many.can.mends:
        for i in many.cast.everybody:
            _mend(many, i)
    for i in many.cast.everybody if bled else ():
        if not many.cast.regenerates[i]:
            down = many.on(i) & (many.hp[i] == 0)
            fall(many, i, down if not many.can.stands else down & (many.stand[i] == 0), FALLEN)


def _bleed(many: ManyBattles, dice: ManyDice, i: int, resisted: int, marks: Array) -> None:
    where = np.flatnonzero(marks)
    thrown = dice.generator.integers(1, BLEEDS + 1, size=(int(marks.max(initial=0)), where.size), dtype=np.int16)
    counted = np.arange(thrown.shape[0])[:, None] < marks[where]
    hurt(many, i, where, (np.maximum(thrown - resisted, 0) * counted).sum(axis=0, dtype=np.int16))


def _mend(many: ManyBattles, i: int) -> None:
    for amount in many.cast.mends[i]:
        able = many.on(i) & (many.hp[i] < many.cast.armies[i].hp_max)
        heal(many, i, able if not many.can.stands else able & (many.stand[i] == 0), amount)


# Step 2.
def give_up(many: ManyBattles, retreats: dict[int, Retreat], fought: int, before: Array) -> None:
    """Turn armies that want to leave to withdrawing, which needs no check. `before` are the hit points when orders were
    given.
    """
    for i, (after, health) in retreats.items():
        enough = np.zeros(many.count, bool)
        if after is not None and fought >= after:
            enough[:] = True
        if health is not None:
            enough |= before[i] <= health
        leaving = many.acting()[i] & enough
        many.stance[i, leaving] = many.turned[i][many.stance[i, leaving]]


def may_give_up(many: ManyBattles, about: AboutOdds) -> dict[int, Retreat]:
    place = many.cast.place
    return {place[army]: retreat for army, retreat in about.retreats.items()
            if army in place and may_withdraw(many.cast.battle, army)}  # fmt: skip


# Step 4.
def take_aim(many: ManyBattles) -> None:
    """Let armies without an available target choose the first reachable enemy (PF-3.5, R-21)."""
    acting = many.acting()
    if many.aimed and acting.all():
        return  # nobody has left, so every target is still available
    many.aimed = not many.can.flies
    aimed = np.take_along_axis(acting, np.maximum(many.target, 0), axis=0) & (many.target != NOBODY)
    seekers = acting & ~aimed
    for i in rows_with(seekers):
        _first_foe(many, i, seekers[i], acting)
    if many.can.flies:
        while (many.melee and _hover(many, acting)) | _seek_again(many, acting, seekers):
            pass


def _first_foe(many: ManyBattles, i: int, seeking: Array, acting: Array) -> None:
    open_still = seeking.copy()
    many.target[i, seeking] = NOBODY
    for j in many.cast.foes[i]:
        found = open_still & acting[j]
        if many.can.flies and many.melee:
            found &= ~out_of_reach(many, i, j)
        many.target[i, found] = j
        open_still &= ~found
        if not np.count_nonzero(open_still):
            return


def out_of_reach(many: ManyBattles, i: int, j: int) -> Array:
    """Return in which battles the target hovers out of the attacker's reach (R-26)."""
    return many.hovers[j] if many.cast.hovers_over[j][i] else np.zeros(many.count, bool)


def _hover(many: ManyBattles, acting: Array) -> bool:
    rose = False
    for i in many.cast.everybody:
        if many.cast.flies[i]:
            rises = acting[i] & ((many.target[i] == NOBODY) | many.barred[i]) & ~many.hovers[i]
            many.hovers[i] |= rises
            rose = rose or bool(rises.any())
    return rose


def _seek_again(many: ManyBattles, acting: Array, seekers: Array) -> bool:
    turned = False
    for i in rows_with(seekers) if many.melee else ():
        for j in many.cast.foes[i]:
            lost = seekers[i] & (many.target[i] == j) & out_of_reach(many, i, j)
            if lost.any():
                _first_foe(many, i, lost, acting)
                turned = True
    return turned


# Step 5.
def taunt(many: ManyBattles, dice: ManyDice) -> None:
    acting = many.acting()
    for i in many.cast.everybody:
        taunts = many.taunting[i][many.stance[i]] & acting[i]
        for j in many.cast.foes[i] if taunts.any() else ():
            heard = taunts & (many.target[i] == j) & (many.withstood[j] < WITHSTOOD)
            where = np.flatnonzero(heard)
            if where.size:
                passed = check(many, dice, j, where, "taunt", TAUNT_DC + many.cast.armies[i].acr)
                many.withstood[j, where] += passed
                many.taunted[j, where] |= np.where(passed, 0, 1 << i).astype(np.int32)


def below(many: ManyBattles, i: int, j: int) -> bool:
    """Whether one of the two burrows out of the other's reach (R-26)."""
    digging, has = many.digging, many.cast.burrows
    return (digging[i] and not (has[i] and has[j])) or (digging[j] and many.cast.buries[j][i])


class Attacks:
    """Planned Offense checks (R-26). `attacks` is by army and battle, each against its target. `at_range` says for
    which pairs, and in which battles, they keep their distance in a melee phase (R-31).
    """

    def __init__(self, many: ManyBattles):
        self.many = many
        self.at_range: dict[tuple[int, int], Array] = {}
        self.attacks: Array = many.acting() & ~many.barred & (many.target != NOBODY)
        if not many.melee:
            for i in many.cast.everybody:
                self.attacks[i] &= many.shoots(i)
        elif many.can.flies:
            self._lose_those_overhead()
        if any(many.digging):
            self._lose_those_below()

    def _lose_those_overhead(self) -> None:
        many = self.many
        for j in rows_with(many.hovers):
            for i in many.cast.everybody:
                self.attacks[i] &= ~((many.target[i] == j) & out_of_reach(many, i, j))

    def _lose_those_below(self) -> None:
        many = self.many
        for i in many.cast.everybody:
            for j in many.cast.foes[i]:
                if below(many, i, j):
                    self.attacks[i] &= many.target[i] != j

    def against(self, i: int, j: int) -> Array:
        attacks: Array = self.attacks[i] & (self.many.target[i] == j)
        return attacks

    def keeps(self, i: int, j: int) -> Array | None:
        """Return in which battles these two keep their distance in a melee phase; None if in none."""
        return self.at_range.get((i, j))

    def replan(self) -> None:
        """Keep only the attacks that remain after withdrawals (R-21, R-31)."""
        many = self.many
        for i in many.cast.everybody:
            self.attacks[i] &= many.on(i)
            for j in many.cast.foes[i]:
                lost = ~many.on(j)
                if (far := self.keeps(i, j)) is not None:
                    lost = lost | (far & ~many.shoots(i))
                self.attacks[i] &= ~((many.target[i] == j) & lost)


def withdraw(many: ManyBattles, plan: Attacks, dice: ManyDice) -> None:
    """Make the opposed checks of withdrawing armies, one after the other (PF-3.10, R-30, R-31)."""
    acting = many.acting()
    fleeing = [np.flatnonzero(many.fleeing[i][many.stance[i]] & acting[i]) for i in many.cast.everybody]
    for i, where in enumerate(fleeing):
        if where.size:
            _withdraw(many, plan, dice, i, where)
    if any(where.size for where in fleeing):
        plan.replan()


def _withdraw(many: ManyBattles, plan: Attacks, dice: ManyDice, i: int, where: Array) -> None:
    opponents = {j: _opposes(many, plan, j, i)[where] for j in many.cast.foes[i]}
    beaten = _beaten(many, plan, dice, i, where, opponents)
    opposing, slipped = sum(opponents.values()), sum(beaten.values())
    keeps = _keeps_range(many, i, where)
    free = opposing == slipped
    many.fate[i, where[free & ~keeps]] = GONE
    many.changed[where[free & ~keeps]] = True
    stays = where[~(free & ~keeps)]
    many.withdrawing[i, stays] = 1
    if many.melee:
        for j, opposed in opponents.items():
            _part_at_range(many, plan, i, j, where[free & keeps & opposed])
    many.leaving[i, where[~free & (slipped > 0) & ~keeps]] = True


def _opposes(many: ManyBattles, plan: Attacks, j: int, i: int) -> Array:
    """Return where the army attacks the withdrawing one and is still able to (R-61)."""
    attacks = plan.against(j, i) & many.on(j)
    if (far := plan.keeps(j, i)) is not None:
        attacks &= ~far | many.shoots(j)
    return attacks


def _keeps_range(many: ManyBattles, i: int, where: Array) -> Array:
    """Return where the army keeps its distance, by choice or because it may not leave (R-59, R-62)."""
    if many.cast.stays[i] or many.cast.orders[i].withdraw == "range":
        return np.ones(where.size, bool)
    return ~may_leave(many, i)[where]


def _part_at_range(many: ManyBattles, plan: Attacks, i: int, j: int, where: Array) -> None:
    for pair in ((i, j), (j, i)):
        plan.at_range.setdefault(pair, np.zeros(many.count, bool))[where] = True


def _beaten(
    many: ManyBattles, plan: Attacks, dice: ManyDice, i: int, where: Array, opponents: dict[int, Array]
) -> dict[int, Array]:
    """Return the opponents beaten, and where: one roll of the army against one of each (R-30, R-32)."""
    mine = thrown(dice, where.size)
    total = bonus(many, i, where, "withdraw") - 2 * _held(many, plan, i, where, opponents)
    beaten = {}
    for j, opposed in opponents.items():
        verdict = many.cast.slips[i][j]
        if verdict is not None:
            beaten[j] = opposed & verdict
        elif opposed.any():
            beaten[j] = opposed & _outdone(many, dice, (i, j), where, mine, total)
    return beaten


def _held(many: ManyBattles, plan: Attacks, i: int, where: Array, opponents: dict[int, Array]) -> Array:
    """Return how many opponents grab it in melee (R-29)."""
    held = np.zeros(where.size, np.int16)
    for j, opposed in opponents.items():
        if many.melee and many.cast.grabs[j][i]:
            far = plan.keeps(j, i)
            held += opposed if far is None else opposed & ~far[where]
    return held


def _outdone(
    many: ManyBattles, dice: ManyDice, pair: tuple[int, int], where: Array, mine: Array, total: Array
) -> Array:
    """Make one opposed check. On a tie the higher bonus wins; if equal too, both roll again (PF-3.10)."""
    i, j = pair
    theirs = _stops(many, i, j, where)
    ours, foes = mine.copy(), thrown(dice, where.size)
    while (tied := np.flatnonzero((ours + total == foes + theirs) & (total == theirs))).size:
        ours[tied], foes[tied] = thrown(dice, tied.size), thrown(dice, tied.size)
    outdone: Array = (ours + total > foes + theirs) | ((ours + total == foes + theirs) & (total > theirs))
    return outdone


def _stops(many: ManyBattles, i: int, j: int, where: Array) -> Array:
    pairs, which = every_pair(many.posture(j), many.posture(i), where)
    each = np.array([many.figures.morale(j, own, "stop", (i, other)) for own, other in pairs], dtype=np.int16)
    return np.full(where.size, each[0]) if which is None else each[which]
