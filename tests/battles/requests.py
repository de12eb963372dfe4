"""Requests to a battle in the shape of the API, without the API."""

from __future__ import annotations

from typing import Any

from battles.codec.requests import parse_request
from battles.models import Battle
from battles.play.services import play
from kingdom.models import User


def play_request(by: User, battle: Battle, data: dict[str, Any]) -> Any:
    command, dice = parse_request(data, battle)
    return play(by=by, battle_id=battle.pk, version=battle.version, command=command, **dice)
