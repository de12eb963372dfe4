"""Helpers of the battle page's table: which army is selected, whom the battle waits for, which army is next."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import pairwise
from typing import Any, NamedTuple

from django.utils.translation import ngettext

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import ArmyCard
from kingdom.campaign.queries import load_arms
from kingdom.models.heraldry import Arms
from rules.core.text import Said, _, say
from rules.law import Figures, Stage, Summary

FORECAST, LOG, TOOLS = "forecast", "log", "tools"
BRUSH = "brush"  # `Look.doing` of a GM who edits the map
THINKING, LEFT = "thinking", "left"  # `ArmyCard.ready` of an army without orders; `LEFT`: the computer will order it
TOGETHER = "together"  # `Look.doing` while several armies are ordered at once
NAMED_MOST = 2
CRESTS_MOST, CRESTS_WITH_WORDS = 10, 4
SLIM_FROM, CROWDED_FROM = 4, 12  # numbers of armies
DONE_SHOWN = 4


def find_arms(battle: Battle, summary: Summary) -> Mapping[str, Arms]:
    """Arms that are shown, by army id, and by `make_side_key` for sides of a single kingdom. One query."""
    known = load_arms(battle.campaign, (army.kingdom for army in summary.armies.values()))
    borne = {army.id: known[army.kingdom] for army in summary.armies.values() if army.kingdom in known}
    for index, side in enumerate(summary.sides):
        kingdoms = {summary.armies[army].kingdom for army in side.armies}
        if len(kingdoms) == 1 and kingdoms <= known.keys():
            borne[make_side_key(index)] = known[kingdoms.pop()]
    return borne


def make_side_key(side: int) -> str:
    return f"side-{side}"


def in_short(stages: Sequence[tuple[Stage, str]]) -> list[tuple[Stage, str, str]]:
    """The line of phases, kept short: only the last of those that are done, and runs of one kind as numbers.

    Each with its state, and its short form; "" where its name is written out.
    """
    done = [stage for stage, when in stages if when == "done"][-DONE_SHOWN:]
    short = [str(now.number) if now.kind == was.kind else "" for was, now in pairwise(done)]
    told = [(stage, "done", number) for stage, number in zip(done, ["", *short], strict=True)] if done else []
    return [*told, *((stage, when, "") for stage, when in stages if when != "done")]


@dataclass(frozen=True)
class OrdersIn:
    """The armies whose orders count in this phase."""

    cards: tuple[ArmyCard, ...]

    @property
    def given(self) -> int:
        return sum(card.ready == "in" for card in self.cards)

    @property
    def total(self) -> int:
        return len(self.cards)

    @property
    def crests(self) -> tuple[ArmyCard, ...]:
        """Cards whose crests are shown; none where there is no room for all."""
        return self.cards if len(self.cards) <= CRESTS_MOST else ()


def find_picked(cards: Sequence[ArmyCard], asked: str) -> ArmyCard | None:
    """The army asked for, else the first of the reader's own without orders, else the first they can order, else any of
    their own.
    """
    own = [card for card in cards if card.choices is not None]
    ranks = (
        [card for card in cards if card.id == asked],
        [card for card in own if waits(card)],
        [card for card in own if card.orderable],
        own,
    )
    return next((found[0] for found in ranks if found), None)


def find_next(cards: Sequence[ArmyCard], army: str) -> str:
    """Id of the next army without orders, cyclically after this one; this one where all have theirs."""
    place = next((index for index, card in enumerate(cards) if card.id == army), 0)
    around = (*cards[place + 1 :], *cards[:place])
    return next((card.id for card in around if waits(card)), army)


class Around(NamedTuple):
    """Ids of the armies before and after the selected one; "" where there is none."""

    previous: str = ""
    next: str = ""


def find_around(cards: Sequence[ArmyCard], picked: ArmyCard | None) -> Around:
    """The neighbours among the armies the reader can order, else among all, cyclically."""
    ids = [card.id for card in cards if card.orderable] or [card.id for card in cards]
    if picked is None or not ids:
        return Around(next=ids[0] if ids else "")
    if picked.id not in ids:
        return Around(ids[-1], ids[0])
    place = ids.index(picked.id)
    return Around(ids[place - 1], ids[(place + 1) % len(ids)]) if len(ids) > 1 else Around()


def waits(card: ArmyCard) -> bool:
    """Whether the reader has still to order this army."""
    return card.orderable and card.ready == THINKING


def find_left(battle: Battle, summary: Summary) -> frozenset[str]:
    """Armies of the sides whose orders the computer gives. Only the GM is told."""
    sides = play_battle_state.left_to_the_engine(battle)
    return frozenset(army for side in sides for army in summary.sides[side].armies)


def mark_left(cards: Mapping[str, Any], left: frozenset[str]) -> Mapping[str, Any]:
    """The cards, those of armies that the computer will order marked so."""
    if not left:
        return cards
    due = {army for army, card in cards.items() if army in left and card.ready == THINKING}
    return {army: replace(card, ready=LEFT) if army in due else card for army, card in cards.items()}


def all_given(cards: Sequence[ArmyCard]) -> bool:
    """Whether the reader commands awaited armies and has ordered them all."""
    own = [card for card in cards if card.choices is not None and card.ready not in ("", LEFT)]
    return bool(own) and all(card.ready == "in" for card in own)


def awaited_in_words(names: Sequence[str]) -> Said:
    """Sentence about whom the battle waits for: these, else the GM."""
    return say(_("Waiting for {names}."), names=format_names(names)) if names else _("Waiting for the GM.")


def format_names(names: Sequence[str]) -> str:
    """ "A, B, C and 4 more"."""
    if len(names) <= NAMED_MOST + 1:
        return ", ".join(names)
    more = len(names) - NAMED_MOST
    told = ngettext("{names} and {more} more", "{names} and {more} more", more)
    return told.format(names=", ".join(names[:NAMED_MOST]), more=more)


def figures_now(battle: Battle, state: Any) -> Figures:
    """Figures of the armies to show: computed anew while the battle is open, the stored ones afterwards."""
    return play_battle_state.refold_figures(battle, state) if battle.open else play_battle_state.load_figures(battle)
