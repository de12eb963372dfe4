"""March of a unit: how far it gets among enemies its side doesn't see, and the events of its move (H-6, H-9)."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, NamedTuple

from rules.core.errors import require
from rules.core.text import _
from rules.hexbattle import common, seeing
from rules.hexbattle.common import Revealed
from rules.hexbattle.field import Field, Stumbled
from rules.hexbattle.moving import Mover, Walk, Way, walk
from rules.hexbattle.tokens import Token

type UnseenBy = Callable[[Field, int], frozenset[str]]
"""A function of a field and a side: the ids of the enemy units that side doesn't see."""


class March(NamedTuple):
    """The result of a move: how far the unit got, the events, and the field after them."""

    walk: Walk
    events: tuple[Any, ...]
    field: Field


def everybody(token: Token) -> bool:
    return True


def march(
    field: Field,
    unit: str,
    mover: Mover,
    way: Way,
    unseen: UnseenBy,
    *,
    halts: Callable[[Token], bool] = everybody,
    blocks: Callable[[Token], bool] = everybody,
) -> March:
    """Move a unit along its way.

    `halts`: whether an enemy ends the move of a unit beside it (W-42). `blocks`: whether an enemy keeps this unit out
    of its hex. Events: `Moved`, which records who sees it; `Revealed` for other units that come into sight; `Stumbled`
    if an unseen enemy stopped it. The unit must then finish its move before any other, with the points it has left.
    """
    token = field.tokens[unit]
    hidden = [field.tokens[one] for one in sorted(unseen(field, token.side))]
    ids = frozenset(one.id for one in hidden)

    def spotted(at: str) -> frozenset[str]:
        return ids - unseen(field.put(unit, at=at), token.side)

    done = walk(
        field.ground, mover, way,
        unseen={one.at: one.id for one in hidden if blocks(one)},
        spotted=spotted,
        halting={one.id: one.at for one in hidden if halts(one)},
    )  # fmt: skip
    moved = seeing.moved(field, unit, done.way.hexes, unseen)
    after = common.after(field, moved)
    revealed = _revealed(field, after, unit, done, unseen)
    events: list[Any] = [moved, *(event for event in revealed if event.unit != unit or done.stumbled)]
    if done.stumbled:
        before = field.stumbled.walked if field.stumbled and field.stumbled.unit == unit else 0
        events.append(Stumbled(unit, done.left, before + len(done.way.hexes) - 1, seeing.own_side(token)))
    for event in events[1:]:
        after = common.after(after, event)
    return March(done, tuple(events), after)


def _revealed(before: Field, after: Field, unit: str, done: Walk, unseen: UnseenBy) -> list[Revealed]:
    """The units that come into sight: those the moving side found, and those either side sees at the end."""
    token = after.tokens[unit]
    events = {event.unit: event for event in seeing.come_into_sight(before, after, unseen)}
    for found, _place in done.found:
        events.setdefault(found, Revealed(found, after.tokens[found].at))
    if done.stumbled and token.hidden:
        events[unit] = Revealed(unit, token.at)
    return list(events.values())


def require_next(field: Field, unit: str) -> None:
    """Guard: while a unit that met a hidden enemy hasn't finished its move, no other may act (H-9).

    Raises `IllegalCommand` for any other unit.
    """
    first = field.stumbled
    if first and first.unit != unit:
        name = field.tokens[first.unit].name
        require(False, _("{unit} met a hidden enemy and has to finish its move first."), field="/unit", unit=name)
