"""The document of the API: the committed one (that it is what the code says, tests/config/launch/test_deployment.py
holds), and the one that is served.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import jsonschema_rs
import pytest
import yaml
from django.test import Client
from drf_spectacular import validation
from rest_framework import serializers

import armies
import battles
import config
import kingdom
from armies.breaking_point.sieges.api import MEMBERS
from armies.ruleset_ui import list_army_uis
from battles.breaking_point import ui as breaking_point
from battles.codec.requests import READERS
from battles.pathfinder import ui as pathfinder
from config import docs
from core.api.serializers import Input
from kingdom.map.painting_services import CLAIM
from rules.hexes.orders import COMMANDS
from tests.manners.bodies import document as committed
from tests.manners.bodies import operations

COMMITTED = Path(__file__).resolve().parent.parent.parent / "openapi.yaml"
APPS = (kingdom, armies, battles, config)


def test_no_two_serializers_share_the_name_of_a_component():
    """Two of one name are one component: the document then tells of the fields of whichever came last."""
    components: dict[str, set[Any]] = defaultdict(set)
    for serializer in all_serializers():
        components[serializer.__name__.removesuffix("Serializer")].add(serializer)
    assert len(components) > 60
    assert {name: found for name, found in components.items() if len(found) > 1} == {}


def test_every_shape_that_is_sent_refuses_strangers():
    sent = [kind for kind in all_serializers() if re.search(r"(Input|Change|Patch)$", kind.__name__)]
    assert len(sent) > 20
    assert [kind.__name__ for kind in sent if not issubclass(kind, Input)] == []


def all_serializers() -> set[type[serializers.BaseSerializer]]:
    """Every serializer class of the apps, declared in whichever module."""
    for app in APPS:
        for module in pkgutil.walk_packages(app.__path__, f"{app.__name__}."):
            if ".migrations" not in module.name:
                importlib.import_module(module.name)
    found, ahead = set(), [serializers.BaseSerializer]
    while ahead:
        kinds = ahead.pop().__subclasses__()
        ahead += kinds
        found.update(kinds)
    return {kind for kind in found if kind.__module__.partition(".")[0] in {app.__name__ for app in APPS}}


def test_a_shape_that_laws_share_is_one_of_a_choice():
    choices = {name: shape["anyOf"] for name, shape in committed()["components"]["schemas"].items() if "anyOf" in shape}
    assert len(choices) > 5
    assert [name for name, among in choices.items() if len({*map(str, among)}) < len(among)] == []


def test_no_operation_is_described_by_the_words_of_a_base_class():
    document = COMMITTED.read_text()
    assert "`serializer_class` draws" not in document
    assert "A view for members" not in document


def test_no_shape_is_described_by_the_words_of_a_base_class():
    """What the base of all bodies tells programmers stood at 39 shapes."""
    described = Counter(shape["description"] for _place, shape in schemas() if shape.get("description"))
    assert described
    assert [told for told, times in described.items() if times > len(list_army_uis())] == []
    assert "`{battle, summary, legal}`" not in COMMITTED.read_text()


def test_every_operation_tells_what_the_machine_may_answer():
    """503 wherever it may be away, 507 where something would be saved; both as problem documents."""
    document = committed()
    answers = document["components"]["responses"]
    for path, methods in document["paths"].items():
        for method, operation in methods.items():
            told = {code: found.get("$ref", "").rpartition("/")[2] for code, found in operation["responses"].items()}
            assert told["503"] == "Unavailable", (method, path)
            assert told.get("507") == (None if method == "get" else "NoRoom"), (method, path)
    for answer in answers.values():
        (shape,) = answer["content"].values()
        assert shape["schema"] == {"$ref": "#/components/schemas/Problem"}
    problem = document["components"]["schemas"]["Problem"]["properties"]
    assert problem.keys() == {"type", "title", "status", "detail", "instance", "version", "errors"}


UNTYPED = {
    "Change.before": "whichever value the field had",
    "Change.after": "whichever value the field has then",
    "AftermathChange.before": "whichever value the field had",
    "AftermathChange.after": "whichever value the field has then",
    "HouseRules.own{}{}": "a thing of a ruleset, as its own address describes it (`arsenal/`)",
    "GET /api/v1/armies/{army_id}/foundry/ 200": "an actor of Foundry: its own format",
    "GET /api/v1/kingdoms/{kingdom_id}/foundry/ 200": "an actor of Foundry: its own format",
    "GET /api/v1/campaigns/{id}/export/ 200": "the file of a campaign: docs/campaign-documents.md describes it",
    "GET /api/v1/battles/{id}/export/ 200": "the file of a battle: docs/files.md describes it",
    "PlainSupposedInputRequest.sheet": "an army's document, as its ruleset has it",
    "ThucidideFantasyEditUnitCommandRequest.fields": "figures of a unit or character, each of its own kind",
    "ThucidideFantasyOptionCommandRequest.value": "whichever value the option takes",
    "ThucidideFantasyOverrideCommandRequest.value": "whichever value the field takes",
    "WingCommandEditUnitCommandRequest.fields": "figures of a unit, each of its own kind",
    "WingCommandOptionCommandRequest.value": "whichever value the option takes",
    "WingCommandOverrideCommandRequest.value": "whichever value the field takes",
    "POST /api/v1/campaigns/import/ body": "the file of a campaign: docs/campaign-documents.md describes it",
}
"""The few places that cannot have a type, and why."""
TYPED = ("$ref", "oneOf", "anyOf", "allOf", "enum")


def schemas() -> Iterator[tuple[str, Any]]:
    """Every schema of the document, with its place."""
    document = committed()
    yield from document["components"]["schemas"].items()
    for (method, path), told in operations(document).items():
        for kind in told.get("requestBody", {}).get("content", {}).values():
            yield f"{method} {path} body", kind["schema"]
        for code, answer in told["responses"].items():
            yield from ((f"{method} {path} {code}", kind["schema"]) for kind in answer.get("content", {}).values())
        yield from (
            (f"{method} {path} ?{part['name']}", part["schema"])
            for part in told.get("parameters", ())
            if "name" in part
        )


def untyped(place: str, schema: Any) -> Iterator[str]:
    """Where something may be anything: an empty schema, or an object that names none of its members."""
    inner = schema.get("additionalProperties")
    if schema.get("type") == "object":
        loose = not schema.get("properties") and not any(word in schema for word in TYPED)
        if (loose and inner in (None, True)) or inner == {}:
            yield place
    elif schema.get("type") == "array":
        yield from untyped(f"{place}[]", schema["items"])
    elif "type" not in schema and not any(word in schema for word in TYPED):
        yield place
    for name, member in schema.get("properties", {}).items():
        yield from untyped(f"{place}.{name}", member)
    if isinstance(inner, dict) and inner:
        yield from untyped(f"{place}{{}}", inner)
    for word in TYPED[1:4]:
        for nth, one in enumerate(schema.get(word, ())):
            yield from untyped(f"{place}|{nth}", one)


def test_every_place_of_the_document_has_a_type() -> None:
    found = {place for at, schema in schemas() for place in untyped(at, schema)}
    assert found - UNTYPED.keys() == set()
    assert UNTYPED.keys() - found == set()  # what has a type by now leaves the list


@pytest.mark.parametrize("schema", [
    {}, {"nullable": True}, {"type": "object"}, {"type": "object", "additionalProperties": {}},
    {"type": "object", "additionalProperties": True}, {"type": "array", "items": {}},
    {"type": "object", "properties": {"unit": {"readOnly": True}}}, {"oneOf": [{"type": "string"}, {"type": "object"}]},
])  # fmt: skip
def test_a_place_without_a_type_is_found(schema: Any) -> None:
    assert list(untyped("X", schema))


def test_what_may_be_null_says_so_beside_its_type() -> None:
    """Without a type `nullable` means nothing."""
    loose = []

    def walk(told: Any, place: str) -> None:
        if isinstance(told, dict) and told.get("nullable") is True and "type" not in told:
            loose.append(place)
        for name, inner in (
            told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
        ):
            walk(inner, f"{place}/{name}")

    walk(committed()["components"], "")
    walk(committed()["paths"], "")
    assert loose == []


def test_names_of_components_are_of_one_kind() -> None:
    """`BreakingPointBattle`, `ApprovalRequest`, `RoleEnum`: no lines below, no words of our own rooms."""
    shapes = committed()["components"]["schemas"]
    odd = [
        name for name in shapes if not re.fullmatch("[A-Z][A-Za-z]*", name) or re.search("Petition|Serializer", name)
    ]
    assert odd == []
    assert {name for name in shapes if name.endswith("Enum")} == {name for name, one in shapes.items() if "enum" in one}
    assert shapes.keys() & {"KindEnum", "NullEnum", "BlankEnum", "StateEnum", "TypeEnum", "StatusEnum"} == set()
    assert {"BreakingPointBattle", "PathfinderBattle", "ApprovalRequest"} <= shapes.keys()


def test_requests_are_answered_as_approval_requests() -> None:
    for path in ("/api/v1/requests/{id}/", "/api/v1/requests/{id}/grant/"):
        told = next(iter(committed()["paths"][path].values()))
        assert told["responses"]["200"]["content"]["application/json"]["schema"]["$ref"].endswith("/ApprovalRequest")


def test_the_document_uses_no_words_of_our_own_rooms() -> None:
    words = re.compile(r"Serializer|\bcodec\b|\bselectors?\b|for the schema|for the document|\bview\b.*draws|`_\w+`")
    told = [text for place, text in described(committed()) if words.search(text)]
    assert told == []


def test_no_description_has_two_full_stops_in_a_row() -> None:
    assert [text for _place, text in described(committed()) if re.search(r"\w\.\. ", text)] == []


def described(told: Any, place: str = "") -> Iterator[tuple[str, str]]:
    members = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for name, member in members:
        if name in ("description", "summary") and isinstance(member, str):
            yield place, member
        yield from described(member, f"{place}/{name}")


def commands() -> dict[str, Any]:
    """Every choice between commands, by the name of its component."""
    shapes = committed()["components"]["schemas"]
    return {name: shape for name, shape in shapes.items() if "discriminator" in shape}


def test_commands_are_told_apart_by_their_type() -> None:
    shapes, told = committed()["components"]["schemas"], commands()
    laws = ("Pathfinder", "BreakingPoint", "WingCommand", "ThucidideFantasy")
    assert told.keys() == {*(f"{law}CommandInputRequest" for law in laws), "SiegeCommandRequest", "MapStrokeRequest"}
    for name, choice in told.items():
        member, mapping = choice["discriminator"]["propertyName"], choice["discriminator"]["mapping"]
        assert [one["$ref"] for one in choice["oneOf"]] == list(mapping.values()), name
        for kind, ref in mapping.items():
            shape = shapes[ref.rpartition("/")[2]]
            assert shape["properties"][member]["enum"] == [kind]
            assert member in shape["required"]
            assert shape["additionalProperties"] is False


def test_every_command_that_is_read_is_described_and_no_other() -> None:
    told = {name: choice["discriminator"]["mapping"].keys() for name, choice in commands().items()}
    for ui, name in ((pathfinder.UI, "PathfinderCommandInputRequest"),
                       (breaking_point.UI, "BreakingPointCommandInputRequest")):  # fmt: skip
        assert told[name] == {*READERS, *ui.readers}
        assert ui.command_members.keys() == ui.readers.keys()
    assert told["SiegeCommandRequest"] == MEMBERS.keys()
    assert told["MapStrokeRequest"] == {*COMMANDS, CLAIM} - {"zone", "home"}


def test_headers_that_hold_everywhere_are_parameters_and_headers_of_the_document() -> None:
    document = committed()
    assert document["components"]["parameters"].keys() == {"IdempotencyKey", "IfMatch", "IfNoneMatch"}
    assert document["components"]["headers"].keys() == {"ETag", "IdempotencyReplayed", "Location"}
    for (method, path), told in operations(document).items():
        parts = {part["$ref"].rpartition("/")[2] for part in told.get("parameters", ()) if "$ref" in part}
        assert ("IdempotencyKey" in parts) == (method == "POST"), (method, path)
        assert ("IfNoneMatch" in parts) == ("304" in told["responses"]), (method, path)
        if "304" in told["responses"]:
            assert all("ETag" in told["responses"][code]["headers"] for code in ("200", "304")), path
    changed = document["paths"]["/api/v1/kingdoms/{id}/"]["patch"]
    assert {"$ref": "#/components/parameters/IfMatch"} in changed["parameters"]
    assert "ETag" in changed["responses"]["200"]["headers"]


def test_bodies_that_are_needed_are_required() -> None:
    told = operations(committed())
    for method, path in (("POST", "/api/v1/battles/"), ("POST", "/api/v1/battles/{id}/commands/"),
                         ("POST", "/api/v1/campaigns/"), ("POST", "/api/v1/campaigns/import/"),
                         ("POST", "/api/v1/armies/"),
                         ("PUT", "/api/v1/campaigns/{campaign_id}/map/"), ("POST", "/api/v1/forecast/"),
                         ("POST", "/api/v1/campaigns/{id}/map/strokes/")):  # fmt: skip
        assert told[method, path]["requestBody"].get("required") is True, path
    for method, path in (("POST", "/api/v1/battles/{id}/forecast/"), ("PATCH", "/api/v1/kingdoms/{id}/"),
                         ("POST", "/api/v1/auth/token/")):  # fmt: skip
        assert "required" not in told[method, path]["requestBody"], path


SCHEMA = "/api/v1/schema/"
JSON = {"Accept": "application/json"}  # the same, written sooner


def served(language: str = "en", **asked: str) -> Any:
    return json.loads(Client().get(SCHEMA, asked, headers={**JSON, "Accept-Language": language}).content)


def test_the_committed_document_is_one_of_openapi() -> None:
    law = json.loads((Path(validation.__file__).parent / "openapi_3_0_schema.json").read_text())
    assert [error.message for error in jsonschema_rs.validator_for(law).iter_errors(committed())] == []


@pytest.mark.django_db
def test_the_document_is_served_as_yaml_to_whoever_asks_for_no_other_form(monkeypatch: pytest.MonkeyPatch) -> None:
    """A short one, and not the one that is kept: all of it takes long to write."""
    told = {"openapi": "3.0.3", "info": {"title": "Warhost", "version": "1"}, "paths": {"/é/": {"get": {"tags": []}}}}
    generator = SimpleNamespace(get_schema=lambda **_asked: told)
    monkeypatch.setattr(docs, "_document", docs._document.__wrapped__)
    monkeypatch.setattr(docs.DocumentView, "generator_class", lambda: generator)
    answer = Client().get(SCHEMA)
    assert answer.headers["Content-Type"].startswith("application/vnd.oai.openapi")
    assert "no-store" in answer.headers["Cache-Control"]
    assert yaml.load(answer.content, yaml.CSafeLoader) == told


def named(told: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Where a component is named, and which."""
    if isinstance(told, dict) and "$ref" in told:
        yield place, told["$ref"]
    members = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for name, member in members:
        yield from named(member, f"{place}/{name}")


