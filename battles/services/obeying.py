"""A request of the API (or of a form in its shape), carried out by the service that knows how."""

from __future__ import annotations

from typing import Any
from uuid import UUID

from battles.codec.commands import AskAftermath, AskReinforce, AskUndo, Request
from battles.services.aftermath import Proposal, confirm_aftermath, propose_aftermath
from battles.services.playing import Played, play, reinforce
from battles.services.undoing import undo
from kingdom.models import User


def obey(*, by: User, battle_id: UUID | str, version: int, request: Request) -> Played | Proposal:
    """What was asked for, done; an aftermath not yet confirmed is answered with its proposal."""
    seen: dict[str, Any] = {"by": by, "battle_id": battle_id, "version": version}
    match request.asked:
        case AskUndo():
            return undo(**seen)
        case AskReinforce(army, side):
            return reinforce(**seen, army_id=army, side=side)
        case AskAftermath(confirm, choices):
            settle = confirm_aftermath if confirm else propose_aftermath
            return settle(**seen, choices=choices, typed=request.typed, ask=request.ask)
        case command:
            return play(**seen, command=command, typed=request.typed, ask=request.ask)
