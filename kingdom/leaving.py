"""What is told of those whose ground has become such that nobody can stand or go there any more (HX-9.3)."""

from __future__ import annotations

from collections.abc import Iterable

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


def gone(changes: Iterable[Change]) -> Said | None:
    """Who of these has left the map, and who has halted on it; None for nobody. Never what the ground is now: whoever
    runs one of them reads it, and may not know.
    """
    told = [change for change in changes if change.rule == RULE]
    left = {change.subject_id: str(change.subject) for change in told if change.field == "hex"}
    halted = {change.subject_id: str(change.subject) for change in told if change.subject_id not in left}
    pairs = ((GONE, left), (HALTED, halted))
    said = [say(words, count=len(of), names=[*of.values()]) for words, of in pairs if of]
    return say(Term("{left} {halted}"), left=said[0], halted=said[1]) if len(said) > 1 else next(iter(said), None)
