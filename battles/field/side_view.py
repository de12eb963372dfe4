"""Sides of a battle as rows of cards, and the lines of attack between them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
        """Whether the reader commands an army of this side."""
        return any(card.choices for card in self.cards)

    @property
    def health(self) -> tuple[int, int]:
        """Health left of all its armies, and their full health."""
        return sum(card.health for card in self.cards), sum(card.health_max for card in self.cards)

    @property
    def worded(self) -> bool:
        """Whether the health of any of its armies is told in words, so that there is no sum."""
        return any(card.words for card in self.cards)

    @property
    def share(self) -> int | None:
        """Mean percentage of health left, where some of it is told in percentages; None where all figures are known."""
        if not any(card.share for card in self.cards):
            return None
        left = [100 * card.health // max(1, card.health_max) for card in self.cards]
        return sum(left) // len(left)


def sides_of(summary: Summary, cards: Mapping[str, ArmyCard]) -> Iterator[SideView]:
    for index, side in enumerate(summary.sides):
        yield SideView(index, side.name, pick_colour(index), tuple(cards[army] for army in side.armies))


# Lines of attack between two sides that stand face to face.


ASIDE, POINT = 10, 6  # percent of a row: a line's distance from the row's middle, and half the width of its arrow head


class Engagement(NamedTuple):
    """A line of attack in a box of 100 by 100 between the two sides; `path` and `point` (its arrow head) are SVG paths.

    `unsure`: the order is unknown or not given yet, so the line shows the army's last attack.
    """

    colour: str
    path: str
    point: str
    unsure: bool


def list_engagements(sides: Sequence[Sequence[ArmyCard]]) -> tuple[Engagement, ...]:
    """Lines of attack between the first two sides. All rows must have one height. Each order also says it in words."""
    return tuple(_lines(sides[0], sides[1])) if len(sides) > 1 else ()


def _lines(left: Sequence[ArmyCard], right: Sequence[ArmyCard]) -> Iterator[Engagement]:
    row = 100 / max(len(left), len(right))
    for side, foes, mirrored in ((left, right, False), (right, left, True)):
        stands = {foe.id: place for place, foe in enumerate(foes) if not foe.gone}
        aside = row * (1 if mirrored else -1) * ASIDE / 100
        for place, card in enumerate(side):
            if not card.gone and card.aim is not None and card.target in stands:
                start, end = (row * (at + 0.5) + aside for at in (place, stands[card.target]))
                yield _line(card, start, end, row * POINT / 100, mirrored=mirrored)


def _line(card: ArmyCard, start: float, end: float, half: float, *, mirrored: bool) -> Engagement:
    here, bend, neck, tip = (100 - x if mirrored else x for x in (4, 50, 88, 99))
    return Engagement(
        card.colour,
        f"M{here} {start:.1f}C{bend} {start:.1f} {bend} {end:.1f} {neck} {end:.1f}",
        f"M{neck} {end - half:.1f}L{tip} {end:.1f}L{neck} {end + half:.1f}Z",
        unsure=card.choices is None or card.ready != "in",
    )
