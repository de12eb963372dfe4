"""Events of a siege's week, or of terms: facts, with their dice and sums."""

from __future__ import annotations

from typing import NamedTuple

from rules.breaking_point.siege.siege_state import SiegeParty
from rules.core.breakdown import Breakdown
from rules.core.dice import Roll


class Bombarded(NamedTuple):
    """The pieces of a side shot once (B-58). `at`: "garrison", "contact" or "shooting".

    `score`: without the die · `losses`: in points, what the target could lose at most counted, of its `force`.
    """

    by: SiegeParty
    at: str
    rolls: tuple[Roll, ...]
    value: int
    score: Breakdown
    difficulty: Breakdown
    power: int
    losses: int
    force: int
    rule: str = "B-58"

    @property
    def margin(self) -> int:
        return self.score.total + self.value - self.difficulty.total


class WeekCounted(NamedTuple):
    """A week of two to one: so many are counted by now (B-57)."""

    weeks: int
    hold: int
    besiegers: int
    garrison: int
    rule: str = "B-57"


class WeekNotCounted(NamedTuple):
    """A week without two to one, the `thin`th running (B-57, B-60)."""

    thin: int
    besiegers: int
    garrison: int
    rule: str = "B-57"


class Starved(NamedTuple):
    """Hunger took a tenth of the force of those who eat (B-57). `force`: of the whole garrison."""

    weeks: int
    hold: int
    losses: int
    force: int
    rule: str = "B-57"


class GarrisonBroke(NamedTuple):
    """It has reached what it can bear: surrender or sortie, its choice, at once (B-57)."""

    lost: int
    breaks_at: int
    force: int
    rule: str = "B-57"


class SiegeLifted(NamedTuple):
    """`weeks`: that had been counted. `weary`: two weeks running without two to one, not by will (B-60)."""

    weeks: int
    weary: bool = False
    rule: str = "B-60"


class TermsHeard(NamedTuple):
    """`outcome`: "refused", "honours" or "unconditional" (BP-8, B-59). `money`: Build Points offered, paid unless
    refused (B-80).
    """

    rolls: tuple[Roll, ...]
    value: int
    score: Breakdown
    difficulty: Breakdown
    outcome: str
    money: int = 0
    rule: str = "B-59"

    @property
    def margin(self) -> int:
        return self.score.total + self.value - self.difficulty.total


class Surrendered(NamedTuple):
    """The broken garrison lays down its arms (B-57)."""

    rule: str = "B-57"


type SiegeEvent = (
    Bombarded | WeekCounted | WeekNotCounted | Starved | GarrisonBroke | SiegeLifted | TermsHeard | Surrendered
)
