"""Tolls of a battle: the losses of bodies in men, machines and pieces (B-47 to B-49, B-66, B-68)."""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple, assert_never

from rules.breaking_point.battle.battle_state import (
    ANNIHILATED,
    BATTERED,
    DECIMATED,
    ENGAGED,
    FRESH,
    SURRENDERED,
    WAITING,
    WITHDRAWN,
    BattleNow,
    Body,
    Enrolled,
)
from rules.breaking_point.battle.opening import fighting_unit
from rules.breaking_point.battle.sharing import shares_of
from rules.breaking_point.figures import of_pieces, served
from rules.breaking_point.losses import lasting, men_out, toll
from rules.breaking_point.spec import Unit

CREWS = {FRESH: 0, ENGAGED: 5, BATTERED: 25, DECIMATED: 50, ANNIHILATED: 100}
"""What crews lose in machines that are not destroyed, in % (B-66)."""


class UnitToll(NamedTuple):
    """What a unit is left with. `points`: its share of the losses; `recovered` was taken off them before.

    `dead`, `wounded` and `prisoners` are heads (of machines, machines destroyed and taken); `pieces`: guns lost to the
    enemy. `crews`: % of the crews lost in machines that are left.
    """

    member: Enrolled
    points: int
    dead: int = 0
    wounded: int = 0
    prisoners: int = 0
    pieces: int = 0
    crews: int = 0

    @property
    def out(self) -> int:
        return self.dead + self.wounded + self.prisoners


def fought(body: Body) -> bool:
    """Whether it had a part in the battle: reserves that never came had none (B-47)."""
    return body.status != WAITING and not (body.formation.reserve and body.status == WITHDRAWN and not body.came)


def tolls_of(battle: BattleNow, body: Body) -> Iterator[UnitToll]:
    """Of every unit of this body, in order (B-47)."""
    winner = battle.result.winner if battle.result else None
    victor = body.side == winner
    units = [fighting_unit(battle.opening, unit) for unit in battle.units(body)]
    parts = _parts(battle, body, units, victor=victor)
    for member, unit, part in zip(body.formation.members, units, parts, strict=True):
        out = men_out(unit, part, body.factor)
        lost = _pieces_lost(body, unit, defeated=winner is not None and not victor)
        yield _toll(body, unit, out, victor=victor)._replace(member=member, points=part, pieces=lost)


def _parts(battle: BattleNow, body: Body, units: list[Unit], *, victor: bool) -> list[int]:
    """Points of each unit: as whoever runs its army has said (B-78), or else by force."""
    if body.shares:
        return [share.points for share in shares_of(battle, body)]
    return list(lasting(body.losses, [unit.strength * unit.a_head for unit in units], victor=victor))


def _toll(body: Body, unit: Unit, out: int, *, victor: bool) -> UnitToll:
    nobody = UnitToll(Enrolled("", 0), 0)
    if unit.machine is not None:
        left = unit.strength - out
        taken = left if body.status == SURRENDERED and not victor else 0
        return nobody._replace(dead=out, prisoners=taken, crews=CREWS[body.state] if left else 0)
    dead, wounded, prisoners = toll(out, victor=victor, status=body.status, standing=unit.strength - out)
    return nobody._replace(dead=dead, wounded=wounded, prisoners=prisoners)


def _pieces_lost(body: Body, unit: Unit, *, defeated: bool) -> int:
    """Guns that fall to the victor (B-49)."""
    if not defeated or unit.pieces is None or not of_pieces(unit):
        return 0
    match body.status:
        case "annihilated" | "surrendered":
            return unit.pieces
        case "withdrawn":
            return 0 if body.saved else unit.pieces
        case "fled":
            return -(-3 * unit.pieces // 4)
        case "fighting" | "waiting" | "routed":
            return 0
        case _:
            assert_never(body.status)


def pieces_left(unit: Unit, heads: int, lost: int) -> int | None:
    """What still serves: a piece has its share of the crew (B-49)."""
    serving = served(unit, heads)
    return None if unit.pieces is None or serving is None else min(serving, unit.pieces - lost)
