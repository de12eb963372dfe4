"""Ends of battles fought at once, counted: what looks alike in the end is one of `tally.Ended`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from rules.breaking_point.battle.battle_state import BattleNow
from rules.breaking_point.battle.telling.summary import status_of
from rules.breaking_point.forecast.many.fights import Multitude
from rules.breaking_point.forecast.many.moments import FATES
from rules.breaking_point.forecast.many.shapes import together
from rules.breaking_point.forecast.many.sheets import Numbers, Sheets, fits, sheets_of
from rules.breaking_point.forecast.tally import Ended
from rules.core.frozen_copy import changed
from rules.core.odds import AboutOdds


def fought(battle: BattleNow, about: AboutOdds, count: int, seed: int, most: int) -> list[Ended] | None:
    """So many battles, each end with how many came to it; None for battles that the engine has to fight itself."""
    sheets = _sheets(battle)
    if sheets is None:
        return None
    fights = Multitude([battle], [sheets], count, seed)
    fights.fight(about, most)
    return list(_counted(battle, fights))


def decided(
    battles: Sequence[BattleNow], about: AboutOdds, count: int, seed: int, most: int
) -> list[list[Ended] | None]:
    """So many of each of these battles, those that can be fought together: who won, and when, and no more of it."""
    found: list[list[Ended] | None] = [None] * len(battles)
    sheets = [(at, battle, _sheets(battle)) for at, battle in enumerate(battles)]
    drawn = [(at, battle, own) for at, battle, own in sheets if own is not None]
    for alike in together(drawn, about, count):
        places, begun, own = zip(*alike, strict=True)
        fights = Multitude(begun, own, count, seed)
        fights.fight(about, most)
        for at, winner, rounds in zip(places, fights.winner.tolist(), fights.rounds.tolist(), strict=True):
            ends = Counter(zip(winner, rounds, strict=True))
            found[at] = [Ended(side, {}, {}, length, float(often)) for (side, length), often in ends.items()]
    return found


def _sheets(battle: BattleNow) -> Sheets | None:
    """None for a battle that the engine has to fight itself."""
    return sheets_of(battle) if fits(battle) else None


def _counted(battle: BattleNow, fights: Multitude) -> Iterator[Ended]:
    armies = [army for side in battle.sides for army in side.armies]
    left = [fights.left[fights.own(army), 0].sum(axis=0) for army in armies]
    rows = np.stack([fights.winner[0], fights.rounds[0], *left, *fights.fates[:, 0]])
    found, counts = np.unique(rows, axis=1, return_counts=True)
    known: dict[bytes, dict[str, str]] = {}
    for column, often in zip(found.T, counts, strict=True):
        winner, rounds = int(column[0]), int(column[1])
        fates = column[2 + len(armies) :]
        if fates.tobytes() not in known:
            known[fates.tobytes()] = _fates(battle, armies, fates)
        lefts = {army: int(points) for army, points in zip(armies, column[2:], strict=False)}
        yield Ended(winner, lefts, known[fates.tobytes()], rounds, float(often))


def _fates(battle: BattleNow, armies: list[str], fates: Numbers) -> dict[str, str]:
    bodies = {
        body.id: changed(body, status=FATES[fate])
        for body, fate in zip(battle.bodies.values(), fates.tolist(), strict=True)
    }
    gone = battle.changed(bodies=bodies)
    return {army: status_of(gone, army) for army in armies}
