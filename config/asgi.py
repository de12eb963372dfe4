"""ASGI application: health and static files use a small pool, /live/ streams, everything else runs in worker
threads.
"""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import Any

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)  # before the modules that import models and settings

from config.ops.health_checks import LIVING, READY, SUPERVISED  # noqa: E402
from config.web import lifespan  # noqa: E402
from config.web.access_log import accessed, streaming  # noqa: E402
from config.web.gate import Full  # noqa: E402
from config.web.pages import Pages  # noqa: E402
from config.web.request_bodies import ClientGone  # noqa: E402
from config.web.server import ENDLESS, hang_up  # noqa: E402
from config.web.small_pool import (  # noqa: E402
    Files,
    health,
    overload,
    readiness,
)
from core.tracing import under_way  # noqa: E402

LIVE = "/live/"
pages = Pages()
files = Files(otherwise=pages)


async def application(scope: Any, receive: Any, send: Any) -> None:
    if scope["type"] == "lifespan":
        await lifespan.application(scope, receive, send)
        return
    with suppress(asyncio.CancelledError):  # a stopping server cancels what exceeds its grace period
        await accessed(_answer, scope, receive, send)


async def _answer(scope: Any, receive: Any, send: Any) -> None:
    door, route = _door(scope)
    if (exchange := under_way.get()) is not None:
        exchange.route = route
    try:
        await door(scope, receive, send)
    except Full:
        await overload(scope, receive, send)
    except ClientGone:
        await hang_up(scope)


def _door(scope: Any) -> tuple[Any, str]:
    """Return the ASGI application for the request, and its route in the log until a view sets one."""
    path = scope["path"]
    if path in LIVING:
        return health, "/healthz/"
    if path in READY:
        return readiness, "/readyz/"
    if path.startswith(LIVE):
        scope.setdefault("state", {})[ENDLESS] = True
        return streaming, "/live/<kind>/<id>/"
    if path.startswith(settings.STATIC_URL):
        return files, "/static/<path>"
    return pages, SUPERVISED.get(path, "-")
