"""Examples of the API's document: requests that tell a story, answers, and refusals.

A ruleset tells a story of its own (`DocumentPart`), from the campaign to the aftermath. A test sends every story
from its first request to its last. Ids are stand-ins: an example that `makes` a thing gives its id to those after it.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class DocumentPart:
    """Additions of a ruleset to the API's document: names of enums with their values, if the member's name is not
    enough; a story of requests; and descriptions of its own tags.
    """

    enums: Mapping[str, Sequence[str]] = field(default_factory=dict)
    examples: Sequence[Example | AnswerExample] = ()
    tags: Mapping[str, str] = field(default_factory=dict)


def stand_in(number: int) -> str:
    """Return an id that stands in for the one of a thing."""
    return f"01980000-0000-7000-8000-{number:012}"


CAMPAIGN, CROWN, HORDE, YSOLDE, GRUK, WATCH, RAIDERS, BATTLE = map(stand_in, range(1, 9))
SIDES = [{"name": "Crown", "armies": [WATCH]}, {"name": "Horde", "armies": [RAIDERS]}]


def begin_story(ruleset: str, name: str) -> list[Example]:
    """Return the requests for a campaign of this ruleset with two kingdoms. `name`: of the ruleset, in the document."""
    crown = {"campaign": CAMPAIGN, "name": "Crown", "treasury": 100}
    return [
        Example("campaigns_create", name, {"name": "Restov marches", "ruleset": ruleset}, makes=CAMPAIGN),
        Example("kingdoms_create", "Kingdom", crown, makes=CROWN),
        Example("kingdoms_create", "", {"campaign": CAMPAIGN, "name": "Horde"}, makes=HORDE),
    ]


def command(name: str, **body: Any) -> Example:
    """Return a command of the story's battle."""
    return Example("battles_commands_create", name, body, at=BATTLE)


TOKEN = Example("auth_token_create", "Dice bot", {"name": "Dice bot", "scope": "play", "campaign": CAMPAIGN})
TOKEN_MADE = AnswerExample(
    "auth_token_create", "201", "Dice bot",
    {"token": "shown-here-and-never-again", "expiry": "2027-02-27T10:00:00Z", "id": stand_in(9), "name": "Dice bot",
     "scope": "play", "campaign": CAMPAIGN},
)  # fmt: skip
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


def add_to(document: Any, examples: Iterable[Example | AnswerExample]) -> Any:
    """Add examples to the operations they are of, those of the same name once, and those of refusals. A document may
    have only some of the operations.
    """
    operations = {
        told["operationId"]: told
        for methods in document["paths"].values()
        for method, told in methods.items()
        if method in METHODS
    }
    for one in (one for one in examples if one.operation in operations):
        told = operations[one.operation]
        part = told["responses"][one.status] if isinstance(one, AnswerExample) else told["requestBody"]
        given = next(iter(part["content"].values()))
        given.setdefault("examples", {}).setdefault(_key(one.name), {"summary": one.name, "value": one.body})
    for name, problem in REFUSALS.items():
        (given,) = document["components"]["responses"][name]["content"].values()
        given["example"] = problem
    return document


def _key(name: str) -> str:
    """Return a name as a key of the document: its words without the spaces between them."""
    return "".join(word.capitalize() for word in name.replace("-", " ").replace(",", "").replace(":", "").split())
