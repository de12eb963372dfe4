"""Services that play a battle: the single entry point for commands of its page and of the API."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Unpack
from uuid import UUID

from django.core.exceptions import PermissionDenied
from django.db import transaction

from armies.forces.row_locks import lock_armies
from armies.ruleset_ui import get_army_ui
from battles.aftermath.services import AftermathProposal, confirm_aftermath, propose_aftermath, roll_anew
from battles.codec.requests import (
    AskAftermath,
    AskForward,
    AskReinforce,
    AskUndo,
    SentCommand,
    TableDice,
    parse_request,
)
from battles.models import TOGETHER, Battle
from battles.opponents.services import give_what_is_left
from battles.play import battle_state as play_battle_state
from battles.play.errors import BattleMovedOn, UnknownArmy
from battles.play.event_log import commands_since
from battles.play.forward_services import forward, pass_empty_phases
from battles.play.record_services import Played, carry_out, notify, refuse_stale, take
from battles.play.undo_services import undo
from battles.queries import get_viewer
from battles.setup.other_laws import build_document
from battles.setup.services import refuse_busy
from core.clean_input import parse_uuid
from kingdom.access.decorators import gm_only, unrestricted
from kingdom.models import User
from rules.core.errors import Refusal, refuse
from rules.core.text import Said, _
from rules.law import Viewer


@unrestricted("Orders of one's own armies; the rest of a battle is the GM's.")
def play(
    *,
    by: User,
    battle_id: UUID | str,
    version: int,
    command: Any,
    patient: bool = False,
    **dice: Unpack[TableDice],
) -> Played | AftermathProposal:
    """Carry out a request (`battles.codec.requests`, or a command of the law) on the version that its sender saw.

    `patient`: an order still counts if the law says that later commands leave its meaning unchanged. An unconfirmed
    aftermath returns its proposal.
    """
    seen: dict[str, Any] = {"by": by, "battle_id": battle_id, "version": version}
    match command:
        case AskUndo(to):
            return undo(**seen, to=to)
        case AskForward():
            return forward(**seen, **dice)
        case AskReinforce(army, side):
            return reinforce(**seen, army_id=army, side=side)
        case AskAftermath():
            return _settle(seen, command, dice)
    return _command(**seen, command=command, patient=patient, **dice)


@transaction.atomic
def _command(
    *, by: User, battle_id: UUID | str, version: int, command: Any, patient: bool, **dice: Unpack[TableDice]
) -> Played:
    """Give a command of the law. If it resolves orders, the engine first gives those of its sides."""
    battle = take(by, battle_id)
    if isinstance(command, SentCommand):
        command, dice = parse_request(command.data, battle)
    engine = play_battle_state.get_engine(battle)
    if engine.settles(command):
        refuse(_("The battle is over: settle it in its aftermath."))
    state = play_battle_state.load_state(battle)
    viewer = get_viewer(by, battle, state)
    if not engine.allows(state, command, viewer):
        raise PermissionDenied
    if not (patient and still_means_the_same(battle, version, command)):
        refuse_stale(battle, version)
    mark: Mapping[str, Any] | None = None
    if viewer.gm and engine.forecast.carries_out(command):
        state, mark = give_what_is_left(battle, state, by=by, viewer=viewer)
    played = carry_out(battle, state, by=by, viewer=viewer, command=command, told=mark, **dice)
    return pass_empty_phases(played, state, by=by, viewer=viewer, dice=dice)


def still_means_the_same(battle: Battle, version: int, command: Any) -> bool:
    """Whether the version is older, but the commands since leave this command's meaning unchanged."""
    since = commands_since(battle, version)
    return bool(since) and play_battle_state.get_engine(battle).bears(command, since)


@gm_only
@transaction.atomic
def reinforce(*, by: User, battle_id: UUID | str, version: int, army_id: str, side: int) -> Played:
    """Add an army of the campaign to a side between phases (GM), with its current sheet."""
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


@transaction.atomic
def _settle(seen: dict[str, Any], asked: AskAftermath, dice: TableDice) -> Played | AftermathProposal:
    """Propose or confirm an aftermath. If asked, its dice are first rolled again, in the same transaction."""
    thrown = roll_anew(**seen) if asked.reroll else None
    if thrown:
        seen = {**seen, "version": thrown.battle.version}
    given: dict[str, Any] = {"choices": asked.choices, **dice}
    if asked.confirm:
        return confirm_aftermath(**seen, **given)
    return replace(propose_aftermath(**seen, **given), thrown=thrown)


# Services for orders to several armies: each a record of its own, all in one transaction, undone together.


@dataclass(frozen=True, slots=True)
class Ordered:
    """Result of orders to several armies. `played` is the last one carried out, None if none was. `refused` says by
    army why it keeps its own.
    """

    played: Played | None
    given: tuple[str, ...]
    refused: Mapping[str, Said]


@unrestricted("Orders of one's own armies.")
@transaction.atomic
def order_together(*, by: User, battle_id: UUID | str, version: int, commands: Mapping[str, Any]) -> Ordered:
    """Give every army its command, on the version the sender saw. An army whose command is refused keeps its order.

    Raises `BattleMovedOn` unless each command still means the same, `PermissionDenied` for an army that is not theirs.
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
