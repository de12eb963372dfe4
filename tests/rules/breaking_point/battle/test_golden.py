"""Golden battles: in the field, of three sides, of fleets, for a place; replayed exactly from their files."""

from __future__ import annotations

import json

import pytest

from rules.core.dice import Replayed
from rules.law import OMNISCIENT
from tests.rules.breaking_point.battle.stories import GOLDEN, KEEPER, STORIES, replay

WORTH = {
    "field": {"Attacked", "Broke", "Rallied", "Rests", "ReserveCommitted"},
    "three-sides": {"Attacked", "Broke", "Heartened", "WithdrawalTested"},
    "fleet": {"Attacked", "Broke", "DistanceChanged", "WithdrawalTested", "Rests"},
    "assault": {"Attacked", "Broke", "ShelterLost", "Rallied"},
}


@pytest.mark.parametrize("name", STORIES)
def test_a_written_battle_replays_event_by_event(name: str) -> None:
    """From the opening, the commands and the dice on file alone: the same events, told in the same words."""
    law, opening, records = replay((GOLDEN / f"{name}.json").read_text())
    battle = law.open(opening)
    for command, dice, events, log in records:
        assert law.decide(battle, command, Replayed(dice), OMNISCIENT) == events
        battle = law.fold(battle, events)
        assert [str(law.describe(battle, event).text) for event in events] == log
        frozen = KEEPER.load_frozen(json.loads(json.dumps(KEEPER.dump_frozen(law.freeze(battle)))))
        assert law.thaw(opening, frozen) == battle
    assert battle.phase.kind == "aftermath"


@pytest.mark.parametrize("name", STORIES)
def test_a_story_holds_what_it_is_kept_for(name: str) -> None:
    told = json.loads((GOLDEN / f"{name}.json").read_text())
    happened = {event["is"] for record in told["records"] for event in record["events"]}
    assert happened >= WORTH[name]
