"""Duels reckoned from the printed rules alone (PF-3.5 to PF-3.9): no figure is asked of the engine."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache

type Chances = Mapping[int, float]

NOTHING: Chances = {0: 1.0}
D4: Chances = dict.fromkeys(range(1, 5), 0.25)
EVADED_D4: Chances = {1: 0.75, 2: 0.25}


@dataclass(frozen=True, eq=False)
class Fighter:
    """The figures of an army against the other. `shoots`: its OM in a ranged phase, None where it cannot."""

    hp: int
    acr: int
    om: int
    dv: int
    damage: int = 0
    share: Fraction = Fraction(1)
    least: int = 1
    extra: Chances = field(default_factory=lambda: NOTHING)
    stands: float = 6 / 20
    surrenders: bool = False
    shoots: int | None = None
    shot_extra: Chances = field(default_factory=lambda: NOTHING)


def damage(me: Fighter, foe: Fighter, *, ranged: bool) -> list[tuple[int, bool, float]]:
    """Of an Offense check: what it costs, whether it was a natural 1, how likely (PF-3.6, R-40, R-41)."""
    om, extra = (me.shoots or 0, me.shot_extra) if ranged else (me.om, me.extra)
    found = []
    for face in range(1, 21):
        margin = face + om - foe.dv
        for more, chance in extra.items() if margin > 0 else ((0, 1.0),):
            found.append((_cost(me, face, margin, more, ranged=ranged), face == 1, chance / 20))
    return found


def _cost(me: Fighter, face: int, margin: int, more: int, *, ranged: bool) -> int:
    if margin <= 0:
        return int(face == 20)
    base = margin + (0 if ranged else me.damage) + more
    return max(1, int(base * me.share)) if base > 0 else me.least


@dataclass
class Told:
    """`win` of each, `mutual`, `undecided`; by army the fates and the hit points left."""

    win: list[float] = field(default_factory=lambda: [0.0, 0.0])
    mutual: float = 0.0
    undecided: float = 0.0
    fates: list[dict[str, float]] = field(default_factory=lambda: [defaultdict(float), defaultdict(float)])
    health: list[dict[int, float]] = field(default_factory=lambda: [defaultdict(float), defaultdict(float)])

    def end(self, chance: float, sides: Sequence[tuple[str, int]]) -> None:
        on = [fate == "fighting" for fate, _hp in sides]
        if all(on):
            self.undecided += chance
        elif any(on):
            self.win[on.index(True)] += chance
        else:
            self.mutual += chance
        for place, (fate, hp) in enumerate(sides):
            self.fates[place][fate] += chance
            self.health[place][hp] += chance


type Standing = tuple[int, int, bool, bool]  # hit points, who may not attack


def duel(one: Fighter, other: Fighter, phases: int, *, ranged_first: bool = False, storm: bool = False) -> Told:
    told = Told()
    now: dict[Standing, float] = {(one.hp, other.hp, False, False): 1.0}
    for number in range(phases):
        then: dict[Standing, float] = defaultdict(float)
        for standing, chance in now.items():
            for after, share in _phase((one, other), standing, ranged=ranged_first and not number, storm=storm):
                if isinstance(after[0], int):
                    then[after] += chance * share  # type: ignore[index]
                else:
                    told.end(chance * share, after)  # type: ignore[arg-type]
        now = then
    for (hp, foe_hp, _barred, _foe_barred), chance in now.items():
        told.end(chance, (("fighting", hp), ("fighting", foe_hp)))
    return told


def _phase(
    pair: tuple[Fighter, Fighter], standing: Standing, *, ranged: bool, storm: bool
) -> Iterator[tuple[object, float]]:
    hp, barred = standing[:2], standing[2:]
    blows = [_blow(pair, place, barred[place], ranged=ranged) for place in (0, 1)]
    for cost, bars, chance in blows[0]:
        for foe_cost, foe_bars, foe_chance in blows[1]:
            left = [max(0, hp[0] - foe_cost), max(0, hp[1] - cost)]
            if storm:
                left = [max(0, points - 1) for points in left]
            for after, share in _rout(pair, hp, tuple(left), barred, (bars, foe_bars), ranged=ranged):
                yield after, chance * foe_chance * share


@cache
def _blow(pair: tuple[Fighter, Fighter], place: int, barred: bool, *, ranged: bool) -> list[tuple[int, bool, float]]:
    me, foe = pair[place], pair[1 - place]
    if barred or (ranged and me.shoots is None):
        return [(0, False, 1.0)]
    merged: dict[tuple[int, bool], float] = defaultdict(float)
    for cost, bars, chance in damage(me, foe, ranged=ranged):
        merged[cost, bars] += chance
    return [(cost, bars, chance) for (cost, bars), chance in merged.items()]


def _rout(
    pair: tuple[Fighter, Fighter], before: tuple[int, ...], left: tuple[int, ...], barred: tuple[bool, ...],
    bars: tuple[bool, bool], *, ranged: bool,
) -> Iterator[tuple[object, float]]:  # fmt: skip
    """Step 9: defeat, rout checks of both, then step 10."""
    if not any(_shaken(pair[place], before[place], left[place]) for place in (0, 1)):
        yield (*left, *bars), 1.0
        return
    stays = [_stays(pair[place], before[place], left[place]) for place in (0, 1)]
    for fate, chance in stays[0].items():
        for foe_fate, foe_chance in stays[1].items():
            fates = (fate, foe_fate)
            share = chance * foe_chance
            if not share:
                continue
            if fates == ("fighting", "fighting"):
                yield (*left, *bars), share
            else:
                for ends, parting in _part(pair, fates, left, barred, ranged=ranged):
                    yield ends, share * parting


def _stays(me: Fighter, before: int, left: int) -> dict[str, float]:
    if left == 0:
        return {"defeated": 1.0}
    if _shaken(me, before, left):
        return {"fighting": me.stands, "captured" if me.surrenders else "routed": 1 - me.stands}
    return {"fighting": 1.0}


def _shaken(me: Fighter, before: int, left: int) -> bool:
    """Fallen, or to make a rout check."""
    return left == 0 or (left < before and left <= me.acr)


def _part(
    pair: tuple[Fighter, Fighter], fates: tuple[str, str], left: tuple[int, ...], barred: tuple[bool, ...], *,
    ranged: bool,
) -> Iterator[tuple[object, float]]:  # fmt: skip
    """Parting shots at who routs alone, by who stands and may attack in this phase (PF-3.9, R-51)."""
    for place in (0, 1):
        striker = 1 - place
        if (fates[place], fates[striker]) == ("routed", "fighting"):
            shots = _blow(pair, striker, barred[striker], ranged=ranged)
            for cost, _bars, chance in shots:
                hp = max(0, left[place] - cost)
                ends = [(fates[0], left[0]), (fates[1], left[1])]
                ends[place] = ("routed" if hp else "defeated", hp)
                yield tuple(ends), chance
            return
    yield ((fates[0], left[0]), (fates[1], left[1])), 1.0
