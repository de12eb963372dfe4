"""Page object of the sides that the computer plays, for the GM: their settings, and the orders it proposes."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.urls import reverse

from battles.forecast.single_flight import Unanswered
from battles.models import Battle
from battles.opponents.queries import (
    NOT_HERE,
    SideHead,
    counsel,
    is_over,
    list_engine_sides,
    list_leanings,
    list_sides,
    proposes,
)
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer
from kingdom.models import Campaign, User
from rules.core.errors import require
from rules.core.text import Said
from rules.odds.opponents import LEANINGS


@dataclass(frozen=True, slots=True)
class Advised:
    """An order that the computer proposes for an army, and why."""

    army: str
    name: str
    why: Said


@dataclass(frozen=True, slots=True)
class CounselShown:
    """Orders that the computer proposes for a side. `orders` is None while they are being calculated."""

    battle: Battle
    head: SideHead
    leaning: Said
    orders: tuple[Advised, ...] | None

    @property
    def by_turns(self) -> bool:
        """Whether sides act in turn, command by command."""
        return bool(play_battle_state.get_engine(self.battle).forecast.by_turns)

    @property
    def url(self) -> str:
        return f"{reverse('battles:opponents', args=[self.battle.pk])}?side={self.head.side}"


@dataclass(frozen=True, slots=True)
class OpponentsPage:
    battle: Battle
    campaign: Campaign
    heads: tuple[SideHead, ...]
    shown: tuple[CounselShown, ...]
    over: bool
    by_turns: bool = False
    """Whether the computer plays a side command by command."""

    @property
    def offered(self) -> tuple[tuple[str, Said, Said], ...]:
        return list_leanings(play_battle_state.get_engine(self.battle))


def build_opponents_page(user: User, battle_id: UUID | str, side: int | None = None) -> OpponentsPage:
    """The page for the GM: every side, or one with its proposals. Raises `Http404`, `PermissionDenied`,
    `IllegalCommand` where the ruleset has no computer player.
    """
    battle = get_battle_for(user, battle_id)
    state = play_battle_state.load_state(battle)
    if not get_viewer(user, battle, state).gm:
        raise PermissionDenied
    require(play_battle_state.get_engine(battle).forecast.commands, NOT_HERE)
    heads = list_sides(battle, state)
    by_turns = play_battle_state.get_engine(battle).forecast.by_turns
    asked = [head for head in list_engine_sides(battle, state) if side in (None, head.side)]
    wanted = [head for head in asked if proposes(head, by_turns=by_turns)]
    over = is_over(battle, state)
    shown = () if over else tuple(_counsel(battle, state, head) for head in wanted)
    return OpponentsPage(battle, battle.campaign, heads, shown, over, by_turns)


def _counsel(battle: Battle, state: object, head: SideHead) -> CounselShown:
    try:
        found = counsel(battle, state, [head])
    except Unanswered:
        found = None
    armies = play_battle_state.summarize(battle, state).armies
    orders = (
        None
        if found is None
        else tuple(Advised(proposal.army, armies[proposal.army].name, proposal.why) for proposal in found[head.side])
    )
    return CounselShown(battle, head, LEANINGS[head.leaning], orders)  # type: ignore[index]