@pytest.mark.django_db
def test_the_served_document_is_made_once_for_each_language(monkeypatch: pytest.MonkeyPatch) -> None:
    english, french = served(), served("fr")
    monkeypatch.setattr(docs.DocumentView, "generator_class", None)
    assert served() == english != french
    assert served(lang="fr") == french


@pytest.mark.django_db
def test_what_has_a_name_in_one_language_has_it_in_the_other() -> None:
    """Who makes a program of the document reads it in whichever."""
    english, french = served(), served("fr")
    assert english != french
    assert english["components"]["schemas"].keys() == french["components"]["schemas"].keys()
    assert dict(named(english)) == dict(named(french))


@pytest.mark.django_db
@pytest.mark.parametrize(("asked", "pointer"), [({"lang": "tlh"}, "/lang"), ({"version": "2"}, "/version")])
def test_another_language_or_version_is_refused(asked: dict[str, str], pointer: str) -> None:
    for accept in ("application/json", "application/vnd.oai.openapi", "*/*"):
        answer = Client().get(SCHEMA, asked, headers={"Accept": accept})
        assert (answer.status_code, answer.headers["Content-Type"]) == (400, "application/problem+json")
        assert [error["pointer"] for error in json.loads(answer.content)["errors"]] == [pointer]


@pytest.mark.django_db
def test_what_is_refused_is_told_in_json_whatever_was_asked_for() -> None:
    """Also where there is no such form, or none that the reader takes."""
    for asked, accept, status in (("?format=csv", "*/*", 404), ("", "text/html", 406)):
        answer = Client().get(f"{SCHEMA}{asked}", headers={"Accept": accept})
        assert (answer.status_code, json.loads(answer.content)["status"]) == (status, status)


@pytest.mark.django_db
def test_a_language_of_a_country_is_the_language() -> None:
    assert served(lang="fr-CA") == served("fr")
