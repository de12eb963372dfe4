"""Events that every hex battle has, what they do to its field, and what is told of them.

An event says itself who saw it (H-6): `seen`, by side. `None` or False is a side that saw nothing. A law adds events of
its own and hands these on to `after` and `told`.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import NamedTuple

from rules.battle_law import Closed, LogEntry, Outcome, Team, Weight
from rules.core.text import NO_WORDS, Said, Term, _, closed, say
from rules.hexbattle.field import Ended, Field, Grave, Stumbled
from rules.hexbattle.ground import MapDocument
from rules.hexbattle.timers import Timer, after_phase, without_all
from rules.hexbattle.tokens import Token
from rules.hexes.terrain import BY_SLUG, MapKind

ALL = (True, True)
DESTROYED, WITHDRAWN = "destroyed", "withdrawn"


class Placed(NamedTuple):
    """A unit was put on a hex in setup, or back into the reserve (`at` is ""). Only its side is told."""

    unit: str
    at: str


class Arrived(NamedTuple):
    """A unit joins the battle: reinforcements, what was summoned or raised."""

    unit: Token
    seen: tuple[bool, ...] = ALL


class Moved(NamedTuple):
    """A unit went along `path`, which begins where it was ("" for the reserve). `seen`: by side, the place in `path`
    from which that side sees it to its end, None for a side that doesn't.
    """

    unit: str
    path: tuple[str, ...]
    seen: tuple[int | None, ...]


class WentOn(NamedTuple):
    """A unit that stumbled is done, though it didn't move again."""

    unit: str


UNSEEN_RUN = 4


class Silence(NamedTuple):
    """Nothing happened, and nobody is told. It stands after events that not everybody sees, so that their number is
    always a multiple of `UNSEEN_RUN`.
    """


class Revealed(NamedTuple):
    """These sides see a unit that they didn't. `out`: it comes out of hiding for good."""

    unit: str
    at: str
    seen: tuple[bool, ...] = ALL
    out: bool = False


class Hid(NamedTuple):
    """A unit hides: enemies see it from near only."""

    unit: str
    seen: tuple[bool, ...]


class Destroyed(NamedTuple):
    unit: str
    at: str
    seen: tuple[bool, ...] = ALL


class Withdrawn(NamedTuple):
    """A unit left the map alive. `how`: the law's slug of what became of it."""

    unit: str
    at: str
    seen: tuple[bool, ...] = ALL
    how: str = WITHDRAWN


class EffectBegan(NamedTuple):
    effect: Timer
    seen: tuple[bool, ...] = ALL


class EffectEnded(NamedTuple):
    """An effect ended before its time. Those whose time is over end with `PhaseEnded`."""

    effect: Timer
    seen: tuple[bool, ...] = ALL


class PhaseEnded(NamedTuple):
    """A phase of a side (`timers.BOTH` for both) is over: effects that last until then end."""

    side: int
    phase: str


class SideReady(NamedTuple):
    side: int
    on: bool


class Started(NamedTuple):
    """Setup is over."""


class MapChanged(NamedTuple):
    """The map was changed. `stroke`: the slug of the command (HX-9.1). `changes`: of its document. `hexes`: those that
    look different. `back`: units that went back to the reserve (HX-9.3). `reason`: of a change during play (HX-9.4);
    `before`, `now`: slugs of the terrain there.
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
"""For a law's `Shapes`, with its own."""


# What they do


def after(field: Field, event: object) -> Field:
    """The field after an event; itself where the event is none of these. Never judges, never refuses."""
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
    """Without one such effect, whatever time it had left."""
    for place, timer in enumerate(timers):
        if timer._replace(left=effect.left) == effect:
            return timers[:place] + timers[place + 1 :]
    return timers


def _painted(field: Field, changes: MapDocument, back: tuple[str, ...]) -> Field:
    """With another map. A side whose units went back to the reserve isn't ready any more."""
    displaced = {field.tokens[one].side for one in back}
    now = field.but(ground=field.ground.changed(changes), ready=field.ready - displaced)
    for unit in back:
        now = now.put(unit, at="")
    return now


# What is told of them


SOMEBODY, AT_THE_START = _("an unseen unit"), _("An unseen unit")


def name_of(field: Field, unit: str, *, first: bool = False, in_side: bool = False) -> Said | str:
    """The name of a unit as the reader of this field knows it: "an unseen unit" until they have met it (H-7).

    The name of its army follows where the reader knows a unit of another army by the same name. `first`: it begins a
    sentence. `in_side`: only armies of its own side count, where nobody asks which side it is of.
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
    """The army in a unit's id (`tokens.unit_id`)."""
    return unit.rpartition(":")[0]


