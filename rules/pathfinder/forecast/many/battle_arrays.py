"""State of many battles in arrays: a row for each army, a column for each battle."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from typing import NamedTuple

import numpy as np

from rules.pathfinder.battle.state.battle_state import MELEE, ArmyInBattle, Phase, changed
from rules.pathfinder.battle.state.view import ArmyView, wearable
from rules.pathfinder.battle.steps.strike import HOLDS
from rules.pathfinder.catalogue import traits as t
from rules.pathfinder.catalogue.conditions import BARRING
from rules.pathfinder.catalogue.effects import Fact
from rules.pathfinder.forecast.many.cast import Cast
from rules.pathfinder.forecast.many.reckoner import ATTACKED, Postures, Reckoner, postures
from rules.pathfinder.forecast.tally import FATES, ON_FIELD, Array

NOBODY = -1
STANDS = ("", "defeated", "routed")
"""Fates delayed by a last stand (R-52); arrays hold the index."""


OF_THE_PHASE = ("lost", "doomed", "tripped", "grabbed", "withdrawing", "leaving", "hovers", "taunted")
"""Names of the arrays that are reset at the end of a phase."""


class Happens(NamedTuple):
    """Flags of the events that are possible among these armies. Impossible events need no arrays and no steps."""

    bleeds: bool
    drains: bool
    paralyses: bool
    frightens: bool
    holds: bool
    taunts: bool
    withdraws: bool
    flies: bool
    stands: bool
    spawns: bool
    mends: bool
    regenerates: bool
    storms: bool
    bloodied: bool
    attacked: bool
    sings: bool
    besieges: bool
    disarms: bool


def happens(cast: Cast, armies: Iterable[ArmyInBattle]) -> Happens:
    """Return the possible events (`Happens`). `armies` are all possible states of the armies after step 4."""
    tactics = [cast.battle.law.tactics[tactic] for row in cast.stances for tactic, _strategy in row]
    reads = frozenset().union(*(_reads(cast, i) for i in cast.everybody))
    held = {mark.kind for army in armies for mark in army.marks}
    pairs = [(i, j) for i in cast.everybody for j in cast.everybody if i != j]
    return Happens(
        bleeds=any(cast.bleeds[i][j] is not None for i, j in pairs),
        drains="drained" in held or any(cast.drains[i][j] for i, j in pairs),
        paralyses="paralysed" in held or any(cast.paralyses[i][j] for i, j in pairs),
        frightens=bool({"afraid", "doomed"} & held) or any(cast.frightens[i][j] for i, j in pairs),
        holds=bool({"tripped", "grabbed"} & held) or any(HOLDS & army.profile.traits.keys() for army in cast.armies),
        taunts="taunted" in held or any(t.TAUNTS in tactic.traits for tactic in tactics),
        withdraws=bool({"withdrawing", "leaving"} & held) or any(t.WITHDRAWS in tactic.traits for tactic in tactics),
        flies="hovering" in held or any(cast.flies),
        stands="last-stand" in held or any(cast.ferocious),
        spawns=any(cast.spawns[i][j] for i, j in pairs),
        mends=any(cast.mends),
        regenerates=any(cast.regenerates),
        storms=any(cast.stormed),
        bloodied=Fact.BLOODIED in reads,
        attacked=Fact.ATTACKED in reads,
        sings="inspired" in held,
        besieges=any(cast.works_engines[i] and cast.around[j] for i, j in pairs),
        disarms=any(army.engines for army in cast.armies) and any(_breaks_engines(cast, i) for i in cast.everybody),
    )


def _reads(cast: Cast, i: int) -> frozenset[str]:
    """Return the facts that the figures of this army depend on, in any stance."""
    seen = (ArmyView(cast.battle, changed(cast.armies[i], tactic=tactic)) for tactic, _strategy in cast.stances[i])
    return frozenset[str]().union(*(view.reads for view in seen))


def _breaks_engines(cast: Cast, i: int) -> bool:
    """Whether army `i` may use Siegebreaker (PF-3.11)."""
    tactics = (cast.battle.law.tactics[tactic].traits for tactic, _strategy in cast.stances[i])
    return t.BREAKS_SIEGE in cast.armies[i].profile.traits or any(t.BREAKS_SIEGE in traits for traits in tactics)


def _lookup(row: Sequence[int]) -> Array:
    return np.array(row)


type Read = Callable[[ArmyInBattle], int]
"""Reads one figure of an army."""
type Group = tuple[dict[str, ArmyInBattle], int]
"""Armies after step 4 of the first phase, and the number of battles in which they are so."""


class ManyBattles:
    """Battles of the same armies in the same phase. Constants are in `cast`, changing values here."""

    # Arrays that exist only if needed.
    afraid: Array
    afraid_next: Array
    doomed: Array
    drained: Array
    paralysed: Array
    tripped: Array
    grabbed: Array
    withdrawing: Array
    leaving: Array
    hovers: Array
    attacked: Array
    stand: Array
    stood: Array
    felled: Array
    withstood: Array
    taunted: Array
    worn: Array
    engines: Array

    def __init__(self, cast: Cast, figures: Reckoner, can: Happens, groups: list[Group], phase: Phase):
        self.cast, self.figures, self.can, self.phase = cast, figures, can, phase
        self._load(groups)
        self.melees = [army.melees for army in cast.armies]
        self.changed = (self.fate != ON_FIELD).any(axis=0)  # step 1 may have ended battles
        arrays = [name for name, value in vars(self).items() if isinstance(value, np.ndarray)]
        self.names = frozenset(arrays)
        self.passing = [name for name in arrays if name in OF_THE_PHASE]
        self.staying = [name for name in arrays if name not in OF_THE_PHASE]
        self._alike: list[Postures | None] = [None for _army in cast.armies]
        self.begin()

    @property
    def count(self) -> int:
        return int(self.hp.shape[1])

    @property
    def melee(self) -> bool:
        return self.phase.kind == MELEE

    # Loading.
    def _load(self, groups: list[Group]) -> None:
        tick = self.phase.tick
        rows = [[armies[i] for i in self.cast.ids] for armies, _count in groups]
        counts = [count for _armies, count in groups]

        def filled(dtype: type, read: Read) -> Array:
            columns = [[read(army) for army in armies] for armies in rows]
            return np.repeat(np.array(columns, dtype=dtype).T, counts, axis=1)

        place = self.cast.place
        self.hp = filled(np.int16, lambda a: a.hp)
        self.fate = filled(np.int8, lambda a: FATES.index(a.status))
        self.lost = filled(np.bool_, lambda a: a.lost_hp > 0)
        self.target = filled(np.int8, lambda a: place.get(a.target or "", NOBODY))
        self.barred = filled(np.bool_, lambda a: any(m.kind in BARRING and m.at == tick for m in a.marks))
        self.barred_next = filled(np.bool_, lambda a: any(m.kind in BARRING and m.at == tick + 1 for m in a.marks))
        self.stance = np.repeat(
            np.array([[self.cast.stances[i].index((army.tactic, army.strategy)) for i, army in enumerate(armies)]
                      for armies in rows], dtype=np.int8).T, counts, axis=1)  # fmt: skip
        self._load_stances()
        self.aimed = False
        self.column = np.arange(self.hp.shape[1], dtype=np.int32)
        self._load_rare(filled, tick)

    def _load_stances(self) -> None:
        """Load by stance whether it taunts, whether it withdraws, and the stance after turning to withdraw."""
        taunts = [[ArmyView(self.cast.battle, changed(army, tactic=tactic)).has(t.TAUNTS) for tactic, _s in row]
                  for army, row in zip(self.cast.armies, self.cast.stances, strict=True)]  # fmt: skip
        self.taunting = [_lookup(row) for row in taunts]
        self.fleeing = [_lookup([tactic == "withdraw" for tactic, _s in row]) for row in self.cast.stances]
        self.turned = [_lookup([row.index(("withdraw", s)) if ("withdraw", s) in row else place
                                for place, (_t, s) in enumerate(row)]) for row in self.cast.stances]  # fmt: skip

    def _load_rare(self, filled: Callable[[type, Read], Array], tick: int) -> None:
        """Create the arrays of possible events (`Happens`)."""

        def amount(kind: str) -> Read:
            return lambda a: sum(m.amount for m in a.marks if m.kind == kind and m.at in (None, tick))

        def marked(kind: str, at: int = tick) -> Read:
            return lambda a: a.mark(kind, at) is not None

        can = self.can
        wanted: dict[str, tuple[bool, type, Read]] = {
            "afraid": (can.frightens, np.bool_, lambda a: any(m.kind == "afraid" and m.at == tick for m in a.marks)),
            "afraid_next": (can.frightens, np.bool_, lambda a: any(m.kind == "afraid" and m.at == tick + 1
                                                                  for m in a.marks)),
            "doomed": (can.frightens, np.bool_, marked("doomed")),
            "drained": (can.drains, np.int16, amount("drained")),
            "paralysed": (can.paralyses, np.int16, amount("paralysed")),
            "tripped": (can.holds, np.int8, amount("tripped")),
            "grabbed": (can.holds, np.int8, amount("grabbed")),
            "withdrawing": (can.withdraws, np.int8, lambda a: int(a.mark("withdrawing", tick) is not None)),
            "leaving": (can.withdraws, np.bool_, marked("leaving")),
            "hovers": (can.flies, np.bool_, marked("hovering")),
            "attacked": (can.attacked, np.int8, lambda a: ATTACKED.index(a.attacked)),
            "stand": (can.stands, np.int8, lambda a: STANDS.index(m.detail) if (m := a.mark("last-stand")) else 0),
            "stood": (can.stands, np.int16, lambda a: int(m.other) if (m := a.mark("last-stand")) else -1),
            "felled": (can.spawns, np.int8, lambda a: self.cast.place.get(a.felled_by, NOBODY)),
            "withstood": (can.taunts, np.int8, lambda a: min(2, m.amount) if (m := a.mark("withstood-taunt")) else 0),
            "taunted": (can.taunts, np.int32, lambda a: self._bits(a, "taunted", tick)),
            "engines": (can.disarms, np.int16, lambda a: a.engines),
        }  # fmt: skip
        for name, (needed, dtype, read) in wanted.items():
            if needed:
                setattr(self, name, filled(dtype, read))
        if can.besieges:
            self.worn = np.zeros((len(self.cast.forts), self.hp.shape[1]), np.int16)
        self.bled: dict[tuple[int, int], Array] = {}

    def _bits(self, army: ArmyInBattle, kind: str, tick: int) -> int:
        others = {m.other for m in army.marks if m.kind == kind and m.at in (None, tick)}
        return sum(1 << place for place, other in enumerate(self.cast.ids) if other in others)

    # Battles still in progress.
    def keep(self, kept: Array) -> None:
        """Keep only these battles."""
        (where,) = kept.nonzero()
        for name in self.staying:
            setattr(self, name, getattr(self, name).take(where, axis=-1))
        self.bled = {key: marks.take(where) for key, marks in self.bled.items()}

    def forget(self) -> None:
        """Reset the arrays of a single phase."""
        for name in self.passing:
            setattr(self, name, np.zeros(self.hp.shape, getattr(self, name).dtype))

    # Presence of armies on the field.
    def on(self, i: int) -> Array:
        on: Array = self.fate[i] == ON_FIELD
        return on

    def acting(self) -> Array:
        """Return by army and battle who is on the field and not waiting for a last stand."""
        acting: Array = self.fate == ON_FIELD
        if self.can.stands:
            standing = self.stand > 0
            acting &= ~(standing & (self.stood == self.phase.tick) if self.melee else standing)
        return acting

    def shoots(self, i: int) -> Array:
        """Return in which battles the army can attack at range in this wind (PF-3.8). It may depend
        on siege engines.
        """
        able = self.cast.shoots[i] and not self.digging[i]
        if self.digging[i] or not self.can.disarms or self.cast.shoots_disarmed[i] == able:
            return np.array(able)
        shoots: Array = np.where(self.engines[i] > 0, able, not able)
        return shoots

    def enemies_left(self, i: int) -> Array:
        """Return in which battles an army of another side is still on the field."""
        left: Array = (self.fate[self.cast.foes[i]] == ON_FIELD).any(axis=0)
        return left

    # Figures.
    def begin(self) -> None:
        self.digging = self.cast.dig(self.phase.tick)
        self.figures.begin(self.phase)

    def posture(self, i: int) -> Postures:
        """Return the army's posture (`Posture`) in each battle."""
        if (found := self._alike[i]) is None:
            found = self._posture(i)
            if not self._varies:
                self._alike[i] = found
        return found

    @cached_property
    def _varies(self) -> bool:
        """Whether postures can differ between battles or phases."""
        can = self.can
        stances = any(len(row) > 1 for row in self.cast.stances)
        return bool(self._read) or stances or any((can.bloodied, can.stands, can.sings, can.besieges, can.disarms))

    def _posture(self, i: int) -> Postures:
        can = self.can
        varying: dict[str, Array | int] = {"stance": self.stance[i] if len(self.cast.stances[i]) > 1 else 0}
        if can.bloodied:
            varying["bloodied"] = (self.hp[i] * 2 <= self.cast.armies[i].hp_max).astype(np.int8)
        if can.stands:
            varying["stand"] = (self.stand[i] > 0).astype(np.int8)
        if can.sings:
            varying["sung"] = self._singing
        if can.besieges and self.cast.around[i]:
            varying["walls"] = self._walls(i)
        if can.disarms and self.cast.armies[i].engines:
            varying["disarmed"] = (self.engines[i] == 0).astype(np.int8)
        for name in self._read:
            varying[name] = getattr(self, name)[i]
        return postures(self.count, **varying)

    def _walls(self, i: int) -> Array:
        """Return the wear of the fortifications around it, encoded as one number (see `Reckoner.worn`)."""
        code = np.zeros(self.count, np.int64)
        for place in self.cast.around[i]:
            code = code * (wearable(self.cast.forts[place]) + 1) + self.worn[place]
        return code

    @cached_property
    def _read(self) -> list[str]:
        names = ("attacked", "withdrawing", "taunted", "drained", "paralysed", "tripped", "grabbed")
        return [name for name in names if name in self.names]

    @property
    def _singing(self) -> Array:
        bits = np.zeros(self.count, np.int64)
        for i in self.cast.singers:
            bits |= self.on(i).astype(np.int64) << i
        return bits
