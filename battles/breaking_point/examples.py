"""Examples of breaking point in the API's document: a story from the campaign to a round of the battle."""

from __future__ import annotations

from armies.breaking_point.api.serializers import GROUPS
from battles.breaking_point.api import KINDS
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
from rules.breaking_point.battle.state.battle_state import DEEDS
from rules.breaking_point.siege.siege_ends import OUTCOMES

TAGS = {
    "places": "Fortified places (breaking point): who holds and who besieges them.",
    "sieges": "Sieges by the week (breaking point), with their commands.",
}
SWORDS = {"name": "Swords", "type": "infantry", "strength": 100, "combat": 3, "armour": 0, "group": "contact",
          "weapons": ["sword"]}  # fmt: skip
ATTACK = {"contact": {"do": "attack", "target": f"{RAIDERS}:contact"}}
STORY = [
    *begin_story("breaking-point", "Breaking point"),
    Example("commanders_create", "Breaking point", {"kingdom": CROWN, "name": "Ysolde", "art_of_war": 6}, makes=YSOLDE),
    Example(
        "armies_create", "Breaking point",
        {"kingdom": CROWN, "name": "Ironwatch", "units": [SWORDS], "commander": YSOLDE}, makes=WATCH,
    ),
    Example("armies_create", "", {"kingdom": HORDE, "name": "Raiders", "units": [SWORDS]}, makes=RAIDERS),
    Example(
        "battles_create", "Breaking point", {"campaign": CAMPAIGN, "name": "The ford", "sides": SIDES}, makes=BATTLE,
    ),
    command("", type="next"),
    command("", type="resolve"),
    command("Breaking point: attack", type="order", army=WATCH, bodies=ATTACK),
    command("", type="resolve"),
]  # fmt: skip
ENUMS = {
    "BattleKindEnum": KINDS,
    "BodyDeedEnum": DEEDS,
    "UnitGroupEnum": GROUPS,
    "SiegeOutcomeEnum": OUTCOMES,
}

IN_DOCUMENT = DocumentPart(enums=ENUMS, examples=STORY, tags=TAGS)
