"""No line of any log holds an address that opens something."""

from __future__ import annotations

import io
import json
import logging
import logging.config
from collections.abc import Iterator
from urllib.parse import quote

import pytest
from django.conf import settings as configured
from django.core.mail import EmailMessage
from django.test import Client, RequestFactory
from django.urls import get_resolver, resolve

from config.mail_settings import ConsoleMail, build_mailers
from config.ops.error_reports import strip_personal_data
from config.ops.logs import _routes, redact, secret_addresses

SECRET = "c2VjcmV0-key_9"
ADDRESSES = [
    f"/join/{SECRET}/",
    f"/join/{SECRET}/guest/",
    f"/s/{SECRET}/",
    f"/s/{SECRET}/picture.png",
    f"/live/shared/{SECRET}/",
    f"/accounts/confirm-email/{SECRET}/",
    f"/accounts/password/reset/key/1a-{SECRET}/",
]

LOGGERS = [
    "django.security.csrf", "django.request", "uvicorn.error", "config.web.error_pages", "kingdom", "config.ops.worker",
    "django.server",
]  # fmt: skip


@pytest.fixture(params=["text", "json"])
def lines(request: pytest.FixtureRequest) -> Iterator[io.StringIO]:
    """The log as it is configured, written into this."""
    written = io.StringIO()
    told = {**configured.LOGGING, "handlers": {**configured.LOGGING["handlers"]}}
    told["handlers"]["console"] = {**told["handlers"]["console"], "stream": written, "formatter": request.param}
    told["root"] = {"handlers": ["console"], "level": "DEBUG"}
    logging.config.dictConfig(told)
    yield written
    logging.config.dictConfig(configured.LOGGING)


@pytest.mark.django_db
@pytest.mark.parametrize("address", ADDRESSES)
def test_a_refused_csrf_check_is_told_by_the_pattern_of_its_address(lines, address):
    answer = Client(enforce_csrf_checks=True).post(address, headers={"Referer": f"https://other.example{address}"})
    assert answer.status_code in (403, 405)
    assert SECRET not in lines.getvalue()
    if answer.status_code == 403:
        assert "django.security.csrf" in lines.getvalue()
        assert resolve(address).route in lines.getvalue().replace("\\\\", "\\")


@pytest.mark.parametrize("address", ADDRESSES)
@pytest.mark.parametrize("name", LOGGERS)
def test_whatever_logger_names_such_an_address_the_line_does_not(lines, name, address):
    request = RequestFactory().get(f"{address}?next=/")
    request.resolver_match = resolve(address)
    log = logging.getLogger(name)
    try:
        raise ValueError(f"https://host.example{address}?x=1 is odd")
    except ValueError:
        log.exception("Broken: %s", request.path, extra={"request": request})
    log.error(f"GET {address} HTTP/1.1")
    log.error("GET %s HTTP/1.1", request.get_full_path(), extra={"address": address})
    assert lines.getvalue().count("\n") >= 3
    assert SECRET not in lines.getvalue()


def test_every_address_with_a_key_is_known_and_no_other_is_touched():
    heads = [pattern.pattern for pattern, _shown in secret_addresses(get_resolver())]
    assert len(heads) == 5, "an address with another key: name it in config/ops/logs.py and in ADDRESSES"
    assert len(list(_routes(get_resolver().url_patterns, "/"))) > 200
    for text in ("/accounts/password/reset/key/done/", "/c/1/armies/", "/s/", "/join/", "said: /static/x.css"):
        assert redact(text).rstrip("/").startswith(text.rstrip("/")[:8])
    assert redact(f"POST /join/{SECRET}/ 403") == "POST /join/…/ 403"


@pytest.mark.parametrize("address", ADDRESSES)
def test_an_address_within_the_query_of_another_is_no_better_told(address):
    """A check of CSRF tells the page it came from: the one to sign in names the invitation that led there."""
    for inner in (quote(address, safe=""), quote(quote(address, safe=""), safe=""), quote(address, safe="").lower()):
        told = redact(f"Referer checking failed - https://host.example/accounts/login/?next={inner} does not match")
        assert SECRET.lower() not in told.lower()
        assert told.endswith(" does not match")


def test_a_report_holds_no_such_address():
    event = {"logentry": {"message": "%s", "params": [ADDRESSES[0]]},
             "exception": {"values": [{"value": f"no {ADDRESSES[1]}"}]}, "request": {"url": ADDRESSES[2]}}  # fmt: skip
    assert SECRET not in json.dumps(strip_personal_data(event))


@pytest.mark.parametrize("terminal", [True, False])
def test_printed_mail_says_what_it_is_and_keeps_its_links_to_a_terminal(terminal):
    stream = io.StringIO()
    stream.isatty = lambda: terminal  # type: ignore[method-assign]
    mail = EmailMessage("A new password", f"https://host.example{ADDRESSES[5]}", "a@b.example", ["c@d.example"])
    ConsoleMail(stream=stream).send_messages([mail])
    assert "For development" in stream.getvalue()
    assert (SECRET in stream.getvalue()) is terminal
    assert "A new password" in stream.getvalue()
    backend = build_mailers({"EMAIL_BACKEND": "django.core.mail.backends.console.EmailBackend"})["default"]["BACKEND"]
    assert backend == f"{ConsoleMail.__module__}.{ConsoleMail.__name__}"
