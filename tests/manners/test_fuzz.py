"""Whatever is sent to whatever address: an answer below 500, and on the API every refusal is a problem document."""

from __future__ import annotations

import logging
import random
import signal
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from types import SimpleNamespace

import pytest
from django.test import Client

from tests.databases import tried
from tests.everyday import at_most
from tests.manners.blows import Blow, at, form_blows, json_blows
from tests.manners.doors import Door, doors
from tests.manners.operations import operations_at

EVERYDAY, WIDE = 60, 3_000
PROBLEM = "application/problem+json"
PATIENCE = 3.0  # seconds of this process's own time: no request may cost more


@pytest.fixture
def client(table: SimpleNamespace, no_demo: None, caplog: pytest.LogCaptureFixture) -> Client:
    """The GM's browser, whose session opens the API as well: they get furthest."""
    caplog.set_level(logging.CRITICAL, "django.request")
    client = Client(raise_request_exception=False)
    client.force_login(table.gm)
    return client


def faults(client: Client, table: SimpleNamespace, blows: Iterable[Blow]) -> list[str]:
    return [told for blow in blows if (told := _fault(client, table, blow))]


def _fault(client: Client, table: SimpleNamespace, blow: Blow) -> str:
    """What is wrong with the answer, if anything. Whatever the blow did is undone."""
    api = blow.url.startswith("/api/")
    headers = {"Authorization": f"Token {table.key}"} if api else {}
    with tried(), patience():
        answer = client.generic(blow.method, blow.url, blow.body, blow.kind, headers={**headers, **dict(blow.headers)})
        answer.getvalue()  # written while it can still be undone
    client.force_login(table.gm) if "sessionid" in answer.cookies else None
    if answer.status_code >= 500:
        return f"{answer.status_code} {blow} {getattr(answer, 'exc_info', ('', ''))[1]!r:.200}"
    if api and answer.status_code >= 400 and answer.headers.get("Content-Type") != PROBLEM:
        return f"{answer.status_code} as {answer.headers.get('Content-Type')}: {blow}"
    return ""


@contextmanager
def patience() -> Iterator[None]:
    """Whatever takes too long becomes an error of the server."""

    def enough(*_told: object) -> None:
        raise TimeoutError

    before = signal.signal(signal.SIGVTALRM, enough)
    signal.setitimer(signal.ITIMER_VIRTUAL, PATIENCE)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_VIRTUAL, 0)
        signal.signal(signal.SIGVTALRM, before)


def blows(client: Client, table: SimpleNamespace, found: list[Door]) -> Iterator[Blow]:
    yield from (blow for door in found for blow in at(door))
    yield from _right_but_for_one(table, found)
    for door in found:
        if not door.api:
            page = client.get(door.url)
            if page.headers.get("Content-Type", "").startswith("text/html"):
                yield from form_blows(door, page.content.decode())


def _right_but_for_one(table: SimpleNamespace, found: list[Door]) -> Iterator[Blow]:
    for one in operations_at(table, found):
        if one.body:
            yield from json_blows(one.door, one.method, one.body)


def _sampled(client: Client, table: SimpleNamespace, size: int) -> None:
    """A sample of all there is, another one each time; its seed is told when it finds something."""
    seed = random.randrange(10**6)
    chance, found = random.Random(seed), doors(table)
    assert len(found) > 120
    tried = chance.sample(found, at_most(12, full=len(found)))
    everything = list(blows(client, table, tried))
    assert len(everything) > 800 * len(tried)
    sample = chance.sample(everything, size)
    assert faults(client, table, sample) == [], f"seed {seed}"


def test_no_request_breaks_the_server(client, table):
    _sampled(client, table, EVERYDAY)


@pytest.mark.slow
def test_no_request_of_very_many_breaks_the_server(client, table):
    _sampled(client, table, WIDE)
