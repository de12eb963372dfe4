"""One server, two doors: /live/ streams asynchronously, everything else runs in WSGI threads.

Django's middleware stack under ASGI costs several times what it costs under WSGI, so only the pages
that hold a connection open pay for it.
"""

from __future__ import annotations

from typing import Any

from a2wsgi import WSGIMiddleware
from django.conf import settings

from config.wsgi import application as pages  # boots Django, so it comes before the app modules

from battles.live import application as live  # isort: skip

LIVE = "/live/"
threads = WSGIMiddleware(pages, workers=settings.WORKER_THREADS)  # type: ignore[arg-type]


async def application(scope: Any, receive: Any, send: Any) -> None:
    door = live if scope["type"] == "http" and scope["path"].startswith(LIVE) else threads
    await door(scope, receive, send)
