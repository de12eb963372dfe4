"""The committed document of the API (that it is what the code says, tests/config/test_deployment.py holds)."""

from __future__ import annotations

import importlib
import pkgutil
import re
from collections import defaultdict
from pathlib import Path
from typing import Any

import yaml
from rest_framework import serializers

import armies
import battles
import config
import kingdom
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
    assert problem.keys() == {"type", "title", "status", "detail", "instance", "errors"}
