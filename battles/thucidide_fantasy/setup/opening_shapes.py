"""Opening of a battle of THUCIDIDE fantasy in the shape of the API."""

from __future__ import annotations

from typing import Annotated, NamedTuple

from rules.core.shapes import ArmyId, InApi, OneOf, Text, WholeNumber
from rules.thucidide_fantasy.battle.setup import CHOICES, LIMITS

UNSAID = "what the campaign says, unless given"


class ContingentSideAsked(NamedTuple):
    """A side. `leader`: the army whose commander is the general of the side."""

    name: Annotated[str, Text()]
    armies: tuple[ArmyId, ...] = ()
    leader: Annotated[
        ArmyId, InApi("the army whose commander is the side's general; the first of this rank, unless given")
    ] = ""


class ContingentOptionsAsked(NamedTuple):
    """What an opening says besides its sides and its map."""

    combat: Annotated[str | None, OneOf(CHOICES["combat"]), InApi(UNSAID)] = None
    supply: Annotated[str | None, OneOf(CHOICES["supply"]), InApi(UNSAID)] = None
    hindrance: Annotated[str | None, OneOf(CHOICES["hindrance"]), InApi(UNSAID)] = None
    flyers_beside: Annotated[str | None, OneOf(CHOICES["flyers_beside"]), InApi(UNSAID)] = None
    appeals: Annotated[str | None, OneOf(CHOICES["appeals"]), InApi(UNSAID)] = None
    victory_share: Annotated[str | None, OneOf(CHOICES["victory_share"]), InApi(UNSAID)] = None
    turn_limit: Annotated[int | None, WholeNumber(*LIMITS), InApi(UNSAID)] = None