def told(field: Field, event: object, sides: tuple[str, ...]) -> LogEntry | None:
    """An event in words, by the field as its reader sees it. None where the event is none of these, and of phases,
    whose names the law knows.
    """
    match event:
        case Placed(unit, at):
            return _line(field, "placed", unit, _("{unit} sets up on {hex}.") if at else _("{unit} goes back to the "
                         "reserve."), hex=at, quiet=True)  # fmt: skip
        case Arrived(token):
            return _line(field, "arrived", token.id, _("{unit} joins the battle."))
        case Moved(unit, path, _seen):
            return _moved(field, unit, path)
        case Revealed(unit, at, _seen, _out):
            return _line(field, "revealed", unit, _("{unit} is spotted on {hex}."), hex=at)
        case Hid(unit):
            return _line(field, "hidden", unit, _("{unit} goes into hiding."))
        case Destroyed(unit, at):
            return _line(field, "destroyed", unit, _("{unit} is destroyed on {hex}."), hex=at, weight=Weight.TELLING)
        case Withdrawn(unit, at):
            return _line(field, "withdrawn", unit, _("{unit} leaves the map from {hex}."), hex=at)
        case Stumbled(unit):
            return _line(field, "stumbled", unit, _("{unit} is stopped by a hidden enemy."))
        case Silence():
            return LogEntry("silence", "", "", say(_("Nothing happens.")), quiet=True)
        case WentOn(unit):
            return _line(field, "went-on", unit, _("{unit} stops there."), quiet=True)
        case _:
            return _told_of_sides(event, sides)


def _told_of_sides(event: object, sides: tuple[str, ...]) -> LogEntry | None:
    match event:
        case SideReady(side, on):
            words = _("{side} finished setting up.") if on else _("{side} changes its setup again.")
            return LogEntry("side-ready", "", "", say(words, side=sides[side]), side=side)
        case Started():
            return LogEntry("started", "", "", say(_("The battle begins.")), weight=Weight.TELLING)
        case MapChanged():
            return _painted_words(event)
        case _:
            return None


def _moved(field: Field, unit: str, path: tuple[str, ...]) -> LogEntry:
    if len(path) == 1:
        return _line(field, "moved", unit, _("{unit} comes into sight on {end}."), end=path[0])
    if not path[0]:
        return _line(field, "moved", unit, _("{unit} enters the map and moves to {end}."), end=path[-1])
    return _line(field, "moved", unit, _("{unit} moves from {start} to {end}."), start=path[0], end=path[-1])


def _line(
    field: Field, kind: str, unit: str, words: Term, *, quiet: bool = False, weight: Weight = Weight.USUAL, **told: str
) -> LogEntry:
    token = field.tokens.get(unit)
    side = token.side if token else None
    text = say(words, unit=name_of(field, unit, first=True), **told)
    return LogEntry(kind, army_of(unit), "", text, side=side, quiet=quiet, weight=weight)


def _painted_words(event: MapChanged) -> LogEntry:
    if not event.reason:
        return LogEntry("painted", "", "", say(_("The map is changed.")), quiet=True)
    told = {"hexes": ", ".join(event.hexes), "terrain": _names((event.now,)), "before": _names(event.before)}
    return LogEntry(
        "painted", "", "", say(_("{hexes}: {before} becomes {terrain}. {reason}"), reason=event.reason, **told)
    )


def _names(terrains: tuple[str, ...]) -> Said | str:
    """The names of terrains, the first two of them."""
    names = [BY_SLUG[MapKind.BATTLE][slug].name for slug in terrains[:2]]
    return say(_("{one} and {other}"), one=names[0], other=names[1]) if len(names) > 1 else names[0]


def outcome(event: Ended, sides: tuple[str, ...], reasons: Mapping[str, Said]) -> Outcome:
    """How the battle ended, in words. `reasons`: the law's, by slug."""
    reason: Said | str = event.reason if event.by_gm else reasons.get(event.reason, NO_WORDS)
    if event.winner is None:
        return Outcome(None, reason, say(_("The battle is a draw.")))
    return Outcome(event.winner, reason, say(_("{side} wins the battle."), side=sides[event.winner]))


def told_end(event: Ended, sides: tuple[str, ...], reasons: Mapping[str, Said]) -> LogEntry:
    """The end in words: who won, and why."""
    found = outcome(event, sides, reasons)
    text = say(_("{end} {reason}"), end=found.text, reason=closed(found.reason))
    return LogEntry("ended", "", "", text if found.reason else say(_("{end}"), end=found.text), weight=Weight.TURNING)


def teams(field: Field, sides: tuple[str, ...]) -> tuple[Team, ...]:
    """The sides and their armies, for the law's summary."""
    armies = field.armies.items()
    return tuple(Team(name, tuple(army for army, own in armies if own == side)) for side, name in enumerate(sides))
