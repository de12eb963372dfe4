"""Personal data of battles: what a person commanded, for the document about them."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from battles.models import BattleRecord
from kingdom.accounts import personal_data
from kingdom.models import User


def commands(user: User) -> Iterator[dict[str, Any]]:
    records = BattleRecord.objects.filter(by=user).select_related("battle").order_by("id")
    for record in records.only("command", "at", "undone", "battle__name", "battle__campaign").iterator():
        told = {"campaign": record.battle.campaign_id, "battle": record.battle_id, "name": record.battle.name}
        yield {**told, "at": record.at, "undone": record.undone, "command": record.command}


def register() -> None:
    personal_data.register("commands", commands)
