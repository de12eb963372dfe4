"""Examples of the API's document: stories of requests, one a ruleset, and answers worth seeing.

A test sends every story from its first request to its last (tests/manners/test_stories.py). Ids are stand-ins: an
example that `makes` a thing gives its id to those after it.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

METHODS = ("get", "post", "put", "patch", "delete")


class Example(NamedTuple):
    """A request. `at`: the stand-in for the id in its path. Without a name it is part of the story only."""

    operation: str
    name: str
    body: Mapping[str, Any]
    at: str = ""
    makes: str = ""


class AnswerExample(NamedTuple):
    """An answer of an operation with this status."""

    operation: str
    status: str
    name: str
    body: Any


def _id(number: int) -> str:
    return f"01980000-0000-7000-8000-{number:012}"


CAMPAIGN, CROWN, HORDE, YSOLDE, GRUK, WATCH, RAIDERS, BATTLE = map(_id, range(1, 9))
SIDES = [{"name": "Crown", "armies": [WATCH]}, {"name": "Horde", "armies": [RAIDERS]}]


def _realm(ruleset: str, name: str = "") -> list[Example]:
    """A campaign of this ruleset with two kingdoms."""
    crown = {"campaign": CAMPAIGN, "name": "Crown", "treasury": 100}
    return [
        Example("campaigns_create", name, {"name": "Restov marches", "ruleset": ruleset}, makes=CAMPAIGN),
        Example("kingdoms_create", "Kingdom" if name == PATHFINDER else "", crown, makes=CROWN),
        Example("kingdoms_create", "", {"campaign": CAMPAIGN, "name": "Horde"}, makes=HORDE),
    ]


def _command(name: str, **body: Any) -> Example:
    return Example("battles_commands_create", name, body, at=BATTLE)


PATHFINDER, BREAKING_POINT, WING_COMMAND, THUCIDIDE = (
    "Pathfinder", "Breaking point", "Wing command", "THUCIDIDE fantasy",
)  # fmt: skip
SPEARMAN = {"name": "Spearman", "cr": "1", "hit_die": "d10", "speed_m": 9, "level": 1, "ranged": True}
SHAMAN = {
    "name": "Orc shaman", "cr": "2", "hit_die": "d8", "alignment": "CE", "creature_type": "humanoid",
    "abilities": [{"ability": "ferocity"}, {"ability": "spellcasting", "value": 2, "options": {"ranged": False}}],
}  # fmt: skip
MASS_COMBAT = [
    *_realm("combat-de-masse", PATHFINDER),
    Example("settlements_create", "Town", {"kingdom": CROWN, "name": "Restov", "buildings": ["smithy"]}),
    Example(
        "commanders_create", PATHFINDER,
        {"kingdom": CROWN, "name": "Ysolde", "level": 6, "charisma_modifier": 2,
         "boons": [{"boon": "defensive-tactics"}]},
        makes=YSOLDE,
    ),
    Example(
        "armies_create", PATHFINDER,
        {"kingdom": CROWN, "name": "Ironwatch", "unit": SPEARMAN, "count": 500, "commander": YSOLDE}, makes=WATCH,
    ),
    Example(
        "armies_create", "Pathfinder, with abilities",
        {"kingdom": HORDE, "name": "Raiders", "unit": SHAMAN, "count": 200}, makes=RAIDERS,
    ),
    Example("kingdoms_check_create", "A die of the table", {"attribute": "loyalty", "dc": 10, "dice": [14]}, at=CROWN),
    Example("kingdoms_ledger_create", "Income", {"amount": 5, "reason": "Tolls of the bridge"}, at=CROWN),
    Example("notes_create", "About an army", {"about": f"army:{WATCH}", "text": "Sworn at the ford."}),
    Example("campaigns_invitations_create", "For a player", {"role": "player"}, at=CAMPAIGN),
    Example("campaigns_partial_update", "House rule", {"house_rules": {"minimum_damage": 1}}, at=CAMPAIGN),
    Example("campaigns_advance_create", "A week, proposed", {"days": 7}, at=CAMPAIGN),
    Example(
        "battles_create", PATHFINDER,
        {"campaign": CAMPAIGN, "name": "The ford", "sides": SIDES,
         "conditions": [{"condition": "fog", "except": [WATCH]}]},
        makes=BATTLE,
    ),
    _command("Set-up is over", type="next"),
    _command("Order for the tactics phase", type="order", army=WATCH, tactic="standard"),
    _command("Dice of the site", type="resolve"),
    _command("Hold", type="order", army=RAIDERS, target=None),
    _command("Dice of the table", type="resolve", dice=[{"army": WATCH, "roll": "attack", "values": [14]}]),
    _command("Order for melee", type="order", army=WATCH, strategy="aggressive", target=RAIDERS),
    Example("battles_forecast_create", "As ordered", {"until": {"phases": 3}}, at=BATTLE),
    _command("Undo", type="undo"),
    _command("The GM ends it", type="end", winner="Crown", reason="The horde has had enough."),
    _command("Aftermath, proposed", type="aftermath", confirm=False),
    _command("Aftermath, confirmed", type="aftermath", confirm=True),
    Example("campaigns_shares_create", "Report", {"kind": "report", "thing": BATTLE, "days": 7}, at=CAMPAIGN),
    Example("campaigns_undo_create", "The last change", {}, at=CAMPAIGN),
]  # fmt: skip

SWORDS = {"name": "Swords", "type": "infantry", "strength": 100, "combat": 3, "armour": 0, "group": "contact",
          "weapons": ["sword"]}  # fmt: skip
ATTACK = {"contact": {"do": "attack", "target": f"{RAIDERS}:contact"}}
LINES = [
    *_realm("breaking-point", BREAKING_POINT),
    Example("commanders_create", BREAKING_POINT, {"kingdom": CROWN, "name": "Ysolde", "art_of_war": 6}, makes=YSOLDE),
    Example(
        "armies_create", BREAKING_POINT,
        {"kingdom": CROWN, "name": "Ironwatch", "units": [SWORDS], "commander": YSOLDE}, makes=WATCH,
    ),
    Example("armies_create", "", {"kingdom": HORDE, "name": "Raiders", "units": [SWORDS]}, makes=RAIDERS),
    Example("battles_create", BREAKING_POINT, {"campaign": CAMPAIGN, "name": "The ford", "sides": SIDES}, makes=BATTLE),
    _command("", type="next"),
    _command("", type="resolve"),
    _command("Breaking point: attack", type="order", army=WATCH, bodies=ATTACK),
    _command("", type="resolve"),
]  # fmt: skip

FIELD = {"columns": 12, "rows": 12, "kind": "plain", "seed": "oak"}
RIDERS = [{"type": "riders", "melee": 1}]
WINGS = [
    *_realm("wing-command", WING_COMMAND),
    Example("commanders_create", WING_COMMAND, {"kingdom": CROWN, "name": "Ysolde", "ability": "B"}, makes=YSOLDE),
    Example(
        "armies_create", WING_COMMAND,
        {"kingdom": CROWN, "name": "Left wing", "troops": RIDERS, "order": "attack", "commander": YSOLDE,
         "characters": [{"name": "Mira", "kind": "mage", "art": "fire", "level": 4}]},
        makes=WATCH,
    ),
    Example("armies_create", "", {"kingdom": HORDE, "name": "Raiders", "troops": RIDERS}, makes=RAIDERS),
    Example(
        "battles_create", WING_COMMAND,
        {"campaign": CAMPAIGN, "name": "The raid", "map": FIELD, "turn_limit": 10, "sides": SIDES}, makes=BATTLE,
    ),
    _command("Wing command: line up", type="line_up", wings=[WATCH, RAIDERS]),
    _command("Battles on hexes: start", type="start"),
    _command("Wing command: initiative", type="roll_initiative"),
    _command("Wing command: pass", type="pass", side=0),
]  # fmt: skip

CONTINGENTS = [
    *_realm("thucidide-fantasy", THUCIDIDE),
    Example("commanders_create", THUCIDIDE, {"kingdom": CROWN, "name": "Ysolde", "level": "great"}, makes=YSOLDE),
    Example("commanders_create", "", {"kingdom": HORDE, "name": "Gruk"}, makes=GRUK),
    Example(
        "armies_create", THUCIDIDE,
        {"kingdom": CROWN, "name": "Host of the north", "commander": YSOLDE,
         "units": [{"type": "foot-heavy", "experience": "elite"}]},
        makes=WATCH,
    ),
    Example(
        "armies_create", "",
        {"kingdom": HORDE, "name": "Raiders", "commander": GRUK, "units": [{"type": "recruits"}]}, makes=RAIDERS,
    ),
    Example(
        "battles_create", THUCIDIDE,
        {"campaign": CAMPAIGN, "name": "The raid", "map": "meadows", "combat": "engine", "sides": SIDES}, makes=BATTLE,
    ),
    _command("THUCIDIDE fantasy: line up", type="line_up", armies=[WATCH, RAIDERS]),
    _command("", type="start"),
    _command("THUCIDIDE fantasy: end of a phase", type="end_phase"),
]  # fmt: skip
STORIES = {
    "combat-de-masse": MASS_COMBAT,
    "breaking-point": LINES,
    "wing-command": WINGS,
    "thucidide-fantasy": CONTINGENTS,
}
TOKEN = Example("auth_token_create", "Dice bot", {"name": "Dice bot", "scope": "play", "campaign": CAMPAIGN})

ANSWERS = [
    AnswerExample(
        "auth_token_create", "201", "Dice bot",
        {"token": "shown-here-and-never-again", "expiry": "2027-02-27T10:00:00Z", "id": _id(9), "name": "Dice bot",
         "scope": "play", "campaign": CAMPAIGN},
    ),
    AnswerExample(
        "battles_commands_create", "409", "Dice needed",
        {"type": "urn:warhost:problem:dice-needed", "title": "Dice needed", "status": 409,
         "detail": "Enter these dice first.",
         "asks": [{"army": WATCH, "roll": "attack", "die": "d20", "label": "Attack", "need": "12"}], "follows": None},
    ),
]  # fmt: skip
REFUSALS = {
    "Invalid": {
        "type": "urn:warhost:problem:invalid", "title": "Invalid data", "status": 400,
        "detail": "Use a whole number from 1 to 100.",
        "errors": [{"pointer": "/count", "detail": "Use a whole number from 1 to 100."}],
    },
    "Forbidden": {
        "type": "urn:warhost:problem:forbidden", "title": "Not allowed", "status": 403,
        "detail": "This request needs a token with the scope “manage”. This one has “play”.",
    },
    "Stale": {
        "type": "urn:warhost:problem:stale", "title": "Changed in the meantime", "status": 412, "version": 8,
        "detail": "This has changed since you read it. Read it again, then repeat your change.",
    },
    "VersionMissing": {
        "type": "urn:warhost:problem:precondition-required", "title": "Version missing", "status": 428,
        "detail": "Send the version you read in If-Match.",
    },
}  # fmt: skip
"""Examples of refusals, by the name of their component."""


def add_examples(result: Any, **_kwargs: Any) -> Any:
    """Postprocessing hook that adds the examples to the operations and refusals they are of."""
    operations = {
        told["operationId"]: told
        for methods in result["paths"].values()
        for method, told in methods.items()
        if method in METHODS
    }
    for example in (TOKEN, *(one for story in STORIES.values() for one in story if one.name)):
        taken = operations[example.operation]["requestBody"]["content"]["application/json"]
        taken.setdefault("examples", {})[_slug(example.name)] = {"summary": example.name, "value": dict(example.body)}
    for answer in ANSWERS:
        (given,) = operations[answer.operation]["responses"][answer.status]["content"].values()
        given.setdefault("examples", {})[_slug(answer.name)] = {"summary": answer.name, "value": answer.body}
    for name, problem in REFUSALS.items():
        (given,) = result["components"]["responses"][name]["content"].values()
        given["example"] = problem
    return result


def _slug(name: str) -> str:
    """Return a name as a key of the document: “Set-up is over” gives `SetUpIsOver`."""
    return "".join(word.capitalize() for word in name.replace("-", " ").replace(",", "").replace(":", "").split())
