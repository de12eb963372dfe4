"""Figures for many battles: those of `exchange` and the views, computed once for each posture of an army.

A posture holds the few things that figures read and that differ between battles. Marks that add up count as so many
times the effect of one.
"""

from __future__ import annotations

from dataclasses import replace
from itertools import product
from typing import NamedTuple

import numpy as np

from rules.pathfinder.battle.state.battle_state import ArmyInBattle, BattleState, Mark, Phase, changed
from rules.pathfinder.battle.state.view import ArmyView, wearable
from rules.pathfinder.battle.steps.strike import EXTRA_DIE, HIGHEST, Exchange, exchange, outcome, reckoned
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.effects import SIEGEBREAKER, AttackKind, Mode, Purpose, Situation
from rules.pathfinder.figures import lines_of, morale_lines, total
from rules.pathfinder.forecast.many.cast import COUNTED, Cast
from rules.pathfinder.forecast.tally import Array

ATTACKED = ("", "late", "early")


class Posture(NamedTuple):
    """State of an army that its figures depend on and that differs between battles. `stance` is the index of its tactic
    and strategy. `taunted` and `sung` are bit sets of armies that taunt it and sing for it. `walls` is the encoded wear
    of the fortifications around it (`Reckoner.worn`).
    """

    stance: int = 0
    bloodied: int = 0
    attacked: int = 0
    withdrawing: int = 0
    stand: int = 0
    taunted: int = 0
    sung: int = 0
    walls: int = 0
    disarmed: int = 0
    drained: int = 0
    paralysed: int = 0
    tripped: int = 0
    grabbed: int = 0


NOT_COUNTED = len(Posture._fields) - len(COUNTED)


class Postures(NamedTuple):
    """Postures of one army in many battles: `which` of `held` it has in each; None if the first in all."""

    held: tuple[Posture, ...]
    which: Array | None


AS_EVER = Postures((Posture(),), None)


class Blow(NamedTuple):
    """Damage of an attack by face (0 for a 1) and by the total of further dice, and the value of each further die."""

    damage: Array
    worth: tuple[tuple[int, ...], ...]


