"""Displaced armies: those whose hex or route has become impassable (HX-9.3)."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Mapping
from types import MappingProxyType

from kingdom.chronicle.changes import Change
from rules.core.text import Said, Term, by_number, say

RULE = "HX-9.3"
GONE = by_number(
    "{names} was taken off the map because its hex is now impassable or gone.",
    "{names} were taken off the map because their hexes are now impassable or gone.",
)
HALTED = by_number(
    "{names} stopped because its route is now impassable.",
    "{names} stopped because their routes are now impassable.",
)
WOULD_GO = by_number(
    "{names} would be taken off the map because its hex would be impassable or gone.",
    "{names} would be taken off the map because their hexes would be impassable or gone.",
)
WOULD_HALT = by_number(
    "{names} would stop because its route would be impassable.",
    "{names} would stop because their routes would be impassable.",
)
AND_MORE = by_number("{names} and {more} more", "{names} and {more} more")
NAMED = 12
"""Number of armies named in a question; further ones are counted."""
NOT_HELD: Mapping[str, str] = MappingProxyType({})


class Displaced(Exception):
    """The change would take these armies off the map or halt them, and the user must confirm that first.

    This exception asks for a confirmation; it is not a refusal. `key` identifies exactly these armies: the confirmation
    sends it back.
    """

    def __init__(self, changes: Iterable[Change], held: Mapping[str, str]):
        changes = list(changes)
        told = describe_displaced(changes, held, words=(WOULD_GO, WOULD_HALT), most=NAMED)
        assert told is not None
        which = sorted(f"{change.subject_id} {change.field}" for change in changes)
        self.key = hashlib.sha256("\n".join(which).encode()).hexdigest()[:16]
        super().__init__(str(told))
        self.message = told


def describe_displaced(
    changes: Iterable[Change],
    held: Mapping[str, str] = NOT_HELD,
    *,
    words: tuple[Term, Term] = (GONE, HALTED),
    most: int | None = None,
) -> Said | None:
    """Return which of these armies have left the map and which have halted; None for none.

    The sentence never names the new terrain, which the armies' players may not know. `held`: the event an army is in,
    by its id, for readers who may know. `most`: how many are named.
    """
    told = [change for change in changes if change.rule == RULE]
    left = {change.subject_id: _called(change, held) for change in told if change.field == "hex"}
    halted = {change.subject_id: _called(change, held) for change in told if change.subject_id not in left}
    pairs = zip(words, (left, halted), strict=True)
    said = [say(word, count=len(of), names=_named([*of.values()], most)) for word, of in pairs if of]
    return say(Term("{left} {halted}"), left=said[0], halted=said[1]) if len(said) > 1 else next(iter(said), None)


def _named(names: list[str], most: int | None) -> object:
    if most is None or len(names) <= most:
        return names
    return say(AND_MORE, count=len(names) - most, names=names[:most], more=len(names) - most)


def _called(change: Change, held: Mapping[str, str]) -> str:
    by = held.get(change.subject_id)
    return f"{change.subject} ({by})" if by else str(change.subject)
