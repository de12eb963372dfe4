"""Table of a battle: which army is picked, whom it waits for, where the work goes on."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import NamedTuple
from uuid import UUID

from django.utils.translation import ngettext

from battles.models import Battle
from battles.ruleset_ui import ArmyCard
from kingdom.models import Kingdom
from rules.core.text import Said, _, say
from rules.law import Stage, Summary

FORECAST, LOG, TOOLS = "forecast", "log", "tools"
BRUSH = "brush"  # what somebody does who changes the map
TOGETHER = "together"  # what somebody does who orders several armies at once
NAMED_MOST = 2
CRESTS_MOST, CRESTS_WITH_WORDS = 10, 4
SLIM_FROM, CROWDED_FROM = 4, 12  # armies
DONE_SHOWN = 4


def find_bearers(battle: Battle, summary: Summary) -> Mapping[str, Kingdom]:
    """Whose arms each army bears, and each side (by `make_side_key`) whose armies are of one kingdom."""
    asked = {UUID(army.kingdom) for army in summary.armies.values() if army.kingdom}
    rows = Kingdom.objects.filter(campaign=battle.campaign_id, pk__in=asked).order_by()
    known = {str(one.pk): one for one in rows} if asked else {}
    borne = {army.id: known[army.kingdom] for army in summary.armies.values() if army.kingdom in known}
    for index, side in enumerate(summary.sides):
        kingdoms = {summary.armies[army].kingdom for army in side.armies}
        if len(kingdoms) == 1 and kingdoms <= known.keys():
            borne[make_side_key(index)] = known[kingdoms.pop()]
    return borne


def make_side_key(side: int) -> str:
    return f"side-{side}"


def in_short(stages: Sequence[tuple[Stage, str]]) -> list[tuple[Stage, str, str]]:
    """The phases of a line that never grows long: the last of those done, and of several of a kind the numbers alone.

    Each with what stands for it, "" where its name does.
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
        """Where there is room for them."""
        return self.cards if len(self.cards) <= CRESTS_MOST else ()


def find_picked(cards: Sequence[ArmyCard], asked: str) -> ArmyCard | None:
    """The army asked for, else the first of the reader's own without orders, else the first of their own."""
    own = [card for card in cards if card.choices is not None]
    ranks = (
        [card for card in cards if card.id == asked],
        [card for card in own if waits(card)],
        [card for card in own if card.orderable],
        own,
    )
    return next((found[0] for found in ranks if found), None)


def find_next(cards: Sequence[ArmyCard], army: str) -> str:
    """The next army without orders, round the table; this one where all are given."""
    place = next((index for index, card in enumerate(cards) if card.id == army), 0)
    around = (*cards[place + 1 :], *cards[:place])
    return next((card.id for card in around if waits(card)), army)


class Around(NamedTuple):
    """The armies beside the picked one, by whoever goes through them: "" where there is no other."""

    previous: str = ""
    next: str = ""


def find_around(cards: Sequence[ArmyCard], picked: ArmyCard | None) -> Around:
    """Among those its reader can order, where there are any; round the table."""
    ids = [card.id for card in cards if card.orderable] or [card.id for card in cards]
    if picked is None or not ids:
        return Around(next=ids[0] if ids else "")
    if picked.id not in ids:
        return Around(ids[-1], ids[0])
    place = ids.index(picked.id)
    return Around(ids[place - 1], ids[(place + 1) % len(ids)]) if len(ids) > 1 else Around()


def waits(card: ArmyCard) -> bool:
    """Whether its reader has still to order it."""
    return card.orderable and card.ready == "thinking"


def all_given(cards: Sequence[ArmyCard]) -> bool:
    """Whether the reader commands somebody of whom orders are asked, and has given them all."""
    own = [card for card in cards if card.choices is not None and card.ready]
    return bool(own) and all(card.ready == "in" for card in own)


def awaited_in_words(names: Sequence[str]) -> Said:
    """Whom the table waits for: these, else the GM."""
    return say(_("Waiting for {names}."), names=format_names(names)) if names else _("Waiting for the GM.")


def format_names(names: Sequence[str]) -> str:
    """ "A, B, C and 4 more"."""
    if len(names) <= NAMED_MOST + 1:
        return ", ".join(names)
    more = len(names) - NAMED_MOST
    told = ngettext("{names} and {more} more", "{names} and {more} more", more)
    return told.format(names=", ".join(names[:NAMED_MOST]), more=more)
