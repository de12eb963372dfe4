"""Golden sieges: weeks, bombardment, hunger and terms, replayed exactly from their files."""

from __future__ import annotations

import json

import pytest

from battles.codec import storage
from rules.breaking_point.siege.siege_state import with_state
from rules.core.dice import Replayed
from tests.rules.breaking_point.siege.stories import DEEDS, GOLDEN, STORIES, told

WORTH = {
    "shot-and-starved": {"Bombarded", "WeekCounted", "Starved", "GarrisonBroke", "Surrendered"},
    "terms": {"Bombarded", "WeekCounted", "TermsHeard"},
    "who-does-not-eat": {"WeekCounted", "Starved"},
}


def on_file(name: str) -> list[dict]:
    return json.loads((GOLDEN / f"siege-{name}.json").read_text())


@pytest.mark.parametrize("name", STORIES)
def test_a_written_siege_replays_event_by_event(name: str) -> None:
    """From the dice on file alone: the same facts with the same sums, in the same words, to the same state."""
    now = STORIES[name].begun()
    for record in on_file(name):
        after, events = DEEDS[record["deed"]](now, Replayed(storage.load_dice(record["dice"])))
        assert json.loads(json.dumps(told(after, events))) == {
            part: record[part] for part in ("events", "words", "after")
        }
        assert with_state(STORIES[name].begun(), record["after"]) == after
        now = after


@pytest.mark.parametrize("name", STORIES)
def test_a_story_of_a_siege_holds_what_it_is_kept_for(name: str) -> None:
    assert {event["is"] for record in on_file(name) for event in record["events"]} >= WORTH[name]


def test_terms_are_refused_before_they_are_taken() -> None:
    heard = [event["outcome"] for record in on_file("terms") for event in record["events"] if "outcome" in event]
    assert heard[0] == "refused"
    assert heard[-1] in ("honours", "unconditional")
