"""One server, four doors: health and files never wait, /live/ streams, everything else runs in worker threads."""

from __future__ import annotations

import asyncio
import os
from contextlib import suppress
from typing import Any

import django
from django.conf import settings

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)  # before the modules that read models and settings

from config.web.beside import health  # noqa: E402
from config.web.connections import ENDLESS  # noqa: E402
from config.web.files import Files  # noqa: E402
from config.web.pages import Pages  # noqa: E402
from kingdom.live.stream import application as live  # noqa: E402

LIVE = "/live/"
HEALTH = "/healthz/"
pages = Pages()
files = Files(otherwise=pages)


async def application(scope: Any, receive: Any, send: Any) -> None:
    with suppress(asyncio.CancelledError):  # a stopping server waits for nobody longer than it said
        await _door(scope)(scope, receive, send)


def _door(scope: Any) -> Any:
    path = scope["path"]
    if path == HEALTH:
        return health
    if path.startswith(LIVE):
        scope.setdefault("state", {})[ENDLESS] = True
        return live
    return files if path.startswith(settings.STATIC_URL) else pages
