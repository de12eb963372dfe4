"""Events common to all hex battles, how they change the field, and their log entries.

Each event records which sides saw it in `seen`, by side (H-6); `None` or False means that the side saw nothing. A law
defines further events of its own and passes the common ones on to `after` and `told`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.battle_law import Closed, LogEntry, Outcome, Team
from rules.core.text import NO_WORDS, Said, Term, _, closed, say
from rules.core.weights import Fall, Weight
from rules.hexbattle.field import Ended, Field, Grave, Stumbled, Token
from rules.hexbattle.ground import MapDocument, Timer, after_phase, without_all
from rules.hexes.terrain import BY_SLUG, MapKind

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


# Log entries


SOMEBODY, AT_THE_START = _("an unseen unit"), _("An unseen unit")


def name_of(field: Field, unit: str, *, first: bool = False, in_side: bool = False) -> Said | str:
    """The name of a unit for the reader of this field; "an unseen unit" if they haven't met it (H-7).

    The army's name is added if the reader knows a unit of the same name in another army. `first`: the name begins a
    sentence. `in_side`: compare only with armies of the same side, where the side is clear from the context.
    """
    token = field.tokens.get(unit)
    name = token.name if token else field.names.get(unit)
    if name is None:
        return AT_THE_START if first else SOMEBODY
    army = army_of(unit)
    others = field.bearers[name] - {army}
    if in_side:
        others = frozenset(other for other in others if field.armies.get(other) == field.armies.get(army))
    told = field.army_names.get(army) if others else None
    return f"{name} ({told})" if told else name


def army_of(unit: str) -> str:
    """The army id contained in a unit's id (`tokens.unit_id`)."""
    return unit.rpartition(":")[0]


def told(field: Field, event: object, sides: tuple[str, ...]) -> LogEntry | None:
    """The log entry of a common event, from the field as its reader sees it.

    None for any other event and for phases and effects, whose names only the law knows.
    """
    match event:
        case Placed(unit, at):
            words = _("{unit}: placed on {hex}.") if at else _("{unit}: back to the reserve.")
            return _line(field, "placed", unit, words, hex=at, quiet=True)
        case Arrived(token):
            return _line(field, "arrived", token.id, _("New in the battle: {unit}."))
        case Moved(unit, path, _seen):
            return _moved(field, unit, path)
        case Revealed(unit, at, _seen, _out):
            return _line(field, "revealed", unit, _("{unit}: spotted on {hex}."), hex=at)
        case Hid(unit):
            return _line(field, "hidden", unit, _("{unit}: into hiding."))
        case Destroyed(unit, at):
            words = _("{unit}: fallen on {hex}.") if _is_character(field, unit) else _("{unit}: destroyed on {hex}.")
            return _line(field, "destroyed", unit, words, hex=at, weight=Weight.TELLING)
        case Withdrawn(unit, at):
            return _line(field, "withdrawn", unit, _("{unit}: off the map from {hex}."), hex=at)
        case Stumbled(unit):
            return _line(field, "stumbled", unit, _("{unit}: stopped by a hidden enemy."))
        case Silence():
            return LogEntry("silence", "", "", say(_("Nothing happens.")), quiet=True)
        case WentOn(unit):
            return _line(field, "went-on", unit, _("{unit}: move ended there."), quiet=True)
        case _:
            return _told_of_sides(event, sides)


def _told_of_sides(event: object, sides: tuple[str, ...]) -> LogEntry | None:
    match event:
        case SideReady(side, on):
            words = _("{side}: setup finished.") if on else _("{side}: setup changed again.")
            return LogEntry("side-ready", "", "", say(words, side=sides[side]), side=side)
        case Started():
            return LogEntry("started", "", "", say(_("The battle begins.")), weight=Weight.TELLING)
        case MapChanged():
            return _painted_words(event)
        case _:
            return None


