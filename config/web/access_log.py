"""Access log: every request gets an id, a line in the log and its place in the metrics.

The id is returned in `X-Request-ID` and stands in every line logged meanwhile and in every problem document. A trusted
proxy may set it in `X-Request-ID`. Requests are logged by URL pattern without query string, so that keys in addresses
stay out of the log.
"""

from __future__ import annotations

import logging
import re
import time
import uuid
from collections.abc import Callable
from contextlib import AsyncExitStack, nullcontext
from typing import Any

from django.conf import settings
from django.db import connection
from django.http import HttpRequest, HttpResponseBase
from django.utils.csp import build_policy
from django.utils.functional import LazyObject, empty

from config.ops import health_checks
from config.web.gate import Gate
from config.web.server import ENDLESS
from core.client_info import is_among
from core.tracing import RequestNote, under_way
from kingdom.live.stream import application as live

HEADER = b"x-request-id"
WELL_FORMED = re.compile(rb"[A-Za-z0-9._=+/:-]{1,100}")
METHODS = frozenset({"GET", "HEAD", "OPTIONS", "POST", "PUT", "PATCH", "DELETE"})
log = logging.getLogger("warhost.access")


async def accessed(door: Any, scope: Any, receive: Any, send: Any) -> None:
    """Run the ASGI application `door` and log the request afterwards."""
    exchange = RequestNote(id_of(scope), scope["method"] if scope["method"] in METHODS else "OTHER")
    token = under_way.set(exchange)
    began = time.perf_counter()

    async def answering(message: Any) -> None:
        if message["type"] == "http.response.start":
            exchange.status = message["status"]
            message = {**message, "headers": [*message.get("headers", ()), (HEADER, exchange.id.encode())]}
        await send(message)

    try:
        await door(scope, receive, answering)
    finally:
        _write_down(exchange, time.perf_counter() - began, endless=ENDLESS in scope.get("state", {}))
        under_way.reset(token)


def id_of(scope: Any) -> str:
    """Return the id that a trusted proxy gave the request, or a new one."""
    named = [value for name, value in scope["headers"] if name == HEADER]
    peer = (scope.get("client") or ("",))[0]
    if len(named) == 1 and WELL_FORMED.fullmatch(named[0]) and is_among(peer, settings.TRUSTED_PROXIES):
        return str(named[0].decode())
    return uuid.uuid4().hex


def _write_down(exchange: RequestNote, seconds: float, *, endless: bool) -> None:
    if settings.METRICS:
        health_checks.count(exchange, None if endless else seconds)
    if log.isEnabledFor(logging.INFO):
        told = {
            "method": exchange.method,
            "route": exchange.route,
            "status": exchange.status,  # 0: the client was gone before the answer
            "ms": round(seconds * 1000, 1),
            "queries": exchange.queries,
            "user": exchange.user,
        }
        log.info("%(method)s %(route)s %(status)s %(ms)s ms %(queries)s queries user %(user)s", told, extra=told)


class AccessLogMiddleware:
    """Outermost middleware: notes the URL pattern, the user and the number of queries of a request."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        exchange = under_way.get()
        if exchange is None:
            return self.get_response(request)
        with connection.execute_wrapper(exchange.count):
            response = self.get_response(request)
        if request.resolver_match is not None:
            exchange.route = f"/{request.resolver_match.route.removesuffix('$')}"
        exchange.user = _user_of(request)
        return response


def _user_of(request: HttpRequest) -> str:
    """Return the user's id if the request has loaded it, else "-": logging makes no query."""
    user: Any = getattr(request, "user", None)
    if isinstance(user, LazyObject) and user._wrapped is empty:
        return "-"
    return str(user.pk) if user is not None and user.pk else "-"


# Event streams: counted while connected, and given the headers that middleware gives other responses.
#
# Access is checked for a few new streams at a time; an open stream occupies no thread.

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

        with health_checks.instruments().streams.track_inprogress() if settings.METRICS else nullcontext():
            await inside.enter_async_context(opening.entered(receive))
            await live(scope, receive, guarded)
