"""Schemathesis reads openapi.yaml and asks what it allows, and what it does not, as four people: every answer is one
the document promises, below 500, of its kind, with its headers and its shape.

Generated ids name nothing, so three of four cases get those of the table: in the address, in `If-Match`, in the body.
"""

from __future__ import annotations

import random
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from copy import deepcopy
from types import SimpleNamespace
from typing import Any
from uuid import uuid4

import pytest
from django.core.signals import request_finished, request_started
from django.core.wsgi import get_wsgi_application
from django.db import close_old_connections
from hypothesis import HealthCheck, Phase, given, seed, settings
from hypothesis import strategies as st
from schemathesis import Case, GenerationMode, openapi
from schemathesis.checks import not_a_server_error
from schemathesis.core.errors import UnsupportedSchema
from schemathesis.core.failures import Failure, FailureGroup
from schemathesis.generation.feedback import NO_FEEDBACK
from schemathesis.specs.openapi.checks import (
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
    status_code_conformance,
)

from tests.access.people import client_of, gather
from tests.databases import tried
from tests.faults.report import rounds, told
from tests.manners.bodies import body_of, document, known, operations, shape
from tests.manners.doors import doors

ROLES = ("gm", "player", "viewer", "stranger")
CASES = 2_600  # of each of them
CHECKS = [
    not_a_server_error,
    status_code_conformance,
    content_type_conformance,
    response_headers_conformance,
    response_schema_conformance,
]
PART = re.compile(r"\{(\w+)\}")


class Asked:
    """What one person asks of one table; `faults` by operation and kind, with the first request that showed it."""

    def __init__(self, table: SimpleNamespace, role: str):
        self.table = table
        _client, self.headers = client_of(role, gather(table), api=True)
        self.headers["Accept-Encoding"] = "identity"
        self.urls = {shape(door.pattern): door.url for door in doors(table)}
        self.known, doc = known(table), document()
        self.bodies = {name: body_of(told, doc, table) for name, told in operations(doc).items()}
        self.faults: dict[str, str] = {}
        self.statuses: Counter[int] = Counter()

    def ask(self, case: Case[Any], chance: random.Random) -> None:
        if chance.random() < 0.75:
            self._at_home(case, chance)
        for name in ("Authorization", "Cookie"):
            case.headers.pop(name, None)
        case.cookies = {}
        with tried():
            answer = case.call(headers=self.headers)
        self.statuses[answer.status_code] += 1
        try:
            case.validate_response(answer, checks=CHECKS)
        except (Failure, FailureGroup) as error:
            for failure in getattr(error, "exceptions", [error]):
                sent = f"{case.formatted_path} {case.query} {dict(case.headers)} {case.body!r:.500}"
                said = f"{failure.message}\n{sent}\n{answer.status_code} {answer.text[:300]}"
                self.faults.setdefault(f"{case.operation.label}: {failure.title} ({answer.status_code})", said)

    def _at_home(self, case: Case[Any], chance: random.Random) -> None:
        """What it names exists, mostly."""
        url = self.urls[shape(case.path)]
        found = re.fullmatch(PART.sub(r"(?P<\1>[^/]*)", case.path), url)
        assert found, (case.path, url)
        case.path_parameters = {**case.path_parameters, **found.groupdict()}
        for place in (case.query, case.body):
            if isinstance(place, dict):
                place |= {name: self.known[name] for name in place.keys() & self.known.keys() if chance.random() < 0.8}
        if isinstance(case.body, dict) and (meant := self.bodies[case.method, case.path]) and chance.random() < 0.5:
            case.body = meant | {name: value for name, value in case.body.items() if chance.random() < 0.3}
        if "If-Match" in case.headers:
            case.headers["If-Match"] = f'"{self.table.battle.version}"'
        if "Idempotency-Key" in case.headers:
            case.headers["Idempotency-Key"] = uuid4().hex


def promised() -> Any:
    """The document as Schemathesis knows it; in what is answered no member goes unnamed."""
    doc = deepcopy(document())
    for schema in doc["components"]["schemas"].values():
        _named(schema)
    return openapi.from_dict(doc)


def _named(schema: Any) -> None:
    if isinstance(schema, list):
        for inner in schema:
            _named(inner)
    if isinstance(schema, dict):
        for inner in schema.values():
            _named(inner)
        if isinstance(schema.get("properties"), dict):
            schema.setdefault("additionalProperties", False)


@pytest.fixture
def app() -> Iterator[Any]:
    """Warhost in this process, which keeps the connection of the test between requests."""
    for signal in (request_started, request_finished):
        signal.disconnect(close_old_connections)
    yield get_wsgi_application()
    for signal in (request_started, request_finished):
        signal.connect(close_old_connections)


def cases_of(operation: Any) -> Any:
    ways = [operation.as_strategy(generation_mode=mode, feedback=NO_FEEDBACK) for mode in GenerationMode]
    return st.one_of(*ways)


@pytest.mark.slow
@pytest.mark.parametrize("role", ROLES)
def test_whatever_is_asked_the_answer_is_one_the_document_promises(table, no_demo, app, role):
    schema, asked = promised(), Asked(table, role)
    schema.app = app
    operations = [found.ok() for found in schema.get_all_operations()]
    each, drawn = -(-rounds(CASES) // len(operations)), random.randrange(10**6)
    for operation in operations:
        _ask_all(operation, asked, each, drawn)
    by_status = {str(status): number for status, number in sorted(asked.statuses.items())}
    told(f"schemathesis as {role}", cases=asked.statuses.total(), faults=len(asked.faults), **by_status)
    assert asked.statuses.total() >= rounds(CASES)
    print(*(f"{key}\n{said}\n" for key, said in asked.faults.items()), sep="\n")
    assert sorted(asked.faults) == [], f"seed {drawn}"


def _ask_all(operation: Any, asked: Asked, each: int, drawn: int) -> None:
    @seed(drawn)
    @settings(
        max_examples=each, database=None, deadline=None, phases=[Phase.generate], suppress_health_check=HealthCheck
    )
    @given(case=cases_of(operation), chance=st.randoms(use_true_random=False))
    def one(case: Case[Any], chance: random.Random) -> None:
        asked.ask(case, random.Random(chance.random()))

    with suppress(UnsupportedSchema):  # seldom it draws a wrong body that it can't make; what it asked before counts
        one()