class Reckoner:
    """Cache of computed figures, for armies that are constant except for their postures."""

    def __init__(self, cast: Cast):
        self.cast = cast
        self.reckoned = 0
        self._last_mark = max((m.at for army in cast.armies for m in army.marks if m.at is not None), default=-1)
        self._battle = cast.battle
        self._phase: tuple[object, ...] = ()
        self._views: dict[tuple[object, ...], ArmyView] = {}
        self._pairs: dict[tuple[object, ...], Exchange] = {}
        self._blows: dict[tuple[object, ...], Blow] = {}
        self._shapes: dict[tuple[object, ...], Blow] = {}
        self._morale: dict[tuple[object, ...], int] = {}

    def begin(self, phase: Phase) -> None:
        """Set the phase: its kind, whether it is the first, and its tick while a mark depends on it."""
        self._phase = (phase.kind, phase.number == 1, min(phase.tick, self._last_mark + 1))
        self._battle = changed(self.cast.battle, phase=phase)

    # Views.
    def view(self, i: int, posture: Posture) -> ArmyView:
        key = (self._phase, i, posture)
        if (found := self._views.get(key)) is None:
            field = self._field(i, posture.walls) if posture.walls else self._battle
            found = self._views[key] = ArmyView(field, self._army(i, posture))
        return found

    def _field(self, i: int, walls: int) -> BattleState:
        """Return the battle with this wear of the fortifications around the army."""
        worn, forts = self.worn(i, walls), self.cast.forts
        now = {forts[place].id: replace(forts[place], worn=forts[place].worn + more) for place, more in worn.items()}
        return changed(self._battle, forts=tuple(now.get(fort.id, fort) for fort in self._battle.forts), memo={})

    def worn(self, i: int, walls: int) -> dict[int, int]:
        """Decode the wear of each fortification around the army. The last one is the lowest digit."""
        found = {}
        for place in reversed(self.cast.around[i]):
            walls, found[place] = divmod(walls, wearable(self.cast.forts[place]) + 1)
        return found

    def _army(self, i: int, now: Posture) -> ArmyInBattle:
        army = self.cast.disarmed[i] if now.disarmed else self.cast.armies[i]
        tactic, strategy = self.cast.stances[i][now.stance]
        hp = army.hp_max // 2 if now.bloodied else army.hp_max
        marks = (*self._lasting(army, now.sung), *self._passing(now))
        attacked = ATTACKED[now.attacked]
        return changed(army, hp=hp, tactic=tactic, strategy=strategy, marks=marks, attacked=attacked)

    def _lasting(self, army: ArmyInBattle, sung: int) -> list[Mark]:
        place = self.cast.place
        return [self._dug(m) for m in army.marks
                if m.kind != "inspired" or m.other not in place or sung >> place[m.other] & 1]  # fmt: skip

    def _dug(self, mark: Mark) -> Mark:
        """Return the mark, or "burrowed" if the army has burrowed for a phase (R-14)."""
        through = mark.kind == "burrowing" and mark.at is not None and mark.at < self._battle.phase.tick
        return Mark("burrowed", mark.other) if through else mark

    def _passing(self, now: Posture) -> list[Mark]:
        marks = [Mark("taunted", by) for place, by in enumerate(self.cast.ids) if now.taunted >> place & 1]
        marks += [Mark("withdrawing")] * now.withdrawing + [Mark("last-stand")] * now.stand
        return marks + [Mark(kind, amount=amount) for kind in COUNTED if (amount := getattr(now, kind))]

    # Blows.
    def blow(self, i: int, mine: Posture, j: int, theirs: Posture, mode: Mode, deed: AttackKind) -> Blow:
        key = (self._phase, i, mine, j, theirs, mode, deed)
        if (found := self._blows.get(key)) is None:
            pair = self._pair(i, mine, j, theirs, mode, deed)
            shape = (pair.om_total - pair.dv_total, pair.spared, pair.bonus_total, pair.factors, pair.extra, pair.least)
            if (found := self._shapes.get(shape)) is None:
                found = self._shapes[shape] = _blow(pair)
            self._blows[key] = found
        return found

    def _pair(self, i: int, mine: Posture, j: int, theirs: Posture, mode: Mode, deed: AttackKind) -> Exchange:
        """Return the exchange. Marks that add up count as so many times the effect of one."""
        base = self._simple(i, none_counted(mine), j, none_counted(theirs), mode, deed)
        om, dv, bonus = base.om_total, base.dv_total, base.bonus_total
        for kind in COUNTED:
            for mark, of_me in ((getattr(mine, kind), True), (getattr(theirs, kind), False)):
                if not mark:
                    continue
                me, foe = none_counted(mine), none_counted(theirs)
                one = (me._replace(**{kind: 1}), foe) if of_me else (me, foe._replace(**{kind: 1}))
                with_one = self._simple(i, one[0], j, one[1], mode, deed)
                om += mark * (with_one.om_total - base.om_total)
                dv += mark * (with_one.dv_total - base.dv_total)
                bonus += mark * (with_one.bonus_total - base.bonus_total)
        return base._replace(om_total=om, dv_total=dv, bonus_total=bonus)

    def _simple(self, i: int, mine: Posture, j: int, theirs: Posture, mode: Mode, deed: AttackKind) -> Exchange:
        key = (self._phase, i, mine, j, theirs, mode, deed)
        if (found := self._pairs.get(key)) is None:
            self.reckoned += 1
            pairing = reckoned if mine.walls or theirs.walls else exchange  # the memo only knows one state of the walls
            found = self._pairs[key] = pairing(self.view(i, mine), self.view(j, theirs), mode, deed)
        return found

    # Siegebreaker.
    def breaking(self, i: int, mine: Posture, j: int, theirs: Posture, mode: Mode) -> int | None:
        """Return the margin over DV of the second Offense check, without its die; None if there is no such check
        (PF-3.11).
        """
        me = self.view(i, none_counted(mine))
        if not me.has(t.BREAKS_SIEGE):
            return None
        pair = self._pair(i, mine, j, theirs, mode, "attack")
        s = Situation(me, self.view(j, none_counted(theirs)), mode, deed="siegebreaker")
        return pair.om_total - pair.dv_total + total(lines_of(SIEGEBREAKER, s))

    # Morale.
    def morale(self, i: int, mine: Posture, purpose: Purpose, foe: tuple[int, Posture] | None = None) -> int:
        """Return the bonus to a morale check. Marks that add up count as for blows."""
        me = none_counted(mine)
        bonus = base = self._bonus(i, me, purpose, foe)
        for kind in COUNTED:
            if amount := getattr(mine, kind):
                bonus += amount * (self._bonus(i, me._replace(**{kind: 1}), purpose, foe) - base)
        return bonus

    def _bonus(self, i: int, mine: Posture, purpose: Purpose, foe: tuple[int, Posture] | None) -> int:
        key = (self._phase, i, mine, purpose, foe)
        if (found := self._morale.get(key)) is None:
            self.reckoned += 1
            other = self.view(foe[0], none_counted(foe[1])) if foe else None
            found = self._morale[key] = total(morale_lines(Situation(self.view(i, mine), other, purpose=purpose)))
        return found


