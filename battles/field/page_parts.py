"""Parts of the battle page: sides as rows of cards with the lines of attack between them, and GM tools."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, NamedTuple

from battles.field.table import format_names
from battles.models import Battle
from battles.opponents.queries import SideHead, list_leanings, list_sides, proposes
from battles.play import battle_state as play_battle_state
from battles.queries import list_branches
from battles.ruleset_ui import ArmyCard, Onward, get_battle_ui
from battles.setup.page import pick_colour
from battles.setup.queries import reserves_of
from rules.core.text import Said, say
from rules.law import RUNNING, SETUP, Summary

# Sides of a battle as rows of cards, and the lines of attack between them.


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


# GM tools on a battle's page.


class Playing(NamedTuple):
    """Names of the sides that the computer plays by itself, and whether it is paused. `trouble`: why, unless the GM
    paused it.
    """

    names: str
    paused: bool
    trouble: Said | None


@dataclass(frozen=True)
class Desk:
    """The GM's tools. `commands`: types of the legal commands. `own`: context of the ruleset's tools."""

    battle: Battle
    state: Any
    commands: tuple[str, ...]
    summary: Summary
    own: Any

    @property
    def onward(self) -> list[tuple[str, Onward, Said]]:
        """The legal commands that carry the battle on: type, button and label."""
        known = get_battle_ui(play_battle_state.get_law(self.battle)).onward
        return [
            (kind, known[kind], say(known[kind].label, phase=self.summary.stage.label))
            for kind in known
            if kind in self.commands
        ]

    @cached_property
    def branches(self) -> list[Battle]:
        """The battle’s what-ifs. No query where the page knows that it has none."""
        return list(list_branches(self.battle)) if getattr(self.battle, "has_branches", True) else []

    @cached_property
    def reserves(self) -> bool:
        """Whether any army could join the battle."""
        return "reinforce" in self.commands and reserves_of(self.battle).exists()

    @cached_property
    def heads(self) -> tuple[SideHead, ...]:
        """Commander of each side (people or the computer), while the GM can assign sides to the computer."""
        fought = self.summary.status in (SETUP, RUNNING)
        known = fought and play_battle_state.get_engine(self.battle).forecast.commands
        return list_sides(self.battle, self.state) if known else ()

    @cached_property
    def by_turns(self) -> bool:
        """Whether the computer plays a side command by command."""
        return play_battle_state.get_engine(self.battle).forecast.by_turns

    @property
    def engines(self) -> tuple[SideHead, ...]:
        """Sides whose orders the computer proposes, without those it plays by itself."""
        return tuple(head for head in self.heads if proposes(head, by_turns=self.by_turns))

    @property
    def playing(self) -> Playing | None:
        """the sides that the computer plays by itself, where sides take turns; None where there are none."""
        played = [head for head in self.heads if head.leaning and head.left] if self.by_turns else []
        if not played:
            return None
        trouble = next((head.trouble for head in played if head.trouble), None)
        return Playing(format_names([head.name for head in played]), any(head.paused for head in played), trouble)

    @cached_property
    def left(self) -> frozenset[str]:
        """Ids of armies whose orders are left to the computer, so that nobody is awaited for them."""
        teams = self.summary.sides
        return frozenset(
            army for head in self.heads if head.left and not head.paused for army in teams[head.side].armies
        )

    @property
    def leanings(self) -> tuple[tuple[str, Said, Said], ...]:
        return list_leanings(play_battle_state.get_engine(self.battle))
