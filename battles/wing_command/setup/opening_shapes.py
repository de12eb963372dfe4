"""Opening of a battle of wing command in the shape of the API."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from rules.core.shapes import ArmyId, InApi, OneOf, Text, WholeNumber
from rules.wing_command.battle.setup.setup_commands import COMBATS, LIMITS, SHARES

UNSAID = "what the campaign says, unless given"


class HostAsked(NamedTuple):
    """A side: up to six armies, each a wing. `leader`: the army whose commander leads the whole side."""

    name: Annotated[str, Text()]
    armies: tuple[ArmyId, ...] = ()
    leader: Annotated[
        ArmyId, InApi("the army whose commander leads the side; the best command ability, unless given")
    ] = ""


class OptionsAsked(NamedTuple):
    """What an opening says besides its sides and its map."""

    combat: Annotated[str | None, OneOf(COMBATS), InApi(UNSAID)] = None
    orders_to_characters: Annotated[bool | None, InApi(UNSAID)] = None
    turn_limit: Annotated[int | None, WholeNumber(*LIMITS), InApi(UNSAID)] = None
    break_share: Annotated[int | None, WholeNumber(*SHARES), InApi(UNSAID)] = None
