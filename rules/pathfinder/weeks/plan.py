"""Plan of a passage: how much time passes, and what is left to people to choose."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace

from rules.pathfinder.weeks.week_state import week_end

NONE: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class Choices:
    """What the rules leave open, by army or kingdom id. The defaults are what happens if nobody chooses.

    For a week (R-81): land: live off the land · feast: cannibalize after a battle they won · away: their commander
    was not with them on three days · there: they were · double: kingdoms that pay their leaderless armies double.
    For the days that pass: march: armies that do not rest · first: armies paid before the others, in this order ·
    rally: kingdoms that try the daily Loyalty check · income: kingdoms that collect taxes · no_upkeep: kingdoms
    whose upkeep phase is not run here.
    """

    march: frozenset[str] = NONE
    land: frozenset[str] = NONE
    feast: frozenset[str] = NONE
    away: frozenset[str] = NONE
    there: frozenset[str] = NONE
    first: tuple[str, ...] = ()
    double: frozenset[str] = NONE
    rally: frozenset[str] = NONE
    income: frozenset[str] = NONE
    no_upkeep: frozenset[str] = NONE


@dataclass(frozen=True, slots=True)
class TimePlan:
    """From day `since` to day `until`. `months`: the days in between on which a month begins.

    `running`: the choices that hold in the week day `since` belongs to, where some were made before; `choices` hold in
    every later one, but for the corpses, which feed one week. `rallied`: what the Loyalty checks for rest came to that
    kingdoms made on day `since` already (R-79).
    `fighting`: armies in a battle that is not settled: they neither rest nor regrow. `fought`: armies that
    fought on day `since`: that day was no rest. `half`: rest heals up to half the hit points (PF-7.1).
    """

    since: int
    until: int
    months: frozenset[int] = frozenset()
    choices: Choices = Choices()
    running: Choices | None = None
    rallied: Mapping[str, bool] = field(default_factory=dict)
    fighting: frozenset[str] = NONE
    fought: frozenset[str] = NONE
    half: bool = False

    def choices_of(self, end: int) -> Choices:
        """What holds for the week that ends on this day."""
        if end == week_end(self.since):
            return self.running or self.choices
        return replace(self.choices, feast=NONE)
