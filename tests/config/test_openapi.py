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
from typing import Any

import pytest
import yaml
from django.test import Client
from rest_framework import serializers

import armies
import battles
import config
import kingdom
from config import docs
from kingdom.api.bodies import Input

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
    document = yaml.load(COMMITTED.read_text(), yaml.CSafeLoader)
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
FRENCH = {"Accept-Language": "fr"}


def served(**asked: Any) -> Any:
    return yaml.load(Client().get(SCHEMA, **asked).content, yaml.CSafeLoader)


def named(told: Any, place: str = "") -> Iterator[tuple[str, str]]:
    """Where a component is named, and which."""
    if isinstance(told, dict) and "$ref" in told:
        yield place, told["$ref"]
    members = told.items() if isinstance(told, dict) else enumerate(told) if isinstance(told, list) else ()
    for name, member in members:
        yield from named(member, f"{place}/{name}")


@pytest.mark.django_db
def test_the_served_document_is_made_once_for_each_language(monkeypatch: pytest.MonkeyPatch) -> None:
    english, french = served(), served(headers=FRENCH)
    monkeypatch.setattr(docs.DocumentView, "generator_class", None)
    assert served() == english != french
    assert served(data={"lang": "fr"}) == french


@pytest.mark.django_db
def test_what_has_a_name_in_one_language_has_it_in_the_other() -> None:
    """Who makes a program of the document reads it in whichever."""
    english, french = served(), served(headers=FRENCH)
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
    assert served(data={"lang": "fr-CA"}) == served(headers=FRENCH)
