"""The live pages, counted while they are connected, with the headers every other answer gets from middleware."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from django.conf import settings
from django.utils.csp import build_policy

from config.web import metrics
from kingdom.live.stream import application as live

GUARDS = (
    (b"content-security-policy", build_policy(settings.SECURE_CSP).encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", settings.SECURE_REFERRER_POLICY.encode()),
)


async def streaming(scope: Any, receive: Any, send: Any) -> None:
    async def guarded(message: Any) -> None:
        if message["type"] == "http.response.start":
            message = {**message, "headers": [*message["headers"], *GUARDS]}
        await send(message)

    with metrics.instruments().streams.track_inprogress() if settings.METRICS else nullcontext():
        await live(scope, receive, guarded)
