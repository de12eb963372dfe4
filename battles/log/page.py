"""Page object of a battle's log: a part of it, one line with its sums, or the luck of the dice."""

from __future__ import annotations

from dataclasses import dataclass
from uuid import UUID

from battles.log.parts import Told
from battles.models import Battle
from battles.play import state as play_state
from battles.queries import battle_for, viewer_of, viewer_through
from battles.ruleset_ui import BattleUI, face_of
from kingdom.models import Campaign, User


@dataclass(frozen=True)
class LogPage:
    battle: Battle
    campaign: Campaign
    face: BattleUI
    told: Told


def log_page(user: User, battle_id: UUID, side: int | None) -> LogPage:
    """The log as this user may read it, or through the eyes of a side. Raises Http404, or `PermissionDenied`."""
    battle = battle_for(user, battle_id)
    now = play_state.state_of(battle)
    viewer = viewer_of(user, battle, now)
    if side is not None and side >= len(play_state.summary_of(battle, now).sides):
        side = None
    if side is not None:
        viewer = viewer_through(viewer, battle, now, side)
    position = play_state.seen(battle, now, viewer)
    told = Told(battle, position.state, position.summary, viewer, side)
    return LogPage(battle, battle.campaign, face_of(play_state.law_of(battle)), told)
