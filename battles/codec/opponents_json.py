"""Opponents (who commands which side) in the shape of the API."""

from __future__ import annotations

from typing import Any

from battles.codec.members import Members
from battles.opponents.queries import NOT_HERE, check_leaning
from rules.core.errors import demand
from rules.core.text import _
from rules.law import Law


def heads_from_json(data: object, law: Law, sides: int) -> dict[str, Any]:
    """Of a battle that is opened, the sides the engine commands as they are kept. Raises `InvalidInput`."""
    if data is None:
        return {}
    demand(isinstance(data, list), _("Give a list."), field="/opponents")
    assert isinstance(data, list)
    demand(not data or law.battle.forecast.commands, NOT_HERE, field="/opponents")
    return dict(_head(item, f"/opponents/{index}", sides) for index, item in enumerate(data))


def _head(item: object, at: str, sides: int) -> tuple[str, dict[str, Any]]:
    members = Members(item, at)
    side, leaning, left = members.whole("side", 0, sides - 1), members.slug("leaning"), members.flag("left")
    check_leaning(leaning, f"{at}/leaning")
    members.done()
    return str(side), {"leaning": leaning, "left": left}
