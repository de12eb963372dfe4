"""Ids of requests, the access log, reports of what broke, and the metrics."""

from __future__ import annotations

import json
import logging
import os
import re
import subprocess
import sys
from typing import Any

import pytest
from django.conf import settings as live_settings
from django.core import mail
from django.core.exceptions import ImproperlyConfigured

from config.limits import parse_proxies
from config.ops import error_reports, health_checks, logs
from core.tracing import RequestNote, under_way
from tests.browsing import Server
from tests.config.house import ROOT
from tests.config.web.wire import Reply, Wire, eventually
from tests.everyday import everyday

SECRET = "a-secret-nobody-may-read"


def ask(site: Server, path: str, *lines: str, **more: Any) -> Reply:
    with Wire(site.url) as wire:
        return wire.ask(path, *lines, **more)


@pytest.fixture
def noted(caplog: pytest.LogCaptureFixture) -> Any:
    caplog.set_level(logging.INFO, "warhost.access")

    def lines(count: int = 1) -> list[Any]:
        assert eventually(lambda: len(found()) >= count)
        return found()

    def found() -> list[Any]:
        return [record for record in caplog.records if record.name == "warhost.access"]

    return lines


def test_a_problem_names_its_request_as_header_and_log_do(server, noted):
    reply = ask(server, "/api/v1/campaigns/")
    named = reply.headers["x-request-id"]
    assert re.fullmatch("[0-9a-f]{32}", named)
    assert json.loads(reply.body)["instance"] == f"urn:warhost:request:{named}"
    (line,) = noted()
    assert (line.method, line.route, line.status, line.user) == ("GET", "/api/v1/campaigns/", 401, "-")


def test_every_kind_of_door_names_its_request(server, noted):
    paths = ("/healthz", "/healthz/", "/readyz", "/readyz/", "/static/favicon.svg", "/nothing/", "/credits/")
    replies = [ask(server, path) for path in paths]
    assert [reply.status for reply in replies] == [200, 200, 200, 200, 200, 404, 200]
    assert len({reply.headers["x-request-id"] for reply in replies}) == len(paths)
    routes = [line.route for line in noted(len(paths))]
    assert routes == ["/healthz/", "/healthz/", "/readyz/", "/readyz/", "/static/<path>", "-", "/credits/"]


@pytest.mark.parametrize(
    ("sent", "trusted", "kept"),
    [("edge-1:7", True, True), ("edge-1:7", False, False), ("two words", True, False), ("x" * 101, True, False)],
)
def test_an_id_is_taken_over_from_a_trusted_proxy_only(server, settings, sent, trusted, kept):
    settings.TRUSTED_PROXIES = parse_proxies(["127.0.0.1"]) if trusted else ()
    answered = ask(server, "/healthz/", f"X-Request-ID: {sent}").headers["x-request-id"]
    assert (answered == sent) is kept


def test_the_access_log_knows_who_and_never_what_was_sent(server, client, django_user_model, noted, caplog):
    gm = django_user_model.objects.create_user("sella")
    client.force_login(gm)
    cookie = f"Cookie: sessionid={client.cookies['sessionid'].value}"
    ask(server, f"/?next={SECRET}", cookie, f"Authorization: Token {SECRET}")
    ask(server, f"/nothing/{SECRET}/", cookie)
    first, second = noted(2)
    assert (first.user, first.route, first.status) == (str(gm.pk), "/", 200)
    assert first.queries > 0
    assert first.ms > 0
    assert second.status == 404
    formatter = logging.Formatter(logs.LINE, style="{")
    for record in caplog.records:
        logs.WithRequest().filter(record)
        assert SECRET not in formatter.format(record)


def test_a_line_as_json_holds_its_request_and_nothing_django_hung_on_it(rf):
    made = logs.build_formatters()["json"]
    from pythonjsonlogger.json import JsonFormatter

    formatter = JsonFormatter(**{key: value for key, value in made.items() if key != "()"})
    record = logging.LogRecord(
        "django.request", logging.ERROR, __file__, 1, "%s: %s", ("Broken", f"/x/{SECRET}/"), None
    )
    record.request = rf.get(f"/x/{SECRET}/", headers={"Authorization": SECRET})
    record.request.resolver_match = None
    token = under_way.set(RequestNote("the-id", "GET"))
    assert logs.ByPattern().filter(record)
    assert logs.WithRequest().filter(record)
    under_way.reset(token)
    line = json.loads(formatter.format(record))
    assert {key: line[key] for key in ("level", "logger", "request_id", "message")} == {
        "level": "ERROR",
        "logger": "django.request",
        "request_id": "the-id",
        "message": "Broken: -",
    }
    assert SECRET not in json.dumps(line)


def test_a_log_of_no_known_format_is_refused_by_name():
    with pytest.raises(ImproperlyConfigured, match="LOG_FORMAT"):
        logs.read_format("xml")


