"""Recent battles of armies, as other apps tell them: armies do not know battles."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from kingdom.models import Campaign

NOBODY: frozenset[str] = frozenset()


@dataclass(frozen=True, slots=True)
class FightsOfLate:
    """Army ids. `fighting`: in a battle that is not settled · `fought`: in one on this day · `won`: since `since`.

    `battles`: the names of those in which they fought on this day, by army · `places`: the ids of those battles ·
    `settled`: those of whose battles nothing but the aftermath is of this day.
    """

    fighting: frozenset[str] = NOBODY
    fought: frozenset[str] = NOBODY
    won: frozenset[str] = NOBODY
    battles: Mapping[str, str] = field(default_factory=dict)
    places: Mapping[str, str] = field(default_factory=dict)
    settled: frozenset[str] = NOBODY

    def __or__(self, other: FightsOfLate) -> FightsOfLate:
        return FightsOfLate(
            fighting=self.fighting | other.fighting,
            fought=self.fought | other.fought,
            won=self.won | other.won,
            battles={**self.battles, **other.battles},
            places={**self.places, **other.places},
            settled=self.settled | other.settled,
        )


FightTeller = Callable[[Campaign, int], FightsOfLate]

_tellers: list[FightTeller] = []


def register(teller: FightTeller) -> None:
    """Ask `teller(campaign, since)` what its armies did from day `since` to today. Registering twice counts once."""
    if teller not in _tellers:
        _tellers.append(teller)


def load_recent_battles(campaign: Campaign, since: int) -> FightsOfLate:
    told = FightsOfLate()
    for teller in _tellers:
        told |= teller(campaign, since)
    return told
