"""The live pages, counted while they are connected."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from django.conf import settings

from config.web import metrics
from kingdom.live.stream import application as live


async def streaming(scope: Any, receive: Any, send: Any) -> None:
    with metrics.instruments().streams.track_inprogress() if settings.METRICS else nullcontext():
        await live(scope, receive, send)
