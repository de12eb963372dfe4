"""Event streams: counted while connected, and given the headers that middleware gives other responses.

Access is checked for a few new streams at a time; an open stream occupies no thread.
"""

from __future__ import annotations

from contextlib import AsyncExitStack, nullcontext
from typing import Any

from django.conf import settings
from django.utils.csp import build_policy

from config.web import metrics
from config.web.gate import Gate
from kingdom.live.stream import application as live

GUARDS = (
    (b"content-security-policy", build_policy(settings.SECURE_CSP).encode()),
    (b"x-content-type-options", b"nosniff"),
    (b"referrer-policy", settings.SECURE_REFERRER_POLICY.encode()),
)


opening = Gate(4, settings.CONNECTIONS)


async def streaming(scope: Any, receive: Any, send: Any) -> None:
    async with AsyncExitStack() as inside:

        async def guarded(message: Any) -> None:
            if message["type"] == "http.response.start":
                await inside.aclose()
                message = {**message, "headers": [*message["headers"], *GUARDS]}
            await send(message)

        with metrics.instruments().streams.track_inprogress() if settings.METRICS else nullcontext():
            await inside.enter_async_context(opening.entered(receive))
            await live(scope, receive, guarded)
