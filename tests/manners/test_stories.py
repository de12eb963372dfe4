"""The examples of the API's document: each is of the shape it is an example of, and each request is accepted."""

from __future__ import annotations

import json
import re
from base64 import b64encode
from collections.abc import Iterator
from typing import Any

import jsonschema_rs
import pytest

from battles.ruleset_ui import list_battle_uis
from core.api.document_parts import CAMPAIGN, TOKEN, TOKEN_MADE, AnswerExample, Example
from tests.kingdom.conftest import api_of, make_user
from tests.manners.bodies import document, operations
from tests.manners.test_schema import components, modern

pytestmark = pytest.mark.django_db
PART = re.compile(r"{\w+}")
MOST_DONE = {
    "armies_create", "auth_token_create", "battles_commands_create", "battles_create", "campaigns_create",
    "commanders_create", "kingdoms_check_create", "kingdoms_create", "campaigns_advance_create",
}  # fmt: skip


def examples() -> Iterator[tuple[str, Any, Any]]:
    """Every example of the document: its place, the schema it is an example of, and itself."""
    doc = document()
    told = [(f"{method} {path}", one) for (method, path), one in operations(doc).items()]
    contents = [(place, one.get("requestBody", {}).get("content", {})) for place, one in told]
    contents += [(f"{place} {code}", part.get("content", {})) for place, one in told
                 for code, part in one["responses"].items()]  # fmt: skip
    contents += [(name, one["content"]) for name, one in doc["components"]["responses"].items()]
    for place, content in contents:
        for given in content.values():
            yield from ((f"{place} {name}", given["schema"], one["value"])
                        for name, one in given.get("examples", {}).items())  # fmt: skip
            if "example" in given:
                yield place, given["schema"], given["example"]


def test_every_example_fits_its_schema():
    wrong, places = {}, []
    for place, schema, value in examples():
        places.append(place)
        whole = {**modern(schema), "components": components()}
        if not jsonschema_rs.validator_for(whole, validate_formats=True).is_valid(value):
            wrong[place] = value
    assert wrong == {}
    assert len(places) > 50


def test_a_value_of_another_shape_is_no_example():
    schema = {**modern({"$ref": "#/components/schemas/CheckInputRequest"}), "components": components()}
    assert not jsonschema_rs.validator_for(schema).is_valid({"attribute": "loyalty", "die": 14})


def test_what_is_done_most_has_an_example():
    doc = operations(document()).values()
    bodies = {one["operationId"]: one["requestBody"]["content"].values() for one in doc if "requestBody" in one}
    assert {name for name in MOST_DONE if not any("examples" in given for given in bodies[name])} == set()


class Teller:
    """Sends a story, request by request, with the ids of what was made."""

    def __init__(self) -> None:
        self.api = api_of(make_user("gm"))
        self.ids: dict[str, str] = {}
        self.versions: dict[str, int] = {}
        self.paths = {told["operationId"]: (method, path) for (method, path), told in operations(document()).items()}

    def send(self, example: Example) -> Any:
        method, path = self.paths[example.operation]
        at = self.ids.get(example.at, "")
        sent = json.dumps(example.body)
        for stand_in, made in self.ids.items():
            sent = sent.replace(stand_in, made)
        headers = {"If-Match": f'"{self.versions[at]}"'} if at in self.versions and "commands" in path else {}
        answer = self.api.generic(method, PART.sub(at, path), sent, "application/json", headers=headers)
        assert 200 <= answer.status_code < 300, (example, answer.content)
        told = answer.json()
        if example.makes:
            self.ids[example.makes] = told["id"]
        if told.keys() >= {"id", "version"}:
            self.versions[told["id"]] = told["version"]
        return told


STORIES = [ui.in_document.examples for ui in list_battle_uis() if ui.in_document.examples]


def test_four_rulesets_tell_a_story():
    assert len(STORIES) >= 4


@pytest.mark.parametrize("story", STORIES, ids=lambda story: story[0].body["ruleset"])
def test_every_request_of_a_story_is_accepted(story):
    teller = Teller()
    for example in story:
        if not isinstance(example, AnswerExample):
            teller.send(example)
    assert CAMPAIGN in teller.ids


def test_the_example_of_a_token_is_accepted(table):
    basic = b64encode(b"gm:correct horse battery").decode()
    body = {**TOKEN.body, "campaign": str(table.campaign.pk)}
    answer = api_of(None).post("/api/v1/auth/token/", body, headers={"Authorization": f"Basic {basic}"})
    assert answer.status_code == 201, answer.content
    assert answer.json().keys() == TOKEN_MADE.body.keys()


def test_every_tag_says_what_it_is_about():
    doc = document()
    used = {tag for told in operations(doc).values() for tag in told["tags"]}
    assert [one["name"] for one in doc["tags"]] == sorted(used)
    assert [one["name"] for one in doc["tags"] if not one["description"]] == []
