"""Damage distribution of an Offense check: every face through the law's own `outcome` (PF-3.6, R-40, R-41)."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from itertools import product

from rules.pathfinder.battle.steps.exchange import EXTRA_DIE, Exchange
from rules.pathfinder.battle.steps.strike import BARS, HIGHEST, outcome

type DamageChances = Mapping[int, float]


@dataclass(frozen=True, eq=False)
class Harm:
    """Of each damage how likely it is: with a face that bars nothing, with a natural 1, and whatever the face.

    `free` and `barring` together are 1. One object for the same chances, and only one (`harm_of`).
    """

    free: DamageChances
    barring: DamageChances

    @cached_property
    def whole(self) -> DamageChances:
        damages = {*self.free, *self.barring}
        return {damage: self.free.get(damage, 0.0) + self.barring.get(damage, 0.0) for damage in damages}


_KNOWN: dict[tuple[object, ...], Harm] = {}
MOST_KNOWN = 4096


def harm_of(pair: Exchange) -> Harm:
    """The chances of this pairing; the same object for the same chances."""
    key = _what_matters(pair)
    found = _KNOWN.get(key)
    if found is None:
        if len(_KNOWN) >= MOST_KNOWN:
            _KNOWN.clear()
        found = _KNOWN[key] = _reckoned(pair)
    return found


def _what_matters(pair: Exchange) -> tuple[object, ...]:
    factors = tuple([factor[:2] for factor in pair.factors])
    dice = tuple([die.halved for die in pair.extra])
    return pair.om_total - pair.dv_total, bool(pair.spared), pair.bonus_total, factors, dice, pair.least


def _reckoned(pair: Exchange) -> Harm:
    """A face that does not hit calls for no further dice, and the same damage whatever they would have shown."""
    free: dict[int, float] = defaultdict(float)
    barring: dict[int, float] = defaultdict(float)
    extras = extra_chances(pair)
    for face in range(1, HIGHEST + 1):
        hits = face + pair.om_total > pair.dv_total
        into = barring if face == BARS else free
        for extra, chance in extras.items() if hits else ((0, 1.0),):
            into[outcome(pair, face, extra)] += chance / HIGHEST
    return Harm(dict(free), dict(barring))


def extra_chances(pair: Exchange) -> DamageChances:
    """Of what the further dice of a hit may be worth together, how likely it is."""
    worths: dict[int, float] = defaultdict(float)
    for faces in product(range(1, EXTRA_DIE + 1), repeat=len(pair.extra)):
        worth = sum(die.worth(face) for die, face in zip(pair.extra, faces, strict=True))
        worths[worth] += 1.0 / EXTRA_DIE ** len(pair.extra)
    return worths
