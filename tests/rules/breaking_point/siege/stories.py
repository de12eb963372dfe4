"""Sieges written down once (`python -m tests.rules.breaking_point.siege.stories`) to be replayed exactly.

Who is in the place and who is before it stands here; what was done, with which dice, what came of it and in which
words, on file.
"""

from __future__ import annotations

import json
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any, NamedTuple

import django

from battles.codec import storage
from rules.breaking_point.siege.events import SiegeEvent, in_words
from rules.breaking_point.siege.siege_ends import surrender, terms
from rules.breaking_point.siege.siege_state import BROKEN, Siege, to_json
from rules.breaking_point.siege.week import week
from rules.core.dice import Dice, Pinned
from tests.rules.breaking_point.siege.sieges import FORTRESS, TRENCH, foot, general, guns, siege, undead

GOLDEN = Path(__file__).parent / "golden"


class Step(NamedTuple):
    after: Siege
    events: tuple[SiegeEvent, ...]


def a_week(now: Siege, dice: Dice) -> Step:
    gone = week(now, dice)
    return Step(gone.siege, tuple(gone.events))


def asked(now: Siege, dice: Dice) -> Step:
    heard = terms(now, dice)
    return Step(heard.siege, (heard.event,))


def given_up(now: Siege, dice: Dice) -> Step:
    after, event = surrender(now)
    return Step(after, (event,))


DEEDS: Mapping[str, Callable[[Siege, Dice], Step]] = {"week": a_week, "terms": asked, "surrender": given_up}


class Story(NamedTuple):
    begun: Callable[[], Siege]
    asks: tuple[int, ...]
    number: int


STORIES: Mapping[str, Story] = {
    "shot-and-starved": Story(
        lambda: siege((foot(300, 4), guns(6)), (foot(1500, 6), guns(20)), kind=TRENCH, garrison=300, led=general()),
        (), 11),
    "terms": Story(
        lambda: siege((foot(120, 6),), (foot(400, 6), guns(8)), garrison=100, led=general(diplomacy=1)),
        (1, 3, 5, 7), 5),
    "who-does-not-eat": Story(
        lambda: siege((undead(200), foot(60, 5)), (foot(900, 5),), kind=FORTRESS, garrison=200), (), 2),
}  # fmt: skip
LAST = 30


def deeds(story: Story, now: Siege) -> list[str]:
    """What is done next: a week, and terms after the weeks for which they are asked."""
    if now.status == BROKEN:
        return ["surrender"]
    return ["week", *(["terms"] if now.age + 1 in story.asks else [])]


def written(story: Story) -> str:
    now, records = story.begun(), []
    while now.running and len(records) < LAST:
        for deed in deeds(story, now):
            if not now.running:
                break
            after, events = DEEDS[deed](now, Pinned(f"{story.number:08x}{len(records):08x}"))
            rolls = [roll for event in events for roll in getattr(event, "rolls", ())]
            records.append({"deed": deed, "dice": storage.dump_dice(rolls), **told(after, events)})
            now = after
    return "[\n" + ",\n".join(json.dumps(record, ensure_ascii=False) for record in records) + "\n]\n"


def told(after: Siege, events: tuple[SiegeEvent, ...]) -> dict[str, Any]:
    """What came of it, as it stands on file."""
    return {
        "events": [{"is": type(event).__name__, **figures(event)} for event in events],
        "words": [str(in_words(event, "Ker")) for event in events],
        "after": to_json(after),
    }


def figures(event: SiegeEvent) -> dict[str, Any]:
    """Its own values; of a sum its lines."""
    return {name: _plain(value) for name, value in event._asdict().items() if name != "rolls"}


def _plain(value: Any) -> Any:
    lines = getattr(value, "lines", None)
    return value if lines is None else [[str(line.label), line.value] for line in lines] + [value.total]


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
    django.setup()
    for name, story in STORIES.items():
        (GOLDEN / f"siege-{name}.json").write_text(written(story))
