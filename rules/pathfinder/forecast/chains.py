"""Many armies at once, each suffering what the other does to it: one-dimensional chains of hit points in arrays.

A row is an army of some battle; the last axis is its hit points. `ready` is where the other may attack in the coming
phase, `barred` where it rolled a natural 1 in the last one and may not: its attack is lost, so this is a matter of the
victim's chain. Behind both stands whether the army bleeds. Nobody has left the field in these arrays.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from .blows import Harm
from .tolls import DENSE, Array, Indices, Part, Toll, Tolls, toll_of
from .turns import Body, Facing

type Wounds = tuple[int, ...]
"""What is resisted of the d6 of each wound that bleeds."""

BLEED_DIE = 6
TOGETHER = 8  # rows with the same blow from which on a matrix for it is quicker than all rows in a band
FEW = 16  # rows up to which a matrix for each is quicker than one for each blow
PLAIN_WORK, FULL_WORK = (12_000, 40), (150_000, 200)  # of a phase, and of each row's hit point


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
        mended = [(facing.mend, body.hp_max) for body, facing in zip(bodies, facings, strict=True)]
        healed = [(facing.heal, body.hp_max) for body, facing in zip(bodies, facings, strict=True)]
        self._mended = [(rows, what) for rows, what in _alike(mended) if what[0]]
        self._healed = [(rows, what) for rows, what in _alike(healed) if what[0]]
        self._wounded = _alike(wounds)
        self.mends = bool(self._mended or self._healed)

    @property
    def plain(self) -> bool:
        """Nothing but blows and rout."""
        return not (self.weather.any() or self.bleeds or self.mends or any(self.wounds))

    def work(self, *, bleeding: bool) -> int:
        """What a phase of all rows costs: nanoseconds, about."""
        phase, point = FULL_WORK if bleeding or not self.plain else PLAIN_WORK
        return phase + point * len(self._bodies) * (self.top + 1)

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
        if len(ready) <= FEW and self.top <= DENSE:
            every, every_barred = self._by_matrix(ready, barred, count, keep)
            record = self._told(every[:-1], every_barred[:-1], self._blows(every[:-1]))
            return every[-1].copy(), every_barred[-1].copy(), record
        told = np.empty((count, 3, *ready.shape))
        ready, barred = self._step_by_step(told, ready, barred, keep)
        return ready, barred, self._told(told[:, 0], told[:, 1], told[:, 2])

    def _step_by_step(self, told: Array, ready: Array, barred: Array, keep: Array | None) -> tuple[Array, Array]:
        """Of each phase who is ready, who is barred, and where blows take them."""
        firm, miss, miss_ones = self._firm_alive, self._miss, self._miss_ones
        free, ones = self._blow_by_blow(self._free, "free"), self._blow_by_blow(self._ones, "barring")
        for phase in told:
            phase[0], phase[1] = ready, barred
            hurt, then = free(ready), miss_ones * ready
            phase[2] = hurt
            if self._ones:
                by_ones = ones(ready)
                phase[2] += by_ones
                then += by_ones * firm
            ready, barred = hurt * firm + miss * ready + barred, then
            if keep is not None:
                ready, barred = ready * keep, barred * keep
        return ready, barred

    def in_sums(self, ready: Array, barred: Array, count: int) -> tuple[Array, Array, tuple[Array, Array, Array]]:
        """Where so many phases of blows and rout lead; by phases and rows who stands, routs and falls in each."""
        told = np.empty((count, 3, *ready.shape))
        ready, barred = self._step_by_step(told, ready, barred, None)
        stands = np.concatenate((told[1:, 0] + told[1:, 1], (ready + barred)[None])).sum(axis=2)
        routs = np.einsum("trh,rh->tr", told[:, 2, :, 1:], 1.0 - self._firm_alive[:, 1:])
        return ready, barred, (stands, routs, told[:, 2, :, 0])

    def _blow_by_blow(self, groups: list[tuple[Any, Toll]], part: Part) -> Callable[[Array], Array]:
        """A blow for many rows at once, or all of them by what they can cost: whichever moves fewer arrays."""
        if len(groups) * TOGETHER > len(self._bodies) and self.top <= DENSE:
            return Tolls([facing.blow for facing in self._facings], part, self.top)
        return partial(self._struck, groups)

    def _blows(self, masses: Array) -> Array:
        """Where all blows together take these."""
        hurt, by_ones = self.blows(masses)
        if by_ones is not None:
            hurt += by_ones
        return hurt

    def _by_matrix(self, ready: Array, barred: Array, count: int, keep: Array | None) -> tuple[Array, Array]:
        """Who is ready and who is barred before each phase and after the last, by one matrix for each row: quicker for
        few and small ones.
        """
        matrix, by_ones = self._matrices()
        miss_ones = self._miss_ones[:, None]
        masses = np.empty((2, count + 1, len(ready), 1, ready.shape[1]))
        masses[0, 0, :, 0], masses[1, 0, :, 0] = ready, barred
        for now, now_barred, then, then_barred in zip(masses[0], masses[1], masses[0, 1:], masses[1, 1:], strict=False):
            np.matmul(now, matrix, out=then)
            then += now_barred
            np.multiply(now, miss_ones, out=then_barred)
            if by_ones is not None:
                then_barred += now @ by_ones
            if keep is not None:
                then *= keep[:, None]
                then_barred *= keep[:, None]
        return masses[0, :, :, 0], masses[1, :, :, 0]

    def _matrices(self) -> tuple[Array, Array | None]:
        """From ready to ready, and to barred by what a natural 1 costs, by rows."""
        every, firm = self._each_alone(), self._firm_alive[:, None, :]
        hurt, by_ones = self.blows(every)
        matrix = hurt.transpose(1, 0, 2) * firm + self._miss[:, :, None] * every.transpose(1, 0, 2)
        return matrix, None if by_ones is None else by_ones.transpose(1, 0, 2) * firm

    def operator(self) -> tuple[Array, Array]:
        """A plain phase as one matrix for a row of (ready, barred); of each of these who stands, routs, falls in it."""
        matrix, by_ones = self._matrices()
        rows, size = len(matrix), self.top + 1
        every = np.arange(size)
        step, told = np.zeros((rows, 2 * size, 2 * size)), np.zeros((rows, 2 * size, 3))
        step[:, :size, :size] = matrix
        step[:, every, size + every] = self._miss_ones
        if by_ones is not None:
            step[:, :size, size:] += by_ones
        step[:, size + every, every] = 1.0
        hurt = self._blows(self._each_alone()).transpose(1, 0, 2)
        told[:, :, 0] = step.sum(axis=2)
        told[:, :size, 1] = (hurt * (1.0 - self._firm_alive)[:, None])[:, :, 1:].sum(axis=2)
        told[:, :size, 2] = hurt[:, :, 0]
        return step, told

    def _each_alone(self) -> Array:
        """One army at each number of hit points, by hit points and rows."""
        size = self.top + 1
        return np.broadcast_to(np.eye(size)[:, None], (size, len(self._bodies), size))

    def _told(self, ready: Array, barred: Array, hurt: Array) -> PassedPhase:
        """What happened in phases that began like this and in which blows took these there."""
        left = hurt * self._firm_alive
        routs = hurt - left
        routs[..., 0] = 0.0
        left += (self._miss + self._miss_ones) * ready
        left += barred
        fell = hurt[..., 0]
        none = np.broadcast_to(0.0, ready.shape)
        return PassedPhase(none, none, none[..., 0], fell, routs, none, left)

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
                self._raised(masses, self._mended)
                early += masses[:, 0]
                masses[:, 0] = 0.0
                self._raised(masses, self._healed)
            begun.append((unhurt, hurt))
        return begun[0], begun[1], early

    def _bleeding(self, masses: Array, unhurt: Array, hurt: Array) -> None:
        """Each wound costs a d6, less what is resisted (R-43)."""
        if not masses.any():
            return
        for rows, wounds in self._wounded:
            safe, lost = masses[rows], np.zeros_like(masses[rows])
            for resisted in wounds:
                further, more = bled(lost, resisted)
                safe, taken = bled(safe, resisted)
                lost = further + more + taken
            unhurt[rows] += safe
            hurt[rows] += lost

    def _raised(self, masses: Array, groups: list[tuple[Any, tuple[tuple[int, ...], int]]]) -> None:
        for rows, (amounts, hp_max) in groups:
            raised = masses[rows]
            for amount in amounts:
                raise_up(raised, amount, hp_max)
            masses[rows] = raised

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

    def parted(self, routs: Array, chains: Indices) -> Array:
        """Where parting shots leave those who rout, of these rows; the destroyed at 0 (PF-3.9)."""
        shots = [self._shots[chain] for chain in chains]
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
        lost[..., :-amount] += share[..., amount:]
        lost[..., 0] += share[..., 1:amount].sum(axis=-1)
        safe[..., 0] += share[..., 0]
    return safe, lost


def raise_up(masses: Array, amount: int, hp_max: int) -> None:
    """Healing, never above the maximum (R-2)."""
    raised = np.zeros_like(masses)
    most = max(hp_max - amount, 0)
    if amount <= hp_max:
        raised[..., amount : hp_max + 1] = masses[..., : most + 1]
    raised[..., hp_max] += masses[..., most + (amount <= hp_max) :].sum(axis=-1)
    masses[...] = raised


def _alike[What](rows: Sequence[What]) -> list[tuple[Any, What]]:
    """The rows of which the same is true."""
    found: dict[What, list[int]] = {}
    for row, what in enumerate(rows):
        found.setdefault(what, []).append(row)
    return [(np.array(same), what) for what, same in found.items()]


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


def _firmness(bodies: Sequence[Body], chances: Sequence[float], top: int) -> Array:
    """By hit points, how likely an army that lost some stays: 1 above its ACR (PF-3.9)."""
    firm = np.ones((len(bodies), top + 1))
    for row, (body, chance) in enumerate(zip(bodies, chances, strict=True)):
        firm[row, 1 : body.acr + 1] = chance
    return firm
