"""Events common to all hex battles, how they change the field, and the names of units.

Each event records which sides saw it in `seen`, by side (H-6); `None` or False means that the side saw nothing. A law
defines further events of its own and passes the common ones on to `after`, and to `told` (rules/hexbattle/telling.py).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.battle_law import Closed, Team
from rules.core.text import Term, UnitName, _, extend_name
from rules.hexbattle.field import Ended, Field, Grave, Stumbled, Token
from rules.hexbattle.ground import MapDocument, Timer, after_phase, without_all

ALL = (True, True)
DESTROYED, WITHDRAWN = "destroyed", "withdrawn"


class Placed(NamedTuple):
    """A unit was placed on a hex during setup, or returned to the reserve (`at` is ""). Only its own side sees it."""

    unit: str
    at: str


class Arrived(NamedTuple):
    """A unit joins the battle: reinforcements, or a summoned or raised unit."""

    unit: Token
    seen: tuple[bool, ...] = ALL


class Moved(NamedTuple):
    """A unit moved along `path`, which begins at its old hex ("" for the reserve).

    `seen`: by side, the index in `path` from which that side sees the rest of the move; None if it doesn't see its end.
    """

    unit: str
    path: tuple[str, ...]
    seen: tuple[int | None, ...]


class WentOn(NamedTuple):
    """A unit that met a hidden enemy ends its interrupted move where it is."""

    unit: str


UNSEEN_RUN = 4


class Silence(NamedTuple):
    """An event without effect, shown to no player.

    It pads runs of events that not everybody sees to a multiple of `UNSEEN_RUN`, so that gaps in the numbering don't
    show how much happened.
    """


class Revealed(NamedTuple):
    """A unit comes into sight of these sides. `out`: it leaves hiding for good."""

    unit: str
    at: str
    seen: tuple[bool, ...] = ALL
    out: bool = False


class Hid(NamedTuple):
    """A unit hides: enemies see it only from nearby."""

    unit: str
    seen: tuple[bool, ...]


class Destroyed(NamedTuple):
    """A unit was destroyed on a hex, which becomes its grave."""

    unit: str
    at: str
    seen: tuple[bool, ...] = ALL


class Withdrawn(NamedTuple):
    """A unit left the map alive. `how`: the law's slug for what became of it."""

    unit: str
    at: str
    seen: tuple[bool, ...] = ALL
    how: str = WITHDRAWN


class EffectBegan(NamedTuple):
    """An effect began."""

    effect: Timer
    seen: tuple[bool, ...] = ALL


class EffectEnded(NamedTuple):
    """An effect ended early. Effects whose time is over end with `PhaseEnded`."""

    effect: Timer
    seen: tuple[bool, ...] = ALL


class PhaseEnded(NamedTuple):
    """A phase of a side (`timers.BOTH` for both) ended, and with it the effects that last until then."""

    side: int
    phase: str


class SideReady(NamedTuple):
    """A side declared its setup finished, or (`on` false) reopened it."""

    side: int
    on: bool


class Started(NamedTuple):
    """Setup ended and the battle began."""


class MapChanged(NamedTuple):
    """The map was changed.

    `stroke`: the slug of the map command (HX-9.1). `changes`: the changes of the map's document. `hexes`: the hexes
    that look different. `back`: units returned to the reserve (HX-9.3). During play also `reason` (HX-9.4), `before`
    and `now`: the slugs of the old and new terrain.
    """

    stroke: str
    changes: Mapping[str, object]
    hexes: tuple[str, ...]
    back: tuple[str, ...] = ()
    reason: str = ""
    before: tuple[str, ...] = ()
    now: str = ""


Event = (
    Placed | Arrived | Moved | Revealed | Hid | Destroyed | Withdrawn | EffectBegan | EffectEnded | PhaseEnded
    | SideReady | Started | MapChanged | Silence | Stumbled | WentOn | Ended
)  # fmt: skip
"""The common events, to be listed in a law's `Shapes` with its own."""


# Effects on the field


