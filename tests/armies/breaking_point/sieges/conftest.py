"""A table with a place under its walls: the crown holds Ker with its guard, the horde stands before it."""

from __future__ import annotations

from types import SimpleNamespace

from armies.breaking_point.models import SiegeRow
from armies.breaking_point.sieges.services import begin_siege
from tests.armies.breaking_point.sieges.tables import under_walls
from tests.kingdom.conftest import make_user
from tests.worlds import built_once


@built_once
def walls(db) -> SimpleNamespace:
    people = SimpleNamespace(**{name: make_user(name) for name in ("gm", "ana", "bo", "viewer")})
    found = under_walls(people)
    found.stranger = make_user("stranger")
    return found


@built_once
def laid(walls) -> SiegeRow:
    """The horde besieges Ker since day 0."""
    return begin_siege(by=walls.bo, place=walls.ker, armies=[walls.host])
