"""Page object of a battle's log: a part of it, one line with its sums, or the luck of the dice."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from battles.log.parts import Told
from battles.models import Battle
from battles.play import battle_state as play_battle_state
from battles.queries import get_battle_for, get_viewer, viewer_through
from battles.ruleset_ui import BattleUI, get_battle_ui
from kingdom.models import Campaign, User


@dataclass(frozen=True)
class LogPage:
    battle: Battle
    campaign: Campaign
    ui: BattleUI
    told: Told


def log_page(user: User, battle_id: UUID, side: int | None) -> LogPage:
    """The log as this user may read it, or through the eyes of a side. Raises Http404, or `PermissionDenied`."""
    battle = get_battle_for(user, battle_id)
    now = play_battle_state.load_state(battle)
    viewer = get_viewer(user, battle, now)
    if side is not None and side >= len(play_battle_state.summarize(battle, now).sides):
        side = None
    if side is not None:
        viewer = viewer_through(viewer, battle, now, side)
    position = play_battle_state.view_state(battle, now, viewer)
    told = Told(battle, position.state, position.summary, viewer, side)
    return LogPage(battle, battle.campaign, get_battle_ui(play_battle_state.get_law(battle)), told)
