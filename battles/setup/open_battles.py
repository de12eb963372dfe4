"""Open battles as they stand for one reader: what they wait for, and whether it is the reader.

All of it is read from what lists keep of a battle: nothing is folded.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping
from typing import Any

from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.ruleset_ui import get_battle_ui
from battles.setup.queries import open_now, state_told
from kingdom.access.queries import get_role, is_gm, run_kingdom_ids
from kingdom.campaign import awaiting_counts
from kingdom.campaign.queries import load_board
from kingdom.models import Campaign, Kingdom, User
from rules.law import Stage

TAB = "battles"
SHIELDS = 3  # sides whose arms are shown


def battles_now(user: User, campaign: Campaign) -> Iterator[BattleAtHand]:
    """Every battle of the campaign that is not over, newest first. One query at most beside the campaign's board."""
    found = open_now(campaign) if get_role(user, campaign) is not None else []
    if not found:
        return
    board: Any = {str(kingdom.pk): kingdom for kingdom in load_board(campaign)}
    gm, own = is_gm(user, campaign), own_kingdoms(user, campaign)
    played = frozenset(map(str, awaiting_counts.read(campaign, TAB)["played"]))
    for battle in found:
        battle.campaign = campaign
        yield BattleAtHand(battle, gm, own, played, board)


def next_battle(user: User, campaign: Campaign) -> Battle | None:
    """Where the table goes on: a battle that waits for the reader, else any that is not over."""
    found = sorted(battles_now(user, campaign), key=lambda one: not one.yours)
    return found[0].battle if found else None


class BattleAtHand:
    """An open battle as a card tells it to one reader. `board`: the campaign's kingdoms by id."""

    def __init__(
        self,
        battle: Battle,
        gm: bool,
        own: Collection[str],
        played: Collection[str],
        board: Mapping[str, Kingdom],
    ):
        self.battle, self.gm, self.own, self.board = battle, gm, own, board
        self.state = state_told(battle)
        self.awaited = frozenset(self.state["awaited"])
        self.yours = is_awaited(self.awaited, own, gm=gm, played=played)
        self.turns = bool(get_battle_ui(play_battle_state.get_law(battle)).turn_template)

    @property
    def running(self) -> bool:
        return self.battle.status == Battle.Status.RUNNING

    @property
    def acts(self) -> bool:
        """Whether the reader has orders to give; otherwise the battle waits for nobody but its GM."""
        return self.yours and bool(self.awaited)

    @property
    def stage(self) -> Stage:
        phase = self.state["phase"]
        return play_battle_state.get_engine(self.battle).stage(phase["kind"], phase["number"])

    @property
    def waiting(self) -> list[Mapping[str, Any]]:
        """The armies that are awaited."""
        called = set(self.state["waiting"])
        return [army for side in self.state["sides"] for army in side["armies"] if army["army"] in called]

    @property
    def own_waiting(self) -> list[str]:
        """Those of the reader's own kingdoms among them, by name."""
        return [army["name"] for army in self.waiting if army["kingdom"] in self.own]

    @property
    def bearers(self) -> tuple[Kingdom | None, ...]:
        """For each side its first kingdom."""
        sides = [[army["kingdom"] for army in side["armies"]] for side in self.state["sides"][:SHIELDS]]
        return tuple(next((self.board[key] for key in side if key in self.board), None) for side in sides)


def is_awaited(awaited: Collection[str], own: Collection[str], *, gm: bool, played: Collection[str]) -> bool:
    """Whether a battle waits for this reader: for a player where an army of their kingdoms is awaited; for the GM
    where nobody is, or an army that no player commands.
    """
    if gm:
        return not awaited or not set(awaited).issubset(played)
    return not set(own).isdisjoint(awaited)


def own_kingdoms(user: User, campaign: Campaign) -> frozenset[str]:
    """The kingdoms a player runs; none for the GM, who is asked of those that no player runs."""
    if is_gm(user, campaign):
        return frozenset()
    return frozenset(map(str, run_kingdom_ids(user, campaign)))