def failing(handler: logging.Handler, said: str) -> None:
    log = logging.Logger("warhost.something")
    log.addHandler(handler)
    try:
        raise KeyError("the fault")
    except KeyError:
        log.exception(said)


def test_an_error_is_mailed_once_in_a_while_with_its_trace(settings):
    settings.ADMINS = ["gm@example.org"]
    handler = error_reports.ErrorMail(logging.ERROR)
    for _ in range(3):
        failing(handler, "It broke.")
    assert eventually(lambda: len(mail.outbox) == 1)
    (sent,) = mail.outbox
    assert sent.to == ["gm@example.org"]
    assert "ERROR warhost.something: KeyError in failing" in sent.subject
    assert "It broke." in sent.body
    assert 'raise KeyError("the fault")' in sent.body


@pytest.mark.parametrize("how", everyday(["by itself", "whole"], first=1))
def test_a_sentry_is_told_what_broke_and_not_what_was_sent(how):
    command = [sys.executable, "-m", "tests.config.ops.sentry_told", SECRET, how]
    said = subprocess.run(command, cwd=ROOT, capture_output=True, text=True, check=True).stdout
    (event,) = json.loads(said)
    assert event["exception"]["values"][-1]["type"] == "KeyError"
    assert SECRET not in said
    assert "request" not in event


def test_what_a_sentry_is_told_names_the_request_by_its_id_and_the_pattern_of_its_address():
    sent = {"url": f"/x/{SECRET}/"}
    told = {"request": sent, "user": sent, "breadcrumbs": [sent], "extra": sent, "transaction": f"/x/{SECRET}/"}
    token = under_way.set(RequestNote("the-id", "POST", "x/<secret>/"))
    event = error_reports.strip_personal_data(told)
    under_way.reset(token)
    assert event == {"tags": {"request_id": "the-id"}, "transaction": "POST x/<secret>/"}


def test_a_sentry_without_its_client_says_what_to_install(monkeypatch):
    monkeypatch.setitem(sys.modules, "sentry_sdk", None)
    with pytest.raises(ImproperlyConfigured, match="pip install sentry-sdk"):
        error_reports.start_sentry("http://key@127.0.0.1:9/1")


@pytest.fixture
def measured(settings):
    settings.METRICS, settings.METRICS_TOKEN, settings.METRICS_FROM = True, "let-me-in", ()
    return settings


def test_metrics_are_nobodys_unless_somebody_is_named(client, db):
    assert not live_settings.METRICS
    assert client.get("/metrics/").status_code == 404


@pytest.mark.parametrize(
    ("headers", "address", "status"),
    [
        ({"Authorization": "Bearer let-me-in"}, "192.0.2.9", 200),
        ({"Authorization": "Bearer let-me-out"}, "192.0.2.9", 404),
        ({"Authorization": "Bearer "}, "192.0.2.9", 404),
        ({}, "192.0.2.9", 404),
        ({}, "10.1.2.3", 200),
    ],
)
def test_metrics_are_read_by_token_or_from_a_named_network(client, db, measured, headers, address, status):
    measured.METRICS_FROM = parse_proxies(["10.0.0.0/8"])
    assert client.get("/metrics/", headers=headers, REMOTE_ADDR=address).status_code == status


def test_an_empty_token_opens_nothing(client, db, measured):
    measured.METRICS_TOKEN = ""
    assert client.get("/metrics/", headers={"Authorization": "Bearer "}).status_code == 404


def test_metrics_count_by_pattern_however_many_addresses_are_tried(server, measured):
    authorised = "Authorization: Bearer let-me-in"

    def series() -> list[str]:
        told = ask(server, "/metrics", authorised).text
        return [line for line in told.splitlines() if line.startswith("warhost_requests_total{")]

    for number in range(20):
        ask(server, f"/nothing/{number}/")
        ask(server, f"/no-such-{number}/", method=f"ODD{number}")
    (missed,) = [line for line in series() if 'route="-",status="404"' in line and 'method="GET"' in line]
    assert float(missed.split()[-1]) >= 20
    assert not [line for line in series() if "nothing" in line or "ODD" in line]


def test_processes_count_together_and_the_dead_have_no_streams(tmp_path, monkeypatch):
    from prometheus_client import generate_latest  # before anything is shared: this process goes on counting alone
    from prometheus_client.mmap_dict import MmapedDict, mmap_key

    monkeypatch.delenv(health_checks.SHARED, raising=False)
    health_checks.share(tmp_path)
    room = os.environ[health_checks.SHARED]
    try:
        for number in (1, 2**22 + 1):  # a process that lives, and a number that none can have
            kept = MmapedDict(f"{room}/gauge_livesum_{number}.db")
            kept.write_value(mmap_key("warhost_live_streams", "warhost_live_streams", [], [], "-"), 3, 0)
            kept.close()
        told = generate_latest(health_checks._of_all()).decode()
    finally:
        health_checks.end_sharing()
    assert "warhost_live_streams 3.0" in told
    assert not list((tmp_path / "metrics").iterdir())
