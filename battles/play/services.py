"""Services that play a command: one entrance for pages, API and tests."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Unpack
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from armies.forces.row_locks import lock_armies
from armies.ruleset_ui import get_army_ui
from battles.models import Battle
from battles.opponents.services import give_what_is_left
from battles.play import battle_state as play_battle_state
from battles.play.commands_since import commands_since
from battles.play.decision_services import Played, carry_out
from battles.play.errors import UnknownArmy
from battles.play.record_services import TableDice, refuse_stale, take
from battles.queries import get_viewer
from battles.setup.other_laws import build_document
from battles.setup.services import refuse_busy
from core.clean_input import parse_uuid
from kingdom.access.decorators import gm_only, internal, unrestricted
from kingdom.models import User
from rules.core.errors import refuse
from rules.core.text import _


@unrestricted("Orders of one's own armies; the rest of a battle is the GM's.")
@transaction.atomic
def play(
    *,
    by: User,
    battle_id: UUID | str,
    version: int,
    command: Any,
    patient: bool = False,
    **dice: Unpack[TableDice],
) -> Played:
    """Carry out a command on the version its sender saw.

    `patient`: it still counts when the law says that what came in between leaves its meaning alone.
    """
    return play_in_hand(take(by, battle_id), by=by, version=version, command=command, patient=patient, **dice)


@internal
def play_in_hand(
    battle: Battle,
    *,
    by: User,
    version: int,
    command: Any,
    patient: bool = False,
    **dice: Unpack[TableDice],
) -> Played:
    """The same where the battle is locked and they are a member of its campaign."""
    engine = play_battle_state.get_engine(battle)
    if engine.settles(command):
        refuse(_("What comes after a battle is settled with its aftermath."))
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(by, battle, state)
    if not engine.allows(state, command, viewer):
        raise PermissionDenied
    if not (patient and still_means_the_same(battle, version, command)):
        refuse_stale(battle, version)
    mark: Mapping[str, Any] | None = None
    if viewer.gm and engine.forecast.carries_out(command):
        state, mark = give_what_is_left(battle, state, by=by, viewer=viewer)
    return carry_out(battle, state, by=by, viewer=viewer, command=command, told=mark, **dice)


def still_means_the_same(battle: Battle, version: int, command: Any) -> bool:
    """Whether the version is older, but what came since leaves the command its meaning."""
    since = commands_since(battle, version)
    return bool(since) and play_battle_state.get_engine(battle).bears(command, since)


@gm_only
@transaction.atomic
def reinforce(*, by: User, battle_id: UUID | str, version: int, army_id: str, side: int) -> Played:
    """An army of the campaign joins a side between phases (GM). Its sheet is taken as it is now."""
    battle = take(by, battle_id)
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(by, battle, state)
    if not viewer.gm:
        raise PermissionDenied
    refuse_stale(battle, version)
    key = parse_uuid(army_id)
    army = lock_armies([key], get_army_ui(battle.campaign).army).get(key) if key else None
    if army is None or army.campaign_id != battle.campaign_id:
        raise UnknownArmy("/army")
    if str(key) not in play_battle_state.summarize(battle, state).armies:
        refuse_busy(army, "/army")
    law = play_battle_state.get_law(battle)
    command = law.battle.reinforcement(build_document(law, army, "/army"), side)
    return carry_out(battle, state, by=by, viewer=viewer, command=command)
