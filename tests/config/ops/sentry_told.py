"""What a Sentry is told of a page that breaks, as JSON, in a process of its own: its client stays in every one it was
started in, between Django and whatever is asked there afterwards.

    python -m tests.config.ops.sentry_told SECRET [whole]

`whole`: the page stands in all of Warhost, which takes seconds to begin, and not behind a door of its own.
"""

from __future__ import annotations

import json
import os
import sys
from typing import Any

import django
from django.conf import settings
from django.http import HttpRequest, HttpResponse
from django.urls import path


def fails_by_mistake(request: HttpRequest) -> HttpResponse:
    raise KeyError("a fault of the program")


urlpatterns = [path("page/mistake/", fails_by_mistake)]


def told(secret: str, *, whole: bool) -> list[dict[str, Any]]:
    """The events, of a page that was sent the secret in its address, its body and its headers."""
    if whole:
        os.environ["DJANGO_SETTINGS_MODULE"] = "config.settings_test"
    else:
        settings.configure(MIDDLEWARE=["django.middleware.common.CommonMiddleware"], USE_I18N=False)
    django.setup()
    import sentry_sdk
    from django.test import Client, override_settings

    from config.ops import error_reports

    events: list[Any] = []
    error_reports.start_sentry("http://key@127.0.0.1:9/1")
    sentry_sdk.get_client().transport.capture_envelope = lambda envelope: events.append(envelope.get_event())
    where = "tests.config.ops.test_trouble" if whole else __name__
    with override_settings(ROOT_URLCONF=where, ALLOWED_HOSTS=["testserver"]):
        client = Client(raise_request_exception=False)
        client.post(f"/page/mistake/?key={secret}", {"password": secret}, headers={"Authorization": secret})
    return [event for event in events if event]


if __name__ == "__main__":
    print(json.dumps(told(sys.argv[1], whole="whole" in sys.argv), default=str))
