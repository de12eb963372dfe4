"""Conversion of a reader's field to the values of a drawn board (`board`)."""

from __future__ import annotations

from collections.abc import Callable

from rules.battle_law import SETUP
from rules.core.text import Said, _, say
from rules.core.viewers import Viewer
from rules.hexbattle.board import Board, Clock, Counter, Effect, OutOfSight
from rules.hexbattle.common import name_of
from rules.hexbattle.field import SIDES, Field
from rules.hexbattle.seeing import places_shown, sides_of
from rules.hexbattle.timers import Timer
from rules.hexbattle.tokens import Token, by_name


def board_of(
    field: Field,
    counter: Callable[[Token], Counter],
    effect: Callable[[Timer], Said],
    *,
    clock: Clock | None = None,
    last: tuple[str, str] | None = None,
) -> Board:
    """The board of a field, which is limited to what its reader sees (`seeing.seen_by`).

    `counter` and `effect`: the law's functions for a unit's counter and for the text of an effect.
    """
    lying = ((timer, at) for timer in field.timers for at in lying_on(field, timer))
    return Board(
        tuple(counter(token) for token in by_name(field.tokens.values()) if not token.gone),
        tuple(Effect(at, timer.effect, effect(timer), timer.left) for timer, at in lying),
        dict(field.ground.overlays),
        clock,
        last,
        tuple((grave.at, str(name_of(field, grave.unit))) for grave in field.graves),
    )


def set_up(
    board: Board, field: Field, viewer: Viewer, names: tuple[str, ...], *, zone_rows: int,
    shown: frozenset[int] | None = None,
) -> Board:  # fmt: skip
    """The board with its setup parts: the zones, and marks over the zones of sides the viewer doesn't see.

    After setup the board is returned unchanged. `shown`: as in `seen_by`.
    """
    if field.status != SETUP:
        return board
    known = sides_of(field, viewer) | (places_shown(field) if shown is None else shown)
    unseen = [side for side in SIDES if side not in known]
    return board._replace(
        zones=tuple(field.ground.zone(side, zone_rows) for side in SIDES),
        hidden=tuple(OutOfSight(side, say(_("{side} sets up here"), side=names[side])) for side in unseen),
    )


def lying_on(field: Field, timer: Timer) -> tuple[str, ...]:
    """The hexes an effect covers: hexes it names, hexes whose terrain it changes, and those of the units it is on."""
    named = (*timer.on, *(at for at, _terrain in timer.lays))
    places = (field.tokens[what].at if what in field.tokens else what for what in named)
    return tuple(dict.fromkeys(at for at in places if at in field.ground))
