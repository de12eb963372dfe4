"""Odds from played battles: division into tasks, when to stop, and the result.

A slice is one task for another process. The same question is always divided into the same slices.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from typing import NamedTuple

from rules.battle_law import FIGHTING, Viewer
from rules.core.odds import (
    SIMULATED,
    ArmyOdds,
    Length,
    Odds,
    PlayedBattle,
    PlayedSide,
    PlayedSlice,
    SideOdds,
    Spread,
    half_width,
)
from rules.core.text import Said, _
from rules.odds.viewer_forecast import FieldNow

SLICE = 10
"""Battles in one task: about a second of work."""
MOST = 400
"""Battles played for one question at most."""
MARGIN = 0.05
"""Largest error of a chance at which playing stops."""
MANY_OF_TEN = 0.9

PLAYED: Said = _("The computer plays both sides to the end, with what each of them knows.")
BELIEVED: Said = _("Things you can’t see are drawn at random for each battle, or left out.")


class BattleRange(NamedTuple):
    """Range of a question's battles: the first number, and how many."""

    first: int
    battles: int


SLICES = tuple(BattleRange(first, min(SLICE, MOST - first)) for first in range(0, MOST, SLICE))


def play_slice(now: FieldNow, viewer: Viewer, seed: int, part: BattleRange) -> PlayedSlice:
    """Play these battles, using only what the viewer may know."""
    law = now.battle
    seen = law.seen(law.thaw(now.opening, now.frozen), viewer)
    return law.forecast.played(seen, viewer, seed, part.first, part.battles)


def in_order(found: Sequence[PlayedSlice | None]) -> tuple[PlayedSlice, ...]:
    """Return the slices that count: from the first on without a gap, up to the required certainty. So the answer does
    not depend on which slice was ready first.
    """
    kept: list[PlayedSlice] = []
    for part in found:
        if part is None or (kept and is_enough(kept)):
            break
        kept.append(part)
    return tuple(kept)


def suffices(found: Sequence[PlayedSlice | None]) -> bool:
    """Whether no more battles need to be played."""
    return is_enough(in_order(found))


def is_enough(parts: Sequence[PlayedSlice]) -> bool:
    """Whether every chance is certain enough (`MARGIN`)."""
    battles = _battles(parts)
    return bool(battles) and error_of(battles, len(parts[0].sides)) <= MARGIN


def error_of(battles: Sequence[PlayedBattle], sides: int) -> float:
    """Return half of the widest 95 % interval among the chances to win."""
    return max(half_width(_wins(battles, side), len(battles)) for side in range(sides))


def odds_from(parts: Sequence[PlayedSlice]) -> Odds | None:
    """Return the odds that these battles give; None without battles."""
    battles = _battles(parts)
    if not battles:
        return None
    sides, share = parts[0].sides, 1 / len(battles)
    return Odds(
        method=SIMULATED,
        error=error_of(battles, len(sides)),
        undecided=share * sum(not one.decided for one in battles),
        mutual=share * sum(one.decided and one.winner is None for one in battles),
        sides=tuple(_side(battles, number, side) for number, side in enumerate(sides)),
        armies={army: _army(battles, number, army) for number, side in enumerate(sides) for army in side.armies},
        phases=_length([one.turns for one in battles if one.decided]),
        assumed=(PLAYED,) if parts[0].sees_all else (PLAYED, BELIEVED),
        played=len(battles),
    )


def _battles(parts: Iterable[PlayedSlice]) -> list[PlayedBattle]:
    return [battle for part in parts for battle in part.battles]


def _wins(battles: Sequence[PlayedBattle], side: int) -> float:
    return sum(one.decided and one.winner == side for one in battles) / len(battles)


def _side(battles: Sequence[PlayedBattle], number: int, side: PlayedSide) -> SideOdds:
    """Return a side's chances. `destroyed`: none of it is left on the field. `rout`: some of it is left, but none of
    its armies fights on.
    """
    own, win = frozenset(side.armies), _wins(battles, number)
    gone = [not own & frozenset(one.standing) for one in battles]
    beaten = [all(one.fates.get(army) != FIGHTING for army in own) for one in battles]
    destroyed = sum(gone) / len(battles)
    rout = sum(lost and not none for lost, none in zip(beaten, gone, strict=True)) / len(battles)
    return SideOdds(side.name, win, rout, destroyed, low=win, high=win)


def _army(battles: Sequence[PlayedBattle], side: int, army: str) -> ArmyOdds:
    share = 1 / len(battles)
    fates = Counter(one.fates[army] for one in battles if army in one.fates)
    won = [one for one in battles if one.decided and one.winner == side]
    return ArmyOdds(
        army, _spread(battles, army, share), {fate: share * count for fate, count in sorted(fates.items())},
        _spread(won, army, share),
    )  # fmt: skip


def _spread(battles: Iterable[PlayedBattle], army: str, share: float) -> Spread:
    left = Counter(one.left[army] for one in battles if army in one.left)
    return tuple((health, share * count) for health, count in sorted(left.items()))


def _length(turns: Sequence[int]) -> Length:
    if not turns:
        return Length(0.0, 0)
    ordered = sorted(turns)
    return Length(sum(ordered) / len(ordered), ordered[min(len(ordered) - 1, int(MANY_OF_TEN * len(ordered)))])