def after(field: Field, event: object) -> Field:
    """The field after an event; the same field if the event isn't a common one. Never validates or refuses."""
    match event:
        case Placed(unit, at):
            return field.put(unit, at=at)
        case Moved(unit, path, seen):
            moved = _gone_on(field, unit).put(unit, at=path[-1])
            return moved.knowing(unit, (side for side, at in enumerate(seen) if at is not None))
        case Arrived(token, seen):
            armies = {**field.armies, token.army: token.side}
            return field.but(armies=armies, tokens={**field.tokens, token.id: token}).knowing(token.id, _who(seen))
        case Revealed(unit, _at, seen, out):
            known = field.knowing(unit, _who(seen))
            return known.put(unit, hidden=False) if out else known
        case Hid(unit, seen):
            return field.knowing(unit, _who(seen)).put(unit, hidden=True)
        case Destroyed(unit, at, seen):
            return _gone(field.but(graves=(*field.graves, Grave(at, unit, seen))), unit, DESTROYED, seen)
        case Withdrawn(unit, _at, seen, how):
            return _gone(field, unit, how, seen)
        case _:
            return _after_others(field, event)


def _after_others(field: Field, event: object) -> Field:
    match event:
        case EffectBegan(effect):
            return field.timed((*field.timers, effect))
        case EffectEnded(effect):
            return field.timed(_less(field.timers, effect))
        case PhaseEnded(side, phase):
            return field.timed(after_phase(field.timers, side, phase)) if field.timers else field
        case SideReady(side, on):
            return field.but(ready=field.ready | {side} if on else field.ready - {side})
        case Started():
            return field.but(started=True)
        case MapChanged():
            return _painted(field, event.changes, event.back)
        case Stumbled():
            return field.but(stumbled=event)
        case WentOn(unit):
            return _gone_on(field, unit)
        case Ended():
            return field.but(ended=event)
        case Closed():
            return field.but(closed=True)
        case _:
            return field


def _gone_on(field: Field, unit: str) -> Field:
    stumbled = field.stumbled
    return field.but(stumbled=None) if stumbled and stumbled.unit == unit else field


def _who(seen: tuple[bool, ...]) -> tuple[int, ...]:
    return tuple(side for side, saw in enumerate(seen) if saw)


def _gone(field: Field, unit: str, how: str, seen: tuple[bool, ...]) -> Field:
    gone = field.knowing(unit, _who(seen)).put(unit, at="", gone=how)
    return gone.timed(without_all(gone.timers, {unit})) if gone.timers else gone


def _less(timers: tuple[Timer, ...], effect: Timer) -> tuple[Timer, ...]:
    """The timers without one timer equal to `effect`, whatever turns either has left."""
    for place, timer in enumerate(timers):
        if timer._replace(left=effect.left) == effect:
            return timers[:place] + timers[place + 1 :]
    return timers


def _painted(field: Field, changes: MapDocument, back: tuple[str, ...]) -> Field:
    """The field with the map changed. A side whose units returned to the reserve is no longer ready."""
    displaced = {field.tokens[one].side for one in back}
    now = field.but(ground=field.ground.changed(changes), ready=field.ready - displaced)
    for unit in back:
        now = now.put(unit, at="")
    return now


# Names


SOMEBODY, AT_THE_START = _("an unseen unit"), _("An unseen unit")
OF_ARMY = Term("{name} ({army})")


def name_of(field: Field, unit: str, *, first: bool = False, in_side: bool = False) -> UnitName:
    """The name of a unit for the reader of this field; "an unseen unit" if they haven't met it (H-7).

    The army's name is added if the reader knows a unit of the same name in another army. `first`: the name begins a
    sentence. `in_side`: compare only with armies of the same side, where the side is clear from the context.
    """
    token = field.tokens.get(unit)
    name = token.name if token else field.names.get(unit)
    if name is None:
        return AT_THE_START if first else SOMEBODY
    army = army_of(unit)
    others = field.bearers[str(name)] - {army}
    if in_side:
        others = frozenset(other for other in others if field.armies.get(other) == field.armies.get(army))
    told = field.army_names.get(army) if others else None
    return extend_name(OF_ARMY, name, army=told) if told else name


def army_of(unit: str) -> str:
    """The army id contained in a unit's id (`tokens.unit_id`)."""
    return unit.rpartition(":")[0]


def teams(field: Field, sides: tuple[str, ...]) -> tuple[Team, ...]:
    """The sides with their armies, for the law's summary."""
    armies = field.armies.items()
    return tuple(Team(name, tuple(army for army, own in armies if own == side)) for side, name in enumerate(sides))
