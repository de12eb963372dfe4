"""What must never wait for a worker thread: health, files and refusals have a few threads of their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from io import BytesIO
from typing import Any, cast

from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponseBase
from django.middleware.csp import ContentSecurityPolicyMiddleware
from django.middleware.security import SecurityMiddleware

from config.health import healthz
from config.web.answers import Answer, answer_of, give, linger
from config.web.bodies import Refused, announced
from config.web.refusals import refusal

threads = ThreadPoolExecutor(4, thread_name_prefix="beside")

DRAINED = 33_554_432  # bytes of a refused body that are read and thrown away
DRAIN_SECONDS = 10
ViewFunction = Callable[[HttpRequest], HttpResponseBase]


def guarded(view: ViewFunction) -> Any:
    """The view between the middleware that gives every page its headers."""
    inner = ContentSecurityPolicyMiddleware(convert_exception_to_response(view))
    return convert_exception_to_response(SecurityMiddleware(inner))


def answered(safe: Any, scope: Any) -> Answer:
    """What a guarded view answers."""
    return answer_of(cast(HttpResponseBase, safe(ASGIRequest({**scope, "query_string": b""}, BytesIO()))))


def refusal_of(refused: Refused, scope: Any) -> Answer:
    def view(request: HttpRequest) -> HttpResponseBase:
        return refusal(request, refused.status, refused.said, **refused.params)

    return answered(guarded(view), scope)


living = guarded(healthz)


async def health(scope: Any, receive: Any, send: Any) -> None:
    """The process lives. Whoever asks, by whatever name."""
    await give(answered(living, scope), send)


async def refuse(scope: Any, receive: Any, send: Any, refused: Refused) -> None:
    """Say why the body is not taken, let the client read it, and close."""
    answer = await asyncio.get_running_loop().run_in_executor(threads, refusal_of, refused, scope)
    answer.headers.append((b"connection", b"close"))
    await give(answer, send, last=False)
    await linger(receive, send, **_patience(scope, refused))


def _patience(scope: Any, refused: Refused) -> dict[str, Any]:
    """None for who asked before sending, little for who was too slow already or would send too much anyway."""
    if any(name == b"expect" for name, _value in scope["headers"]):
        return {"seconds": 0, "most": 0}
    brief = refused.status == 408 or announced(scope["headers"]) > DRAINED
    return {"seconds": 1 if brief else DRAIN_SECONDS, "most": DRAINED}
