"""Sight of each side: hidden units, what players are shown, also on the drawn board, and which events they see (H-5,
H-6, H-7).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rules.adjustments import tell_reasons, without_reasons
from rules.battle_law import SETUP
from rules.core.errors import demand, pointer
from rules.core.text import Said, _, say
from rules.core.viewers import Viewer
from rules.hexbattle import common
from rules.hexbattle import ground as timing
from rules.hexbattle.board import Board, Clock, Counter, Effect, OutOfSight
from rules.hexbattle.common import army_of, name_of
from rules.hexbattle.field import SIDES, Field, Token, by_name
from rules.hexbattle.ground import Timer, apart

# Sight of each side: hidden units, what players are shown, and which events they see (H-5, H-6, H-7).
#
# A *side's* knowledge decides, not the viewer's: when the GM moves a unit, it moves with what its side knows.

type Unseen = Callable[[int], frozenset[str]]
"""A function of a side: the ids of the enemy units it doesn't see now."""


def unseen(field: Field, side: int, *, within: int = 2) -> frozenset[str]:
    """The ids of hidden enemies with no unit of this side within `within` hexes; terrain between doesn't matter."""
    hidden = [token for token in field.tokens.values() if token.hidden and token.side != side and token.standing]
    if not hidden:
        return frozenset()
    own = [token.at for token in field.tokens.values() if token.side == side and token.standing]
    return frozenset(token.id for token in hidden if not any(apart(token.at, at) <= within for at in own))


def sides_of(field: Field, viewer: Viewer) -> frozenset[int]:
    """The sides whose knowledge a viewer shares: those where they command an army or a unit; both for the GM."""
    if viewer.gm:
        return frozenset(SIDES)
    if not viewer.armies and not viewer.user:
        return frozenset()
    armies = frozenset(side for army, side in field.armies.items() if army in viewer.armies)
    if not viewer.user or len(armies) == len(SIDES):
        return armies
    owned = (token for token in field.tokens.values() if token.owner and token.owner == viewer.user)
    return armies | {field.armies.get(token.army, token.side) for token in owned}


def hidden_from(field: Field, viewer: Viewer, unseen: Unseen) -> frozenset[str]:
    """The ids of the units this viewer isn't shown. A viewer on no side sees only what all sides see."""
    if viewer.gm:
        return frozenset()
    own = sides_of(field, viewer)
    if len(own) == len(SIDES):
        return frozenset()
    return frozenset().union(*(unseen(side) for side in own or SIDES))


def seen_by(field: Field, viewer: Viewer, unseen: Unseen, *, shown: frozenset[int] | None = None) -> Field:
    """The part of a field this viewer may know: without unseen units and, during setup, without the enemy's places. The
    same again for a field that is already cut.

    `shown`: the sides whose places are public during setup; by default both once both are ready.
    """
    if viewer.gm:
        return field
    own = sides_of(field, viewer)
    hidden = hidden_from(field, viewer, unseen)
    cut = field.but(
        stumbled=field.stumbled if field.stumbled and saw(field.stumbled.seen, own) else None,
        met=tuple(known if side in own else frozenset() for side, known in enumerate(field.met)),
        graves=tuple(grave for grave in field.graves if saw(grave.seen, own)),
        timers=timing.without_all(field.timers, hidden),
    )
    known = own | (places_shown(field) if shown is None else shown)
    placed = field.started or len(known) == len(SIDES)
    if placed and not hidden and not any(token.hidden for token in field.tokens.values()):
        return cut
    tokens = {key: token for key, token in field.tokens.items() if key not in hidden}
    if not placed:
        tokens = {key: token if token.side in known else token._replace(at="") for key, token in tokens.items()}
    tokens = {key: token for key, token in tokens.items() if _known(field, token, own)}
    met = frozenset().union(*(field.met[side] for side in own or SIDES))
    gone = sorted((met - tokens.keys()) & field.tokens.keys())
    return cut.but(tokens=tokens, names={**field.names, **{key: field.tokens[key].name for key in gone}})


def without_foreign_reasons(units: Mapping[str, Any], viewer: Viewer) -> Mapping[str, Any]:
    """The units, without the reasons of adjustments of armies whose sheet this viewer may not read."""
    told = {
        unit: held._replace(own=held.own._replace(adjustments=without_reasons(held.own.adjustments)))
        for unit, held in units.items()
        if held.own.adjustments and not viewer.knows(army_of(unit))
    }
    return {**units, **told} if told else units


def tell_lines(units: Mapping[str, Any], event: Any, viewer: Viewer) -> Any:
    """The event, without the reasons of adjustments in its lines that this viewer may not know."""
    if not getattr(event, "lines", ()):
        return event
    own = (held for unit, held in units.items() if held.own.adjustments and viewer.knows(army_of(unit)))
    known = frozenset(one.reason for held in own for one in held.own.adjustments)
    return event._replace(lines=tell_reasons(event.lines, known))


def places_shown(field: Field) -> frozenset[int]:
    """The sides whose units' positions everybody sees during setup: both once both are ready, else none."""
    return frozenset(SIDES) if len(field.ready) == len(SIDES) else frozenset()


