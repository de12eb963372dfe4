"""What is told of those whose ground has become such that nobody can stand or go there any more (HX-9.3)."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType

from kingdom.world import Change
from rules.text import Said, Term, by_number, say

RULE = "HX-9.3"
GONE = by_number(
    "{names} stands nowhere on the map any more: nobody can stand there now.",
    "{names} stand nowhere on the map any more: nobody can stand there now.",
)
HALTED = by_number(
    "{names} goes no further: nobody can go on along its way now.",
    "{names} go no further: nobody can go on along their way now.",
)
WOULD_GO = by_number(
    "{names} would stand nowhere on the map any more: nobody could stand there.",
    "{names} would stand nowhere on the map any more: nobody could stand there.",
)
WOULD_HALT = by_number(
    "{names} would go no further: nobody could go on along its way.",
    "{names} would go no further: nobody could go on along their way.",
)
NOT_HELD: Mapping[str, str] = MappingProxyType({})


class WouldLeave(Exception):
    """What was asked for would make these leave the map, or halt on it, and whoever asks wants to hear so first.

    No refusal: nothing is wrong.
    """

    def __init__(self, changes: Iterable[Change], held: Mapping[str, str]):
        told = gone(changes, held, words=(WOULD_GO, WOULD_HALT))
        assert told is not None
        super().__init__(str(told))
        self.message = told


def gone(
    changes: Iterable[Change], held: Mapping[str, str] = NOT_HELD, *, words: tuple[Term, Term] = (GONE, HALTED)
) -> Said | None:
    """Who of these has left the map, and who has halted on it; None for nobody. Never what the ground is now: whoever
    runs one of them reads it, and may not know. `held`: by what they are held, by id, for whom that is to be told.
    """
    told = [change for change in changes if change.rule == RULE]
    left = {change.subject_id: _called(change, held) for change in told if change.field == "hex"}
    halted = {change.subject_id: _called(change, held) for change in told if change.subject_id not in left}
    pairs = zip(words, (left, halted), strict=True)
    said = [say(word, count=len(of), names=[*of.values()]) for word, of in pairs if of]
    return say(Term("{left} {halted}"), left=said[0], halted=said[1]) if len(said) > 1 else next(iter(said), None)


def _called(change: Change, held: Mapping[str, str]) -> str:
    by = held.get(change.subject_id)
    return f"{change.subject} ({by})" if by else str(change.subject)
