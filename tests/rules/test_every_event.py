"""Every kind of event a law has is folded, told in words, and either masked for who may not know all of it or open.

What is kept by type in a dict no checker completes: these tests do.
"""

from __future__ import annotations

from typing import Any, get_args

import pytest

from rules.breaking_point.battle.secrecy import MASKS, VEILS
from rules.breaking_point.battle.state import events as points
from rules.breaking_point.battle.state import fold
from rules.breaking_point.battle.telling import narrate as _told_of_points  # noqa: F401 its sentences
from rules.breaking_point.battle.telling import sentences as of_points
from rules.law import Closed, ThrownAnew
from rules.pathfinder.battle import secrecy as pathfinder
from rules.pathfinder.battle.state import draft
from rules.pathfinder.battle.state import events as masses
from rules.pathfinder.battle.state import fold as _folded  # noqa: F401 its handlers
from rules.pathfinder.battle.telling import narrate as _told_of_masses  # noqa: F401 its sentences
from rules.pathfinder.battle.telling import sentences as of_masses

OF_MASSES: set[Any] = set(get_args(masses.Event.__value__))
OF_POINTS: set[Any] = set(get_args(points.Event.__value__))
OPEN_MASSES = {
    "ArmyJoined", "AttackLost", "BattleClosed", "BattleEnded", "BattleReopened", "ConditionLifted",
    "ConditionSet", "DistanceKept", "FortWorn", "Interrupted", "LastStand", "Left", "Marked", "OrderGiven",
    "PhaseBegan", "PhaseEnded", "RolledAnew", "ShapeEnded", "ShapeTaken", "Spawned", "TargetChosen", "Unmarked", "Used",
    "WithdrawalDecided",
}  # fmt: skip
OPEN_POINTS = {
    "BattleEnded", "Broke", "Closed", "DistanceChanged", "InitiativeSettled", "PhaseBegan", "PhaseEnded",
    "ReserveCommitted", "Rests", "SideWithdrawn", "SurpriseEnded", "ThrownAnew", "WithdrawalDeclared",
}  # fmt: skip
FIGURES = {"lines", "foe_lines", "power_lines", "damage_lines", "om", "dv", "hp_after"}


def test_every_event_is_folded() -> None:
    assert set(draft.APPLY) == OF_MASSES
    assert set(fold.APPLY) == OF_POINTS


def test_every_event_is_told() -> None:
    assert set(of_masses.TELL) == OF_MASSES
    assert set(of_points.TELL) == OF_POINTS - {Closed, ThrownAnew}  # by `BattleLaw.describe`


@pytest.mark.parametrize(
    "events, masked, told",
    [(OF_MASSES, pathfinder.MASKS, OPEN_MASSES), (OF_POINTS, MASKS, OPEN_POINTS)],
    ids=["combat-de-masse", "breaking-point"],
)
def test_every_event_is_masked_or_open_to_everybody(events: set[Any], masked: Any, told: set[str]) -> None:
    """A new one has to be thought of: who may know what of it?"""
    assert {kind.__name__ for kind in events - set(masked)} == told
    assert set(masked) <= events
    for kind in events - set(masked):
        assert not FIGURES & set(kind._fields), kind


def test_a_veil_is_laid_on_events_of_the_law_alone() -> None:
    assert set(VEILS) <= OF_POINTS
