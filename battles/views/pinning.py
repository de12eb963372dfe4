"""The secret behind dice the server rolls while a table types the others: it stays in the session."""

from __future__ import annotations

from uuid import UUID

from battles.pinned import new_secret
from kingdom.request_types import PageRequest
from rules.pinned import Pinned

KEY = "dice"


def pinned(request: PageRequest, battle_id: UUID, version: int) -> Pinned:
    """The server's dice for this version of this battle: the same until something was decided with them."""
    kept = request.session.get(KEY, {})
    if kept.get("of") != [str(battle_id), version]:
        kept = {"of": [str(battle_id), version], "secret": new_secret()}
        request.session[KEY] = kept
    return Pinned(kept["secret"])


def forget_secret(request: PageRequest, battle_id: UUID) -> None:
    if request.session.get(KEY, {}).get("of", [""])[0] == str(battle_id):
        del request.session[KEY]