def _known(field: Field, token: Token, own: frozenset[int]) -> bool:
    """Whether a unit is known to these sides. A hidden enemy off the map is known only to those who have met it."""
    if token.side in own or not token.hidden or token.standing:
        return True
    return any(token.id in field.met[side] for side in own or SIDES)


def witnessed(field: Field, event: Any, viewer: Viewer) -> Any | None:
    """The event as this viewer saw it, or None. `field`: as they see it today. The event's own `seen` decides (H-6)."""
    if viewer.gm:
        return event
    own = sides_of(field, viewer)
    if isinstance(event, common.Placed):
        return event if side_of(field, event.unit) in own else None
    if isinstance(event, common.Moved):
        return _cut(event, own)
    if isinstance(event, common.MapChanged):
        return event._replace(back=tuple(unit for unit in event.back if side_of(field, unit) in own))
    seen: Sequence[bool] = getattr(event, "seen", ())
    return event if not seen or saw(seen, own) else None


def check_named(field: Field, command: Any, viewer: Viewer, seen: Callable[[], Field]) -> None:
    """Refuse a command that names a unit the viewer doesn't see, as if that unit didn't exist (HX-10.5).

    Raises `InvalidInput`.
    """
    if viewer.gm:
        return
    for at, unit in _units_in(command, field):
        token = field.tokens.get(unit)
        known = token is not None and (not token.hidden or unit in seen().tokens)
        demand(known, _("This unit isn’t in the battle."), field=at)


def _units_in(told: Any, field: Field, at: str = "") -> Iterator[tuple[str, str]]:
    """The strings in a command that look like unit ids of this battle (H-8), each with its JSON pointer."""
    if isinstance(told, str):
        if ":" in told and common.army_of(told) in field.armies:
            yield at, told
        return
    if isinstance(told, Mapping):
        for name, value in told.items():
            yield from _units_in((name, value), field, pointer(at, str(name)))
    elif isinstance(told, tuple):
        for name, value in zip(getattr(told, "_fields", range(len(told))), told, strict=True):
            yield from _units_in(value, field, pointer(at, str(name)))


def side_of(field: Field, unit: str) -> int | None:
    """The side of a unit from its army, even if the reader doesn't see it; None for an unknown army."""
    return field.armies.get(common.army_of(unit))


def saw(seen: Sequence[bool], own: frozenset[int]) -> bool:
    """Whether any of these sides saw it. With no side, only what all sides saw counts."""
    return any(seen[side] for side in own) if own else all(seen)


def _cut(event: common.Moved, own: frozenset[int]) -> common.Moved | None:
    """The event with only the part of the path that was seen; None if nothing was."""
    if own:
        places = [event.seen[side] for side in own if event.seen[side] is not None]
        first = min((place for place in places if place is not None), default=None)
    else:
        first = None if None in event.seen else max(place for place in event.seen if place is not None)
    return None if first is None else event._replace(path=event.path[first:])


def seen_from(sights: Sequence[bool]) -> int | None:
    """The index from which a path is seen to its end, given whether each hex is; None if the end isn't seen."""
    for place in range(len(sights) - 1, -1, -1):
        if not sights[place]:
            return place + 1 if place + 1 < len(sights) else None
    return 0 if sights else None


def moved(field: Field, unit: str, path: Sequence[str], unseen: Callable[[Field, int], frozenset[str]]) -> common.Moved:
    """The event of a move, with who sees it: sight is checked for the unit on every hex of the path."""
    token = field.tokens[unit]
    seen: list[int | None] = [0, 0]
    for side in SIDES:
        if side == token.side or not token.hidden:
            continue
        sights = [bool(at) and unit not in unseen(field.put(unit, at=at), side) for at in path]
        seen[side] = seen_from(sights)
    return common.Moved(unit, tuple(path), tuple(seen))


def own_side(token: Token) -> tuple[bool, ...]:
    """The `seen` of an event that only the unit's own side sees."""
    return tuple(side == token.side for side in SIDES)


def all_who_see(field: Field, unit: str, unseen: Callable[[Field, int], frozenset[str]]) -> tuple[bool, ...]:
    """The `seen` of an event of this unit: by side, whether it sees the unit now."""
    if not field.tokens[unit].hidden:
        return common.ALL
    return tuple(side == field.tokens[unit].side or unit not in unseen(field, side) for side in SIDES)


def come_into_sight(
    before: Field,
    now: Field,
    unseen: Callable[[Field, int], frozenset[str]],
    *,
    before_unseen: Callable[[Field, int], frozenset[str]] | None = None,
) -> tuple[common.Revealed, ...]:
    """Events for the units that a side sees now and didn't before.

    `before_unseen`: who was unseen before, if a function other than `unseen` tells.
    """
    was_unseen = before_unseen or unseen
    found: dict[str, list[bool]] = {}
    for side in SIDES:
        for unit in sorted(was_unseen(before, side) - unseen(now, side)):
            if now.tokens[unit].standing:
                seen = found.setdefault(unit, [False, False])
                seen[side] = seen[now.tokens[unit].side] = True
    return tuple(common.Revealed(unit, now.tokens[unit].at, tuple(seen)) for unit, seen in found.items())


# Conversion of a reader's field to the values of a drawn board (`board`).


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
        tuple((grave.at, name_of(field, grave.unit)) for grave in field.graves),
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