def none_counted(posture: Posture) -> Posture:
    return Posture(*posture[:NOT_COUNTED])


def _blow(pair: Exchange) -> Blow:
    worth = tuple(tuple(die.worth(face) for face in range(1, EXTRA_DIE + 1)) for die in pair.extra)
    most = sum(max(faces) for faces in worth)
    damage = [[outcome(pair, face, extra) for extra in range(most + 1)] for face in range(1, HIGHEST + 1)]
    return Blow(np.array(damage, dtype=np.int16), worth)


def postures(count: int, **varying: Array | int) -> Postures:
    """Return the distinct postures from varying figures: an array by battle, or a number for all battles."""
    fixed = {name: value for name, value in varying.items() if isinstance(value, int)}
    arrays = {name: value for name, value in varying.items() if not isinstance(value, int)}
    if not arrays or not count:
        return Postures((Posture(**fixed),), None) if any(fixed.values()) else AS_EVER
    names, radix = list(arrays), [int(value.max()) + 1 for value in arrays.values()]
    code = np.zeros(count, np.int64)
    for value, most in zip(arrays.values(), radix, strict=True):
        if most > 1:
            code = code * most + value
    seen, which = present(code, int(np.prod(radix)))
    values = np.unravel_index(seen, radix)
    held = tuple(Posture(**fixed, **dict(zip(names, map(int, one), strict=True))) for one in zip(*values, strict=True))
    return Postures(held, None if len(held) == 1 else which)


def present(code: Array, most: int) -> tuple[Array, Array]:
    """Return the distinct codes in order, and the index of each battle's code."""
    if most > 1 << 18:
        seen, which = np.unique(code, return_inverse=True)
        return seen, which
    there = np.zeros(most, bool)
    there[code] = True
    seen = np.flatnonzero(there)
    places = np.zeros(most, np.int32)
    places[seen] = np.arange(seen.size, dtype=np.int32)
    return seen, places[code]


def every_pair(
    mine: Postures, theirs: Postures, where: Array | slice
) -> tuple[list[tuple[Posture, Posture]], Array | None]:
    """Return the distinct pairs of postures in these battles, and the index of each battle's pair (None if there is one
    battle-independent pair).
    """
    if mine.which is None and theirs.which is None:
        return list(product(mine.held, theirs.held)), None
    code: Array | int = 0 if mine.which is None else mine.which[where].astype(np.int64) * len(theirs.held)
    code = code + (0 if theirs.which is None else theirs.which[where])
    assert not isinstance(code, int)
    seen, which = present(code, len(mine.held) * len(theirs.held))
    pairs = [(mine.held[one // len(theirs.held)], theirs.held[one % len(theirs.held)]) for one in map(int, seen)]
    return pairs, which
