"""Ends of battles fought at once, counted: what looks alike in the end is one of `tally.Ended`."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence

import numpy as np

from rules.breaking_point.battle.state import conditions as c
from rules.breaking_point.battle.state.battle_state import BattleNow, Order
from rules.breaking_point.battle.state.conditions import terrain_of
from rules.breaking_point.battle.steps.phase import dusk_of
from rules.breaking_point.battle.telling.summary import status_of
from rules.breaking_point.forecast.many.fights import Multitude
from rules.breaking_point.forecast.many.moments import FATES
from rules.breaking_point.forecast.many.sheets import Numbers, Sheets, fits, sheets_of
from rules.breaking_point.forecast.tally import Ended
from rules.core.frozen_copy import changed
from rules.core.odds import AboutOdds

# Shapes of battles that are fought together: all but figures, and where each body stands as they begin.

type BattleShape = tuple[object, ...]
type NumberedBattle = tuple[int, BattleNow, Sheets]
"""A battle by its number among those that are asked about, and its sheets."""

CELLS = 500_000
"""So many pairs of bodies are looked at together, in all battles: more fill the memory and are no quicker."""


def shape_of(battle: BattleNow, about: AboutOdds) -> BattleShape:
    """Who stands where, the field and its rules, and what everybody does. Names are nothing: armies have numbers."""
    owners, ground = battle.owners(), terrain_of(battle.conditions)
    house = battle.house.plain_die, battle.house.surprise_for_battle
    field = ground.crowded, ground.harsher, battle.holds(c.NO_SURPRISE), dusk_of(battle)
    bodies = tuple(
        (owners.index(body.army), body.side, body.shoots_only, body.penalty) for body in battle.bodies.values()
    )
    asked = tuple((about.retreats.get(army), about.until.get(army)) for army in owners)
    return battle.kind, battle.phase, bool(battle.due), house, field, bodies, asked, tuple(_told(battle, owners))


def _told(battle: BattleNow, owners: Sequence[str]) -> Iterator[object]:
    """What each army and each body was told, whoever is meant by their place in attack order."""
    places = {body.id: at for at, body in enumerate(battle.bodies.values())}
    for army in owners:
        order = battle.orders.get(army, Order(army))
        yield order.withdraw, places.get(f"{army}:{order.rally}")
    for body in battle.bodies.values():
        told = battle.orders[body.army].bodies.get(body.key) if body.army in battle.orders else None
        yield told and (told.do, places.get(told.target), told.pursue, told.riposte)


def together(drawn: Sequence[NumberedBattle], about: AboutOdds, count: int) -> Iterator[list[NumberedBattle]]:
    """Those of one shape, so many at once that `count` battles of each can be held."""
    shapes: dict[BattleShape, list[NumberedBattle]] = {}
    for one in drawn:
        shapes.setdefault(shape_of(one[1], about), []).append(one)
    for alike in shapes.values():
        most = max(1, CELLS // (count * len(alike[0][1].bodies) ** 2))
        for first in range(0, len(alike), most):
            yield alike[first : first + most]


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
