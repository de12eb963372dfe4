"""Services that carry out a request of the API (or of a form in its shape)."""

from __future__ import annotations

from dataclasses import replace
from typing import Any
from uuid import UUID

from django.db import transaction

from battles.aftermath.services import AftermathProposal, confirm_aftermath, propose_aftermath, roll_anew
from battles.codec.requests import AskAftermath, AskReinforce, AskUndo, Request, is_of_the_frame, parse_request
from battles.play.record_services import take
from battles.play.services import Played, play, play_in_hand, reinforce
from battles.play.undo_services import undo
from battles.queries import get_battle_for
from kingdom.access.decorators import unrestricted
from kingdom.models import User
from rules.core.dice import Dice


@unrestricted("Orders of one's own armies; the rest of a battle is the GM's.")
def run_request(
    *,
    by: User,
    battle_id: UUID | str,
    version: int,
    request: Request,
    patient: bool = False,
    server: Dice | None = None,
) -> Played | AftermathProposal:
    """What was asked for, done; an aftermath not yet confirmed is answered with its proposal.

    `patient` and `server` as for `play`.
    """
    seen: dict[str, Any] = {"by": by, "battle_id": battle_id, "version": version}
    match request.asked:
        case AskUndo():
            return undo(**seen)
        case AskReinforce(army, side):
            return reinforce(**seen, army_id=army, side=side)
        case AskAftermath() as asked:
            return _settle(seen, asked, request)
        case command:
            return play(**seen, command=command, patient=patient, typed=request.typed, ask=request.ask, server=server)


@unrestricted("Orders of one's own armies; the rest of a battle is the GM's.")
@transaction.atomic
def run_json_request(*, by: User, battle_id: UUID | str, version: int, data: object) -> Played | AftermathProposal:
    """What was asked for in the shape of the API, done. A command of the law is read once the battle is in hand, which
    saves reading it before; what the frame itself is asked for locks more than the battle, and in its own order.
    """
    if is_of_the_frame(data):
        request = parse_request(data, get_battle_for(by, battle_id))
        return run_request(by=by, battle_id=battle_id, version=version, request=request)
    battle = take(by, battle_id)
    request = parse_request(data, battle)
    command, typed, ask = request.asked, request.typed, request.ask
    return play_in_hand(battle, by=by, version=version, command=command, typed=typed, ask=ask)


@transaction.atomic
def _settle(seen: dict[str, Any], asked: AskAftermath, request: Request) -> Played | AftermathProposal:
    """Proposed or confirmed; its dice thrown again first where that was asked for, or nothing is done at all."""
    thrown = roll_anew(**seen) if asked.reroll else None
    if thrown:
        seen = {**seen, "version": thrown.battle.version}
    given: dict[str, Any] = {"choices": asked.choices, "typed": request.typed, "ask": request.ask}
    if asked.confirm:
        return confirm_aftermath(**seen, **given)
    return replace(propose_aftermath(**seen, **given), thrown=thrown)
