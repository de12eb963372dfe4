"""Services for orders to several armies: each a record of its own, all in one transaction, undone together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from battles.models import TOGETHER, Battle
from battles.play import battle_state as play_battle_state
from battles.play.errors import BattleMovedOn
from battles.play.record_services import Played, carry_out, notify, take
from battles.play.services import still_means_the_same
from battles.queries import get_viewer
from kingdom.access.decorators import unrestricted
from kingdom.models import User
from rules.core.errors import Refusal
from rules.core.text import Said
from rules.law import Viewer


@dataclass(frozen=True, slots=True)
class Ordered:
    """`played`: the last that was carried out, None where none could be. `refused`: by army, why it keeps its own."""

    played: Played | None
    given: tuple[str, ...]
    refused: Mapping[str, Said]


@unrestricted("Orders of one's own armies.")
@transaction.atomic
def order_together(*, by: User, battle_id: UUID | str, version: int, commands: Mapping[str, Any]) -> Ordered:
    """Give every army its command, on the version their sender saw. An army that may not keeps what it has.

    Raises `BattleMovedOn` unless each of them still means the same, `PermissionDenied` for one that is not theirs.
    """
    battle = take(by, battle_id)
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(by, battle, state)
    _refuse_what_is_not_his(battle, state, viewer, commands)
    if version != battle.version and not all(still_means_the_same(battle, version, c) for c in commands.values()):
        raise BattleMovedOn(battle.version)
    mark, given = {TOGETHER: battle.version}, []
    refused: dict[str, Said] = {}
    played: Played | None = None
    for army, command in commands.items():
        try:
            played = carry_out(battle, state, by=by, viewer=viewer, command=command, told=mark, quiet=True)
        except Refusal as refusal:
            refused[army] = refusal.message
        else:
            state = played.state
            given.append(army)
    if given:
        notify(battle)
    return Ordered(played, tuple(given), refused)


def _refuse_what_is_not_his(battle: Battle, state: Any, viewer: Viewer, commands: Mapping[str, Any]) -> None:
    engine = play_battle_state.get_engine(battle)
    for command in commands.values():
        if engine.settles(command) or not engine.allows(state, command, viewer):
            raise PermissionDenied
