"""Examples of wing command in the API's document: a story from the campaign to the first pass."""

from __future__ import annotations

from core.api.document_parts import (
    BATTLE,
    CAMPAIGN,
    CROWN,
    HORDE,
    RAIDERS,
    SIDES,
    WATCH,
    YSOLDE,
    DocumentPart,
    Example,
    begin_story,
    command,
)

FIELD = {"columns": 12, "rows": 12, "kind": "plain", "seed": "oak"}
INITIATIVE = [
    {"army": WATCH, "roll": "initiative", "values": [6]},
    {"army": RAIDERS, "roll": "initiative", "values": [1]},
]
RIDERS = [{"type": "riders", "melee": 1}]
STORY = [
    *begin_story("wing-command", "Wing command"),
    Example("commanders_create", "Wing command", {"kingdom": CROWN, "name": "Ysolde", "ability": "B"}, makes=YSOLDE),
    Example(
        "armies_create", "Wing command",
        {"kingdom": CROWN, "name": "Left wing", "troops": RIDERS, "order": "attack", "commander": YSOLDE,
         "characters": [{"name": "Mira", "kind": "mage", "art": "fire", "level": 4}]},
        makes=WATCH,
    ),
    Example("armies_create", "", {"kingdom": HORDE, "name": "Raiders", "troops": RIDERS}, makes=RAIDERS),
    Example(
        "battles_create", "Wing command",
        {"campaign": CAMPAIGN, "name": "The raid", "map": FIELD, "turn_limit": 10, "sides": SIDES}, makes=BATTLE,
    ),
    command("Wing command: line up", type="line_up", wings=[WATCH, RAIDERS]),
    command("Battles on hexes: start", type="start"),
    # The dice are typed: the side that wins them acts first, and the example goes on with it.
    command("Wing command: initiative", type="roll_initiative", dice=INITIATIVE),
    command("Wing command: pass", type="pass", side=0),
]  # fmt: skip
IN_DOCUMENT = DocumentPart(examples=STORY)
