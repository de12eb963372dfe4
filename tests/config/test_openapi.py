"""The document of the API: the committed one (that it is what the code says, tests/config/test_deployment.py holds),
and the one that is served.
"""

from __future__ import annotations

import importlib
import json
import pkgutil
import re
from collections import defaultdict
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
from config import docs
from kingdom.api.bodies import Input
from tests.manners.bodies import document as committed

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


def test_no_operation_is_described_by_the_words_of_a_base_class():
    document = COMMITTED.read_text()
    assert "`serializer_class` draws" not in document
    assert "A view for members" not in document


def test_every_operation_tells_what_the_machine_may_answer():
    """503 wherever it may be away, 507 where something would be saved; both as problem documents."""
    document = committed()
    answers = document["components"]["responses"]
    for path, operations in document["paths"].items():
        for method, operation in operations.items():
            told = {code: found.get("$ref", "").rpartition("/")[2] for code, found in operation["responses"].items()}
            assert told["503"] == "Unavailable", (method, path)
            assert told.get("507") == (None if method == "get" else "NoRoom"), (method, path)
    for answer in answers.values():
        (shape,) = answer["content"].values()
        assert shape["schema"] == {"$ref": "#/components/schemas/Problem"}
    problem = document["components"]["schemas"]["Problem"]["properties"]
    assert problem.keys() == {"type", "title", "status", "detail", "instance", "version", "errors"}


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
