"""A battle's state as it is written down between commands: everything the fold has made, nothing the opening holds."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, fields, replace

from rules.breaking_point.battle.battle_state import (
    BattleNow,
    Body,
    FieldMark,
    Formation,
    Heart,
    Opening,
    Order,
    Phase,
    Result,
    Side,
    Status,
)
from rules.breaking_point.spec import Host, House


@dataclass(frozen=True, slots=True)
class FrozenBody:
    """`Body`; its formation only where the opening does not know it."""

    id: str
    force: int
    breaking: int | None
    value: int | None
    losses: int
    status: Status
    penalty: int
    rests: int
    came: int
    rallied: bool
    sheltered: bool
    saved: bool
    hearts: tuple[Heart, ...]
    adjusted: Mapping[str, int]
    masked: bool
    formation: Formation | None = None
    shares: Mapping[str, Mapping[int, int]] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class FrozenFight:
    """`BattleNow` without its opening and its campaign's options. `joined`: armies the opening does not know."""

    phase: Phase
    sides: tuple[Side, ...]
    bodies: tuple[FrozenBody, ...]
    joined: tuple[Host, ...]
    conditions: tuple[FieldMark, ...]
    distance: str
    orders: Mapping[str, Order]
    scores: tuple[int | None, ...]
    surprised: frozenset[int]
    due: frozenset[str]
    melees: tuple[tuple[str, str], ...]
    fought: tuple[tuple[str, str], ...]
    quiet: int
    phases: tuple[Phase, ...]
    result: Result | None
    masked: frozenset[str] = field(default_factory=frozenset)


OF_BODY = tuple(one.name for one in fields(FrozenBody) if one.name not in ("id", "formation"))
OF_BATTLE = tuple(one.name for one in fields(FrozenFight) if one.name not in ("bodies", "joined"))


def freeze(battle: BattleNow) -> FrozenFight:
    known = {formation.id: formation for formation in battle.opening.formations}
    listed = {host.id for host in battle.opening.armies}
    bodies = tuple(
        FrozenBody(
            id=body.id,
            formation=None if known.get(body.id) == body.formation else body.formation,
            **{name: getattr(body, name) for name in OF_BODY},
        )
        for body in battle.bodies.values()
    )
    joined = tuple(host for host in battle.armies.values() if host.id not in listed)
    return FrozenFight(bodies=bodies, joined=joined, **{name: getattr(battle, name) for name in OF_BATTLE})


def thaw(opening: Opening, house: House, frozen: FrozenFight) -> BattleNow:
    """The state that was frozen. Equal to the fold of everything up to that moment."""
    known = {formation.id: formation for formation in opening.formations}
    bodies = {one.id: _thawed(one, one.formation or known[one.id]) for one in frozen.bodies}
    armies = {host.id: host for host in (*opening.armies, *frozen.joined)}
    return BattleNow(
        opening, house, armies=armies, bodies=bodies, **{name: getattr(frozen, name) for name in OF_BATTLE}
    )  # fmt: skip


def _thawed(frozen: FrozenBody, formation: Formation) -> Body:
    """Who waits has not come onto the field, whatever snapshots of before noted of when it came to the battle."""
    body = Body(formation, **{name: getattr(frozen, name) for name in OF_BODY})
    return replace(body, came=0) if body.waiting and body.came else body
