"""How long marks last and what becomes of several, as the events of today say it: judged here, never by who folds."""

from __future__ import annotations

from rules.pathfinder.battle.state.events import SaidAgain
from rules.pathfinder.battle.state.evolve import unsaid_again
from rules.pathfinder.catalogue.marks import MARKS

OUTLASTING = tuple(slug for slug, mark in MARKS.items() if mark.outlasts or mark.stays)
ENDS_GIVEN = tuple(slug for slug, mark in MARKS.items() if mark.ends_with == "giver")
ENDS_BORNE = tuple(slug for slug, mark in MARKS.items() if mark.ends_with == "bearer")
_SAID: dict[str, SaidAgain] = {slug: mark.again for slug, mark in MARKS.items() if mark.again != unsaid_again(slug)}


def said_again(kind: str) -> SaidAgain:
    """What becomes of a mark beside another of its kind, where that does not go without saying."""
    return _SAID.get(kind, "")
