"""Figures for many battles: those of `exchange` and the views, for each way an army can stand once.

An army's posture is the little that figures read of it and that differs from battle to battle. The marks that add up
are taken as the law takes them: so many times what one of them does.
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
    """What figures read of an army that differs from battle to battle.

    `stance`: index of its tactic and strategy; `taunted`, `sung`: bits of the armies that taunt it and sing for it;
    `walls`: what the look has worn off the forts around it (`Reckoner.worn`).
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
    """Of one army in many battles: `which` of these postures it has in each; None where it has the first in all."""

    held: tuple[Posture, ...]
    which: Array | None


AS_EVER = Postures((Posture(),), None)


class Blow(NamedTuple):
    """The damage of an attack by face (0 for a 1) and by what the extra dice are worth; what each of them is worth."""

    damage: Array
    worth: tuple[tuple[int, ...], ...]


class Reckoner:
    """Reckons, and remembers what it has reckoned, for armies that stay the same but for their posture."""

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
        """What a phase is to figures: its kind, whether it is the first, and its tick while a mark hangs on it."""
        self._phase = (phase.kind, phase.number == 1, min(phase.tick, self._last_mark + 1))
        self._battle = changed(self.cast.battle, phase=phase)

    # views
    def view(self, i: int, posture: Posture) -> ArmyView:
        key = (self._phase, i, posture)
        if (found := self._views.get(key)) is None:
            field = self._field(i, posture.walls) if posture.walls else self._battle
            found = self._views[key] = ArmyView(field, self._army(i, posture))
        return found

    def _field(self, i: int, walls: int) -> BattleState:
        """The field with this worn off the forts around the army."""
        worn, forts = self.worn(i, walls), self.cast.forts
        now = {forts[place].id: replace(forts[place], worn=forts[place].worn + more) for place, more in worn.items()}
        return changed(self._battle, forts=tuple(now.get(fort.id, fort) for fort in self._battle.forts), memo={})

    def worn(self, i: int, walls: int) -> dict[int, int]:
        """By fort around the army what this number says is worn off it: its digits, the last fort's last."""
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
        """Who has dug for a phase is through from then on (R-14)."""
        through = mark.kind == "burrowing" and mark.at is not None and mark.at < self._battle.phase.tick
        return Mark("burrowed", mark.other) if through else mark

    def _passing(self, now: Posture) -> list[Mark]:
        marks = [Mark("taunted", by) for place, by in enumerate(self.cast.ids) if now.taunted >> place & 1]
        marks += [Mark("withdrawing")] * now.withdrawing + [Mark("last-stand")] * now.stand
        return marks + [Mark(kind, amount=amount) for kind in COUNTED if (amount := getattr(now, kind))]

    # blows
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
        """The exchange; for marks that add up as many times the difference one of them makes."""
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
            pairing = reckoned if mine.walls or theirs.walls else exchange  # a memo knows one state of the walls
            found = self._pairs[key] = pairing(self.view(i, mine), self.view(j, theirs), mode, deed)
        return found

    # siegebreaker
    def breaking(self, i: int, mine: Posture, j: int, theirs: Posture, mode: Mode) -> int | None:
        """What the second Offense check shows above DV beside its die; None where there is no such check (PF-3.11)."""
        me = self.view(i, none_counted(mine))
        if not me.has(t.BREAKS_SIEGE):
            return None
        pair = self._pair(i, mine, j, theirs, mode, "attack")
        s = Situation(me, self.view(j, none_counted(theirs)), mode, deed="siegebreaker")
        return pair.om_total - pair.dv_total + total(lines_of(SIEGEBREAKER, s))

    # morale
    def morale(self, i: int, mine: Posture, purpose: Purpose, foe: tuple[int, Posture] | None = None) -> int:
        """What it adds to a morale check; with what counts taken as for blows."""
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
    """The postures there are, from what varies: an array by battle, or a number that holds in all."""
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
    """The codes there are, in order, and of each place which of them."""
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
    """The pairs of postures that meet in these battles, and which of them does in each."""
    if mine.which is None and theirs.which is None:
        return list(product(mine.held, theirs.held)), None
    code: Array | int = 0 if mine.which is None else mine.which[where].astype(np.int64) * len(theirs.held)
    code = code + (0 if theirs.which is None else theirs.which[where])
    assert not isinstance(code, int)
    seen, which = present(code, len(mine.held) * len(theirs.held))
    pairs = [(mine.held[one // len(theirs.held)], theirs.held[one % len(theirs.held)]) for one in map(int, seen)]
    return pairs, which
