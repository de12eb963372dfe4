"""Many armies at once, each suffering what the other does to it: one-dimensional chains of hit points in arrays.

A row is an army of some battle; the last axis is its hit points. `ready` is where the other may attack in the coming
phase, `barred` where it rolled a natural 1 in the last one and may not: its attack is lost, so this is a matter of the
victim's chain. Behind both stands whether the army bleeds. Nobody has left the field in these arrays.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from typing import Any, Literal, NamedTuple

import numpy as np
import numpy.typing as npt

from .blows import Chances, Harm
from .turns import Body, Facing

type Array = npt.NDArray[np.float64]

type Part = Literal["free", "barring", "whole"]
type Wounds = tuple[int, ...]
"""What is resisted of the d6 of each wound that bleeds."""

BLEED_DIE = 6
FEW = 4  # rows up to which a matrix for each is quicker than one for each blow
DENSE = 96  # hit points up to which one matrix is quicker than a band of blocks


class Toll:
    """Takes damage off hit points: what is left, what falls to 0."""

    def __init__(self, chances: Chances, top: int):
        self.hurts = any(chance for damage, chance in chances.items() if damage)
        self._top = top
        if not self.hurts:
            return
        most = min(max(chances), top)
        by_damage = np.zeros(most + 1)
        for damage, chance in chances.items():
            if damage:
                by_damage[min(damage, most)] += chance
        self._fells = np.zeros(top + 1)  # by hit points: how likely one blow takes all of them
        reach = np.cumsum(by_damage[::-1])[::-1]
        self._fells[1 : most + 1] = reach[1:]
        self._block = top + 1 if top <= DENSE else max(most, 48)
        self._matrix = _band(by_damage, self._block, whole=top <= DENSE)

    def __call__(self, masses: Array) -> Array:
        """The masses (rows × hit points) of those who were hurt, where they come to; the fallen at 0."""
        if self._top <= DENSE:
            hurt: Array = masses @ self._matrix
        else:
            hurt = self._in_blocks(masses)
        hurt[:, 0] = masses @ self._fells
        return hurt

    def _in_blocks(self, masses: Array) -> Array:
        rows, size = masses.shape
        block = self._block
        count = -(-size // block)
        padded = np.zeros((rows, (count + 1) * block))
        padded[:, :size] = masses
        folded = padded.reshape(rows, count + 1, block)
        windows = np.concatenate((folded[:, :-1], folded[:, 1:]), axis=2)
        moved = windows.reshape(rows * count, 2 * block) @ self._matrix
        return moved.reshape(rows, count * block)[:, :size].copy()


def _band(by_damage: Array, block: int, *, whole: bool) -> Array:
    """The matrix that takes a window of hit points to its first block, each damage off by its chance."""
    before = np.arange(block if whole else 2 * block)[:, None]
    damage = before - np.arange(block)
    known = np.append(by_damage, 0.0)
    return np.asarray(known[np.where((damage > 0) & (damage < len(by_damage)), damage, -1)])


class PassedPhase(NamedTuple):
    """A phase of all rows at once, or several with the phases as first axis.

    `begun`: those who have not bled to death at its beginning, unhurt and hurt so far; `fell_early`: who has. `fell`:
    who comes to 0 later on; `struck`: who routs while the other may strike at it, `fled`: while it may not; `left`:
    who stands at the end.
    """

    begun: Array
    begun_hurt: Array
    fell_early: Array
    fell: Array
    struck: Array
    fled: Array
    left: Array


class Rows:
    """The rows of one turn, in arrays: what happens to each in it."""

    def __init__(self, bodies: Sequence[Body], facings: Sequence[Facing], top: int, wounds: Sequence[Wounds]):
        self.top = top
        self._bodies, self._facings, self.wounds = bodies, facings, wounds
        self._free = _grouped([facing.blow for facing in facings], "free", top)
        self._ones = _grouped([facing.blow for facing in facings], "barring", top)
        self._unharmed = np.ones(len(bodies), bool)
        for rows, _toll in self._free:
            self._unharmed[rows] = False
        self._miss = _column([_missing(f.blow, barring=False) for f in facings])
        self._miss_ones = _column([_missing(f.blow, barring=True) for f in facings])
        self._shots = [None if body.captured else facing.parting for body, facing in zip(bodies, facings, strict=True)]
        self.firm = _firmness(bodies, [facing.firm for facing in facings], top)
        self.firm_struck = _firmness(bodies, [facing.firm_struck for facing in facings], top)
        self._firm_alive = self.firm_struck.copy()
        self._firm_alive[:, 0] = 0.0
        self.weather = np.array([facing.weather for facing in facings])
        self.bleeds = any(facing.bleeds is not None for facing in facings)
        self._bleed = np.array([[facing.bleeds is not None] for facing in facings])
        self.mends = any(facing.mend or facing.heal for facing in facings)

    @property
    def plain(self) -> bool:
        """Nothing but blows and rout."""
        return not (self.weather.any() or self.bleeds or self.mends or any(self.wounds))

    def blows(self, masses: Array) -> tuple[Array, Array | None]:
        """Where the blows take these: those with other faces than a 1, and those with it."""
        return self._struck(self._free, masses), self._struck(self._ones, masses) if self._ones else None

    def _struck(self, groups: list[tuple[Any, Toll]], masses: Array) -> Array:
        """Where blows take these, of any number of phases at once (… × rows × hit points)."""
        if len(groups) == 1 and len(groups[0][0]) == masses.shape[-2]:
            return groups[0][1](masses.reshape(-1, masses.shape[-1])).reshape(masses.shape)
        hurt = np.zeros_like(masses)
        for rows, toll in groups:
            some = masses[..., rows, :]
            hurt[..., rows, :] = toll(some.reshape(-1, some.shape[-1])).reshape(some.shape)
        return hurt

    def plainly(self, ready: Array, barred: Array, count: int, keep: Array | None) -> tuple[Array, Array, PassedPhase]:
        """So many phases in which nothing happens but blows and rout, told with the phases as first axis.

        `keep`: 0 where the look ends, by rows and hit points.
        """
        told = np.empty((count, 2, *ready.shape))
        if len(ready) <= FEW and self.top <= DENSE:
            ready, barred = self._by_matrix(told, ready, barred, keep)
        else:
            ready, barred = self._step_by_step(told, ready, barred, keep)
        return ready, barred, self._told(told[:, 0], told[:, 1])

    def _step_by_step(self, told: Array, ready: Array, barred: Array, keep: Array | None) -> tuple[Array, Array]:
        """Rows with the same blow lie side by side meanwhile."""
        order = np.concatenate([rows for rows, _toll in self._free] + [np.flatnonzero(self._unharmed)])
        edges = np.cumsum([0, *(len(rows) for rows, _toll in self._free)])
        parts = [(slice(*span), toll) for span, (_rows, toll) in zip(pairwise(edges.tolist()), self._free, strict=True)]
        firm, miss, miss_ones = self._firm_alive[order], self._miss[order], self._miss_ones[order]
        ready, barred, hurt = ready[order], barred[order], np.zeros_like(ready)
        back = np.argsort(order)
        for phase in told:
            phase[0], phase[1] = ready, barred
            for rows, toll in parts:
                hurt[rows] = toll(ready[rows])
            then = miss_ones * ready
            if self._ones:
                then += self._struck(self._ones, ready[back])[order] * firm
            ready, barred = hurt * firm + miss * ready + barred, then
            if keep is not None:
                ready, barred = ready * keep[order], barred * keep[order]
        told[:] = told[:, :, back]
        return ready[back], barred[back]

    def _by_matrix(self, told: Array, ready: Array, barred: Array, keep: Array | None) -> tuple[Array, Array]:
        """The same by one matrix for each row: quicker for few and small ones."""
        size = self.top + 1
        matrix = self._matrix(size, keep)
        masses = np.concatenate((ready, barred), axis=1)[:, None, :]
        flat = np.empty((len(told) + 1, *masses.shape))
        flat[0] = masses
        for number in range(len(told)):
            np.matmul(flat[number], matrix, out=flat[number + 1])
        told[:, 0], told[:, 1] = flat[:-1, :, 0, :size], flat[:-1, :, 0, size:]
        return flat[-1, :, 0, :size].copy(), flat[-1, :, 0, size:].copy()

    def _matrix(self, size: int, keep: Array | None) -> Array:
        """From ready and barred to ready and barred, by rows."""
        rows = len(self._bodies)
        every = np.broadcast_to(np.eye(size), (rows, size, size))
        matrix = np.zeros((rows, 2 * size, 2 * size))
        firm = self._firm_alive[:, None, :]
        hurt, by_ones = self.blows(np.ascontiguousarray(every.transpose(1, 0, 2)))
        matrix[:, :size, :size] = hurt.transpose(1, 0, 2) * firm + self._miss[:, :, None] * every
        matrix[:, :size, size:] = self._miss_ones[:, :, None] * every
        if by_ones is not None:
            matrix[:, :size, size:] += by_ones.transpose(1, 0, 2) * firm
        matrix[:, size:, :size] = every
        return matrix if keep is None else matrix * np.concatenate((keep, keep), axis=1)[:, None, :]

    def _told(self, ready: Array, barred: Array) -> PassedPhase:
        """What happened in phases that began like this."""
        hurt, by_ones = self.blows(ready)
        if by_ones is not None:
            hurt += by_ones
        left = hurt * self._firm_alive
        routs = hurt - left
        routs[..., 0] = 0.0
        left += (self._miss + self._miss_ones) * ready
        left += barred
        fell = hurt[..., 0]
        none = np.zeros_like(ready)
        return PassedPhase(ready + barred, none, none[..., 0], fell, routs, none, left)

    def fully(self, ready: Array, barred: Array) -> tuple[Array, Array, PassedPhase]:
        """The phase with everything in it; both arrays are (bleeding or not × rows × hit points)."""
        (calm, hurt), (calm_barred, hurt_barred), early = self._beginning(ready, barred)
        new, new_hurt, ones, ones_hurt, bled, bled_ones = self._attacked(calm, hurt)
        states = [  # (unhurt, hurt, attacked, now barred, bleeds)
            (new, new_hurt, True, 0, 0), (np.zeros_like(bled), bled, True, 0, 1),
            (ones, ones_hurt, True, 1, 0), (np.zeros_like(bled_ones), bled_ones, True, 1, 1),
            (calm_barred, hurt_barred, False, 0, 0),
        ]  # fmt: skip
        after = (np.zeros_like(ready), np.zeros_like(ready))
        fell, struck, fled = np.zeros(len(calm)), np.zeros_like(calm), np.zeros_like(calm)
        for unhurt, wounded, attacked, bars, bleeds in states:
            stand, lost = self._worn(unhurt, wounded)
            firm = lost * (self.firm_struck if attacked else self.firm)
            fell += lost[:, 0]
            routs = lost - firm
            routs[:, 0] = 0.0
            (struck if attacked else fled)[:] += routs
            after[bars][bleeds] += stand + firm
        for array in after:
            array[:, :, 0] = 0.0
        left = after[0].sum(axis=0) + after[1].sum(axis=0)
        return after[0], after[1], PassedPhase(calm + calm_barred, hurt + hurt_barred, early, fell, struck, fled, left)

    def _beginning(self, ready: Array, barred: Array) -> tuple[tuple[Array, Array], tuple[Array, Array], Array]:
        """Steps 1 and 4: wounds bleed, then what mends, then the bled to death fall; what is healed (PF-3.5)."""
        early = np.zeros(ready.shape[1])
        begun = []
        for bodies in (ready, barred):
            unhurt, hurt = bodies[0].copy(), np.zeros_like(bodies[0])
            self._bleeding(bodies[1], unhurt, hurt)
            for masses in (unhurt, hurt):
                self._raised(masses, [facing.mend for facing in self._facings])
                early += masses[:, 0]
                masses[:, 0] = 0.0
                self._raised(masses, [facing.heal for facing in self._facings])
            begun.append((unhurt, hurt))
        return begun[0], begun[1], early

    def _bleeding(self, masses: Array, unhurt: Array, hurt: Array) -> None:
        """Each wound costs a d6, less what is resisted (R-43)."""
        for row, wounds in enumerate(self.wounds):
            if not masses[row].any():
                continue
            safe, lost = masses[row], np.zeros_like(masses[row])
            for resisted in wounds:
                further, more = bled(lost, resisted)
                safe, taken = bled(safe, resisted)
                lost = further + more + taken
            unhurt[row] += safe
            hurt[row] += lost

    def _raised(self, masses: Array, amounts: Sequence[tuple[int, ...]]) -> None:
        for row, healing in enumerate(amounts):
            for amount in healing:
                raise_up(masses[row], amount, self._bodies[row].hp_max)

    def _attacked(self, calm: Array, hurt: Array) -> tuple[Array, Array, Array, Array, Array, Array]:
        """Blows on those unhurt so far and on those hurt: unhurt, hurt; with a 1; those who bleed of it, with a 1."""
        struck, struck_ones = self.blows(calm + hurt)
        if struck_ones is None:
            struck_ones = np.zeros_like(struck)
        bled = np.where(self._bleed, struck, 0.0)
        bled_ones = np.where(self._bleed, struck_ones, 0.0)
        return (
            self._miss * calm, self._miss * hurt + struck - bled,
            self._miss_ones * calm, self._miss_ones * hurt + struck_ones - bled_ones, bled, bled_ones,
        )  # fmt: skip

    def _worn(self, unhurt: Array, hurt: Array) -> tuple[Array, Array]:
        """Step 8: a sandstorm takes 1 from everybody it reaches who has something left (PF-4)."""
        if not self.weather.any():
            return unhurt, hurt
        rows = self.weather
        lost, stand = hurt.copy(), unhurt.copy()
        worn = unhurt[rows] + hurt[rows]
        lost[rows, :-1] = worn[:, 1:]
        lost[rows, -1] = 0.0
        lost[rows, 0] += worn[:, 0]
        stand[rows] = 0.0
        return stand, lost

    def parted(self, routs: Array, side: int) -> Array:
        """Where parting shots leave those who rout, of every second row from `side` on; the destroyed at 0 (PF-3.9)."""
        shots = self._shots[side::2]
        groups = _grouped(shots, "whole", self.top)
        spared = _column([1.0 if shot is None else shot.whole.get(0, 0.0) for shot in shots])
        return self._struck(groups, routs) + spared * routs

    def alone(self, phase: PassedPhase) -> tuple[Array, Array, Array]:
        """The rest of the phase where the other has bled to death: who falls, routs, stands."""
        stand, lost = self._worn(phase.begun, phase.begun_hurt)
        firm = lost * self.firm
        routs = lost - firm
        routs[:, 0] = firm[:, 0] = 0.0
        return lost[:, 0], routs, stand + firm


def bled(masses: Array, resisted: int) -> tuple[Array, Array]:
    """One wound on an army: those who lose nothing by it, and those who do (R-43)."""
    safe, lost = np.zeros_like(masses), np.zeros_like(masses)
    for face in range(1, BLEED_DIE + 1):
        amount = max(0, face - resisted)
        share = masses / BLEED_DIE
        if not amount:
            safe += share
            continue
        lost[:-amount] += share[amount:]
        lost[0] += share[1:amount].sum() if amount < len(share) else share[1:].sum()
        safe[0] += share[0]
    return safe, lost


def raise_up(masses: Array, amount: int, hp_max: int) -> None:
    """Healing, never above the maximum (R-2)."""
    raised = np.zeros_like(masses)
    most = max(hp_max - amount, 0)
    raised[amount : hp_max + 1] = masses[: most + 1] if amount <= hp_max else 0.0
    raised[hp_max] += masses[most + (amount <= hp_max) :].sum()
    masses[:] = raised


def _column(values: Sequence[float]) -> Array:
    return np.array(values)[:, None]


def _missing(blow: Harm | None, *, barring: bool) -> float:
    """How likely the attack costs nothing, with such a face; an attack nobody makes bars nobody."""
    if blow is None:
        return 0.0 if barring else 1.0
    return (blow.barring if barring else blow.free).get(0, 0.0)


def _grouped(harms: Sequence[Harm | None], part: Part, top: int) -> list[tuple[Any, Toll]]:
    """Rows with the same blow, moved together."""
    by_harm: dict[Harm, list[int]] = {}
    for row, harm in enumerate(harms):
        if harm is not None:
            by_harm.setdefault(harm, []).append(row)
    groups = [(np.array(rows), toll_of(harm, part, top)) for harm, rows in by_harm.items()]
    return [(rows, toll) for rows, toll in groups if toll.hurts]


@lru_cache(maxsize=1024)
def toll_of(harm: Harm, part: Part, top: int) -> Toll:
    return Toll(getattr(harm, part), top)


def _firmness(bodies: Sequence[Body], chances: Sequence[float], top: int) -> Array:
    """By hit points, how likely an army that lost some stays: 1 above its ACR (PF-3.9)."""
    firm = np.ones((len(bodies), top + 1))
    for row, (body, chance) in enumerate(zip(bodies, chances, strict=True)):
        firm[row, 1 : body.acr + 1] = chance
    return firm
