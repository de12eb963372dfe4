"""Examples of THUCIDIDE fantasy in the API's document: a story from the campaign to the end of a phase."""

from __future__ import annotations

from core.api.document_parts import (
    BATTLE,
    CAMPAIGN,
    CROWN,
    GRUK,
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

STORY = [
    *begin_story("thucidide-fantasy", "THUCIDIDE fantasy"),
    Example(
        "commanders_create", "THUCIDIDE fantasy", {"kingdom": CROWN, "name": "Ysolde", "level": "great"}, makes=YSOLDE,
    ),
    Example("commanders_create", "", {"kingdom": HORDE, "name": "Gruk"}, makes=GRUK),
    Example(
        "armies_create", "THUCIDIDE fantasy",
        {"kingdom": CROWN, "name": "Host of the north", "commander": YSOLDE,
         "units": [{"type": "foot-heavy", "experience": "elite"}]},
        makes=WATCH,
    ),
    Example(
        "armies_create", "",
        {"kingdom": HORDE, "name": "Raiders", "commander": GRUK, "units": [{"type": "recruits"}]}, makes=RAIDERS,
    ),
    Example(
        "battles_create", "THUCIDIDE fantasy",
        {"campaign": CAMPAIGN, "name": "The raid", "map": "meadows", "combat": "engine", "sides": SIDES}, makes=BATTLE,
    ),
    command("THUCIDIDE fantasy: line up", type="line_up", armies=[WATCH, RAIDERS]),
    command("", type="start"),
    command("THUCIDIDE fantasy: end of a phase", type="end_phase"),
]  # fmt: skip
IN_DOCUMENT = DocumentPart(examples=STORY)