def _moved(field: Field, unit: str, path: tuple[str, ...]) -> LogEntry:
    if len(path) == 1:
        return _line(field, "moved", unit, _("{unit}: coming into sight on {end}."), end=path[0])
    if not path[0]:
        return _line(field, "moved", unit, _("{unit}: onto the map and to {end}."), end=path[-1])
    return _line(field, "moved", unit, _("{unit}: move from {start} to {end}."), start=path[0], end=path[-1])


# Types of log entries that hurt the side they are about
HURTING = frozenset(
    {"destroyed", "withdrawn", "routed", "fled", "wing-broken", "blocked", "vanished", "phantom-vanished"}
)


def harmed_by(kind: str, side: int | None) -> int | None:
    """The side that an entry of this type about it hurts."""
    return side if kind in HURTING else None


FALLS: Mapping[str, Fall] = {
    "destroyed": Fall.DESTROYED, "vanished": Fall.DESTROYED, "wing-broken": Fall.ARMY, "routed": Fall.ROUTED,
}  # fmt: skip
"""Types of log entries after which a unit, or an army, no longer fights."""


def fall_of(kind: str, token: Token | None) -> Fall:
    """Who no longer fights after an entry of this type about this unit."""
    fall = FALLS.get(kind, Fall.NOBODY)
    return Fall.CHARACTER if fall == Fall.DESTROYED and token is not None and token.character else fall


def _is_character(field: Field, unit: str) -> bool:
    known = field.tokens.get(unit)
    return known is not None and known.character


def _line(
    field: Field, kind: str, unit: str, words: Term, *, quiet: bool = False, weight: Weight = Weight.USUAL, **told: str
) -> LogEntry:
    token = field.tokens.get(unit)
    side = token.side if token else None
    text = say(words, unit=name_of(field, unit, first=True), **told)
    hurt = harmed_by(kind, side)
    return LogEntry(kind, army_of(unit), "", text, side=side, quiet=quiet, weight=weight, harmed=hurt,
                    fall=fall_of(kind, token))  # fmt: skip


def _painted_words(event: MapChanged) -> LogEntry:
    if not event.reason:
        return LogEntry("painted", "", "", say(_("The map changes.")), quiet=True)
    told = {"hexes": ", ".join(event.hexes), "terrain": _names((event.now,)), "before": _names(event.before)}
    return LogEntry(
        "painted", "", "", say(_("{hexes}: {before} becomes {terrain}. {reason}"), reason=event.reason, **told)
    )


def _names(terrains: tuple[str, ...]) -> Said | str:
    """The names of terrains; only the first two."""
    names = [BY_SLUG[MapKind.BATTLE][slug].name for slug in terrains[:2]]
    return say(_("{one} and {other}"), one=names[0], other=names[1]) if len(names) > 1 else names[0]


def outcome(event: Ended, sides: tuple[str, ...], reasons: Mapping[str, Said]) -> Outcome:
    """How the battle ended, in words. `reasons`: the law's texts by slug."""
    reason: Said | str = event.reason if event.by_gm else reasons.get(event.reason, NO_WORDS)
    if isinstance(reason, Term) and "{loser}" in reason:
        losers = [name for side, name in enumerate(sides) if side != event.winner]
        reason = say(reason, loser=losers if len(losers) > 1 else losers[0])
    if event.winner is None:
        return Outcome(None, reason, say(_("The battle is a draw.")))
    return Outcome(event.winner, reason, say(_("{side} wins the battle."), side=sides[event.winner]))


def told_end(event: Ended, sides: tuple[str, ...], reasons: Mapping[str, Said]) -> LogEntry:
    """The log entry of the end of the battle: who won, and why."""
    found = outcome(event, sides, reasons)
    text = say(_("{end} {reason}"), end=found.text, reason=closed(found.reason))
    return LogEntry("ended", "", "", text if found.reason else say(_("{end}"), end=found.text), weight=Weight.TURNING)


def teams(field: Field, sides: tuple[str, ...]) -> tuple[Team, ...]:
    """The sides with their armies, for the law's summary."""
    armies = field.armies.items()
    return tuple(Team(name, tuple(army for army, own in armies if own == side)) for side, name in enumerate(sides))
