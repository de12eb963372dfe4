"""Sight of a side: units that lie hidden, what its people are shown, and what they are told (H-5, H-6, H-7).

What a *side* has seen decides, never what a viewer sees: a GM who moves a unit moves it with its side's knowledge.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from typing import Any

from rules.core.errors import demand, pointer
from rules.core.text import _
from rules.core.viewers import Viewer
from rules.hexbattle import common
from rules.hexbattle import timers as timing
from rules.hexbattle.field import SIDES, Field
from rules.hexbattle.ground import apart
from rules.hexbattle.tokens import Token

type Unseen = Callable[[int], frozenset[str]]
"""Of a side, the enemy units it doesn't see now."""


def unseen(field: Field, side: int, *, within: int = 2) -> frozenset[str]:
    """The hidden enemies that no unit of this side is near enough to see: `within` hexes, whatever lies between."""
    hidden = [token for token in field.tokens.values() if token.hidden and token.side != side and token.standing]
    if not hidden:
        return frozenset()
    own = [token.at for token in field.tokens.values() if token.side == side and token.standing]
    return frozenset(token.id for token in hidden if not any(apart(token.at, at) <= within for at in own))


def sides_of(field: Field, viewer: Viewer) -> frozenset[int]:
    """The sides whose knowledge a viewer shares: where they command an army or a unit. The GM's are all."""
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
    """The units this viewer isn't shown. Who is on no side sees what all sides see."""
    if viewer.gm:
        return frozenset()
    own = sides_of(field, viewer)
    if len(own) == len(SIDES):
        return frozenset()
    return frozenset().union(*(unseen(side) for side in own or SIDES))


def seen_by(field: Field, viewer: Viewer, unseen: Unseen, *, shown: frozenset[int] | None = None) -> Field:
    """The field as this viewer may know it: without what they don't see, and without where enemies are set up.

    `shown`: the sides whose places are no secret in setup; None for the usual, all once all are ready.
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
        names={},
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
    return cut.but(tokens=tokens, names={key: field.tokens[key].name for key in sorted(met - tokens.keys())})


def places_shown(field: Field) -> frozenset[int]:
    """The sides whose places everybody sees while sides set up: all, once all are ready."""
    return frozenset(SIDES) if len(field.ready) == len(SIDES) else frozenset()


def _known(field: Field, token: Token, own: frozenset[int]) -> bool:
    """A hidden enemy in the reserve, or that left unseen, is known to those only who have met it."""
    if token.side in own or not token.hidden or token.standing:
        return True
    return any(token.id in field.met[side] for side in own or SIDES)


def witnessed(field: Field, event: Any, viewer: Viewer) -> Any | None:
    """The event as this viewer was told it, or None. `field`: as they see it today; the event itself decides (H-6)."""
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
    """Whoever names a unit they don't see is answered as if it weren't there, whatever the command (HX-10.5)."""
    if viewer.gm:
        return
    for at, unit in _units_in(command, field):
        token = field.tokens.get(unit)
        known = token is not None and (not token.hidden or unit in seen().tokens)
        demand(known, _("This unit isn't in the battle."), field=at)


def _units_in(told: Any, field: Field, at: str = "") -> Iterator[tuple[str, str]]:
    """What is called as a unit of an army of this battle is (H-8), with its pointer."""
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
    """The side of a unit by its army, whether its reader sees it or not."""
    return field.armies.get(common.army_of(unit))


def saw(seen: Sequence[bool], own: frozenset[int]) -> bool:
    """Any of their sides; who is on none saw what all sides saw."""
    return any(seen[side] for side in own) if own else all(seen)


def _cut(event: common.Moved, own: frozenset[int]) -> common.Moved | None:
    """The part of the path that was seen."""
    if own:
        places = [event.seen[side] for side in own if event.seen[side] is not None]
        first = min((place for place in places if place is not None), default=None)
    else:
        first = None if None in event.seen else max(place for place in event.seen if place is not None)
    return None if first is None else event._replace(path=event.path[first:])


def seen_from(sights: Sequence[bool]) -> int | None:
    """The place from which a path is seen to its end, of whether each of its hexes is; None where its end isn't."""
    for place in range(len(sights) - 1, -1, -1):
        if not sights[place]:
            return place + 1 if place + 1 < len(sights) else None
    return 0 if sights else None


def moved(field: Field, unit: str, path: Sequence[str], unseen: Callable[[Field, int], frozenset[str]]) -> common.Moved:
    """The event of a move, with who sees it: each side's sight is asked for the unit on every hex of the path."""
    token = field.tokens[unit]
    seen: list[int | None] = [0, 0]
    for side in SIDES:
        if side == token.side or not token.hidden:
            continue
        sights = [bool(at) and unit not in unseen(field.put(unit, at=at), side) for at in path]
        seen[side] = seen_from(sights)
    return common.Moved(unit, tuple(path), tuple(seen))


def own_side(token: Token) -> tuple[bool, ...]:
    """The `seen` of an event that its own side alone is told."""
    return tuple(side == token.side for side in SIDES)


def all_who_see(field: Field, unit: str, unseen: Callable[[Field, int], frozenset[str]]) -> tuple[bool, ...]:
    """By side, whether it sees a unit now: for the `seen` of an event."""
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
    """The units that a side sees now and didn't before, for `decide` to tell after a move."""
    was_unseen = before_unseen or unseen
    found: dict[str, list[bool]] = {}
    for side in SIDES:
        for unit in sorted(was_unseen(before, side) - unseen(now, side)):
            if now.tokens[unit].standing:
                seen = found.setdefault(unit, [False, False])
                seen[side] = seen[now.tokens[unit].side] = True
    return tuple(common.Revealed(unit, now.tokens[unit].at, tuple(seen)) for unit, seen in found.items())
