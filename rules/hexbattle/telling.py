"""Log entries of a hex battle: those of common events, and how a law makes those of its own."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from rules.battle_law import LogEntry, Outcome
from rules.core.text import NO_WORDS, Message, Said, Term, _, closed, say
from rules.core.weights import Fall, Weight
from rules.hexbattle.common import (
    Arrived,
    Destroyed,
    Hid,
    MapChanged,
    Moved,
    Placed,
    Revealed,
    SideReady,
    Silence,
    Started,
    WentOn,
    Withdrawn,
    army_of,
    name_of,
)
from rules.hexbattle.field import Ended, Field, Stumbled
from rules.hexes.terrain import BY_SLUG, MapKind


def told(field: Field, event: object, sides: tuple[str, ...]) -> LogEntry | None:
    """The log entry of a common event, from the field as its reader sees it.

    None for any other event and for phases and effects, whose names only the law knows.
    """
    match event:
        case Placed(unit, at):
            words = _("{unit}: placed on {hex}.") if at else _("{unit}: back to the reserve.")
            return unit_entry(field, "placed", unit, words, hex=at, quiet=True)
        case Arrived(token):
            return unit_entry(field, "arrived", token.id, _("New in the battle: {unit}."))
        case Moved(unit, path, _seen):
            return _moved(field, unit, path)
        case Revealed(unit, at, _seen, _out):
            return unit_entry(field, "revealed", unit, _("{unit}: spotted on {hex}."), hex=at)
        case Hid(unit):
            return unit_entry(field, "hidden", unit, _("{unit}: into hiding."))
        case Destroyed(unit, at):
            words = _("{unit}: fallen on {hex}.") if _is_character(field, unit) else _("{unit}: destroyed on {hex}.")
            return unit_entry(field, "destroyed", unit, words, hex=at, weight=Weight.TELLING)
        case Withdrawn(unit, at):
            return unit_entry(field, "withdrawn", unit, _("{unit}: off the map from {hex}."), hex=at)
        case Stumbled(unit):
            return unit_entry(field, "stumbled", unit, _("{unit}: stopped by a hidden enemy."))
        case Silence():
            return LogEntry("silence", "", "", say(_("Nothing happens.")), quiet=True)
        case WentOn(unit):
            return unit_entry(field, "went-on", unit, _("{unit}: move ended there."), quiet=True)
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
        return unit_entry(field, "moved", unit, _("{unit}: coming into sight on {end}."), end=path[0])
    if not path[0]:
        return unit_entry(field, "moved", unit, _("{unit}: onto the map and to {end}."), end=path[-1])
    return unit_entry(field, "moved", unit, _("{unit}: move from {start} to {end}."), start=path[0], end=path[-1])


# Types of log entries that hurt the side they are about
HURTING = frozenset(
    {"destroyed", "withdrawn", "routed", "fled", "wing-broken", "blocked", "vanished", "phantom-vanished"}
)
FALLS: Mapping[str, Fall] = {
    "destroyed": Fall.DESTROYED, "vanished": Fall.DESTROYED, "wing-broken": Fall.ARMY, "routed": Fall.ROUTED,
}  # fmt: skip
"""Types of log entries after which a unit, or an army, no longer fights."""
FIELDS = ("rolls", "numbers", "rule", "sums", "quiet", "weight", "target", "secret", "fall")
"""Members of a log entry that a law may give; all other arguments of an entry are inserted into its text."""


def unit_entry(field: Field, kind: str, unit: str, words: Term, /, **more: Any) -> LogEntry:
    """A log entry about a unit. Arguments that aren't in `FIELDS` are inserted into the text."""
    token = field.tokens.get(unit)
    fields, told = split_fields(more)
    if token is not None and token.character and FALLS.get(kind) == Fall.DESTROYED:
        fields.setdefault("fall", Fall.CHARACTER)
    text = say(words, unit=name_of(field, unit, first=True), **told)
    return army_entry(kind, army_of(unit), token.side if token else None, text, **fields)


def army_entry(kind: str, army: str, side: int | None, text: Message, **fields: Any) -> LogEntry:
    """A log entry about an army, or a part of it, with what its type says: whom it hurts, and who falls."""
    fields = {"target": "", "fall": FALLS.get(kind, Fall.NOBODY), **fields}
    return LogEntry(kind, army, text=text, side=side, harmed=side if kind in HURTING else None, **fields)


def split_fields(more: Mapping[str, Any]) -> tuple[dict[str, Any], dict[str, Any]]:
    """Split arguments into members of a log entry, and what is inserted into its text."""
    fields = {name: value for name, value in more.items() if name in FIELDS}
    return fields, {name: value for name, value in more.items() if name not in FIELDS}


def _is_character(field: Field, unit: str) -> bool:
    known = field.tokens.get(unit)
    return known is not None and known.character


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
