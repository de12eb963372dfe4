"""A thousand battles of random orders, kept as the database keeps them: read and folded twice they are the same."""

from __future__ import annotations

import json

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from battles.codec import storage
from rules.pathfinder.battle.state.battle_state import Opening
from rules.registry import ruleset
from tests.faults.report import rounds, told
from tests.rules.pathfinder.strategies import openings, play

BATTLES = 1_000
LAW = ruleset("combat-de-masse").battle


@pytest.mark.slow
def test_a_thousand_battles_are_replayed_equal() -> None:
    keeper, figures = storage.get_keeper(LAW), {"battles": 0, "records": 0, "events": 0, "differing": 0}

    @settings(
        max_examples=rounds(BATTLES), database=None, deadline=None, phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )  # fmt: skip
    @given(openings(), st.integers(0, 2**32))
    def replayed(opening: Opening, seed: int) -> None:
        played = play(opening, seed)
        kept = json.dumps([keeper.dump_events(one.events) for one in played.told])
        folds = []
        for _time in range(2):
            state = played.opened
            for events in json.loads(kept):
                state = LAW.fold(state, keeper.load_events(events))
            folds.append(state)
        figures["battles"] += 1
        figures["records"] += len(played.told)
        figures["events"] += len(played.events)
        figures["differing"] += folds != [played.state, played.state]

    replayed()
    told("a thousand battles replayed", **figures)
    assert figures["battles"] >= rounds(BATTLES)
    assert figures["differing"] == 0
