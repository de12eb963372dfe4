"""Sides of a battle's page, with the cards of their armies."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from battles.ruleset_ui import ArmyCard
from battles.setup.page import pick_colour
from rules.law import Summary


@dataclass(frozen=True)
class SideView:
    """A side with the cards of its armies."""

    index: int
    name: str
    colour: str
    cards: tuple[ArmyCard, ...]

    @property
    def own(self) -> bool:
        """Whether its reader commands somebody here."""
        return any(card.choices for card in self.cards)

    @property
    def health(self) -> tuple[int, int]:
        """What its armies have left together, of how much."""
        return sum(card.health for card in self.cards), sum(card.health_max for card in self.cards)

    @property
    def worded(self) -> bool:
        """Whether health is told in words of one of them: then nothing is summed up."""
        return any(card.words for card in self.cards)

    @property
    def share(self) -> int | None:
        """What its armies have left on average, in hundredths, where not all of it is known; None where all is."""
        if not any(card.share for card in self.cards):
            return None
        left = [100 * card.health // max(1, card.health_max) for card in self.cards]
        return sum(left) // len(left)


def sides_of(summary: Summary, cards: Mapping[str, ArmyCard]) -> Iterator[SideView]:
    for index, side in enumerate(summary.sides):
        yield SideView(index, side.name, pick_colour(index), tuple(cards[army] for army in side.armies))
