"""Battles written down once (`python -m tests.rules.breaking_point.battle.stories`) to be replayed exactly.

A story is a battle drawn by its number and fought by random legal orders; what is on file counts, not how it came to
be.
"""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from pathlib import Path
from random import Random
from typing import Any

import django

from battles.codec import storage
from rules.breaking_point.battle.battle_law import Fights
from rules.breaking_point.spec import House
from rules.core.dice import Pinned
from rules.law import OMNISCIENT
from tests.rules.breaking_point.battle.random_fights import commands, drawn

GOLDEN = Path(__file__).parent / "golden"
KEEPER = storage.get_keeper(Fights())
STORIES: Mapping[str, int] = {"field": 1086, "three-sides": 1083, "fleet": 1138, "assault": 1064}
"""The number of each."""


def written(seed: int) -> str:
    """The story as JSON: one line a command, a die, an event."""
    law, opening = drawn(seed)
    rng, battle, records, turn = Random(seed), law.open(opening), [], 0
    while battle.result is None:
        for command in commands(law, battle, rng):
            turn += 1
            events = law.decide(battle, command, Pinned(f"{seed:08x}{turn:08x}"), OMNISCIENT)
            battle = law.fold(battle, events)
            records.append({
                "command": KEEPER.dump_command(command),
                "dice": storage.dump_dice([roll for event in events for roll in rolls_of(event)]),
                "events": KEEPER.dump_events(events),
                "log": [str(law.describe(battle, event).text) for event in events],
            })  # fmt: skip
    told = {"plain_die": law.house.plain_die, "surprise_for_battle": law.house.surprise_for_battle,
            "opening": KEEPER.dump_opening(opening)}  # fmt: skip
    head = "".join(f"{json.dumps(key)}: {_line(value)},\n" for key, value in told.items())
    return "{" + head + '"records": [\n' + ",\n".join(_line(record) for record in records) + "\n]}\n"


def _line(value: Any) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def rolls_of(event: Any) -> list[Any]:
    own = list(getattr(event, "rolls", ()))
    return own + [roll for other in getattr(event, "opposed", ()) for roll in other.rolls]


def replay(text: str) -> tuple[Fights, Any, list[tuple[Any, ...]]]:
    """The law and the opening of a written story, and its records as (command, dice, events, log)."""
    told = json.loads(text)
    records = [
        (KEEPER.load_command(r["command"]), storage.load_dice(r["dice"]), KEEPER.load_events(r["events"]), r["log"])
        for r in told["records"]
    ]
    house = House(plain_die=told["plain_die"], surprise_for_battle=told["surprise_for_battle"])
    return Fights(house), KEEPER.load_opening(told["opening"]), records


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings_test")
    django.setup()
    for name, number in STORIES.items():
        (GOLDEN / f"{name}.json").write_text(written(number))
