"""Small thread pool for health checks, static files and refusals, which never wait for a worker thread.

As many may wait as there may be connections, so that none is refused.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from io import BytesIO
from typing import Any, cast

from django.conf import settings
from django.core.exceptions import DisallowedHost, RequestDataTooBig, TooManyFieldsSent, TooManyFilesSent
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.exception import convert_exception_to_response
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.http.multipartparser import MultiPartParserError
from django.middleware.csp import ContentSecurityPolicyMiddleware
from django.middleware.security import SecurityMiddleware
from django.template.defaultfilters import filesizeformat
from django.template.loader import render_to_string
from django.utils import translation
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext_lazy as _
from whitenoise.middleware import WhiteNoiseMiddleware

from config.ops.health_checks import healthz, readyz
from config.ops.infrastructure_errors import BUSY, render_trouble
from config.web.gate import Gate
from config.web.request_bodies import TOO_LARGE, Refused, announced, get_limit
from config.web.responses import Answer, answer_of, give, linger
from core.api.problems import MEDIA_TYPE, problem_body
from core.client_info import API_PREFIX

THREADS = 4
threads = ThreadPoolExecutor(THREADS, thread_name_prefix="beside")
gate = Gate(THREADS, settings.CONNECTIONS)

DRAINED = 33_554_432  # most bytes of a refused body that are read and discarded
DRAIN_SECONDS = 10
ViewFunction = Callable[[HttpRequest], HttpResponseBase]


def wrap_view(view: ViewFunction) -> Any:
    """Return the view with the middleware that adds security headers."""
    inner = ContentSecurityPolicyMiddleware(convert_exception_to_response(view))
    return convert_exception_to_response(SecurityMiddleware(inner))


def answer_view(safe: Any, scope: Any) -> Answer:
    """Return the answer of a wrapped view."""
    return answer_of(cast(HttpResponseBase, safe(ASGIRequest({**scope, "query_string": b""}, BytesIO()))))


async def in_a_thread[**P, T](receive: Any, work: Callable[P, T], *args: P.args, **more: P.kwargs) -> T:
    """Return the result of `work`, run in the pool. Raises `ClientGone` if the client disconnects before it begins."""
    async with gate.entered(receive):
        return await asyncio.get_running_loop().run_in_executor(threads, partial(work, *args, **more))


def refusal_of(refused: Refused, scope: Any) -> Answer:
    def view(request: HttpRequest) -> HttpResponseBase:
        return refusal(request, refused.status, refused.said, **refused.params)

    return answer_view(wrap_view(view), scope)


living, ready = wrap_view(healthz), wrap_view(readyz)
too_busy = wrap_view(partial(render_trouble, trouble=BUSY))


async def health(scope: Any, receive: Any, send: Any) -> None:
    """Answer that the process lives, under any host name."""
    await give(answer_view(living, scope), send)


async def readiness(scope: Any, receive: Any, send: Any) -> None:
    """Answer whether this process can serve; the check of the database does not wait behind pages."""
    await give(await in_a_thread(receive, answer_view, ready, scope), send)


async def overload(scope: Any, receive: Any, send: Any) -> None:
    """Answer that the queue is full, without a thread."""
    await give(answer_view(too_busy, scope), send)


async def refuse(scope: Any, receive: Any, send: Any, refused: Refused) -> None:
    """Answer why the body is refused, let the client read that, and close."""
    answer = await in_a_thread(receive, refusal_of, refused, scope)
    answer.headers.append((b"connection", b"close"))
    await give(answer, send, last=False)
    await linger(receive, send, **_patience(scope, refused))


def _patience(scope: Any, refused: Refused) -> dict[str, Any]:
    """Return how long to read on: not at all for a client that asked first (Expect), briefly for one that was too slow
    or would send too much.
    """
    if any(name == b"expect" for name, _value in scope["headers"]):
        return {"seconds": 0, "most": 0}
    brief = refused.status == 408 or announced(scope["headers"]) > DRAINED
    return {"seconds": 1 if brief else DRAIN_SECONDS, "most": DRAINED}


# Refusals of whole requests: a problem document on the API, a page elsewhere. They need no database.


REASONS = (
    (
        DisallowedHost,
        _("This site isn’t configured for that host name. Its administrator must add the name to ALLOWED_HOSTS."),
    ),
    ((TooManyFieldsSent, TooManyFilesSent), _("This form has too many fields. Nothing was changed.")),
    (MultiPartParserError, _("The form could not be read. Nothing was changed. Send it again.")),
)
UNREADABLE = _("The server could not read this request. Nothing was changed.")


def refusal(request: HttpRequest, status: HTTPStatus, said: Any, **params: Any) -> HttpResponse:
    with translation.override(translation.get_language_from_request(request)):
        if limit := params.get("limit"):
            params["limit"] = filesizeformat(limit)
        sentence = str(said) % params if params else str(said)
        if request.path.startswith(API_PREFIX):
            body = problem_body(status, sentence)
            response: HttpResponse = JsonResponse(body, status=status, content_type=MEDIA_TYPE)
        else:
            response = HttpResponse(render_to_string("refused.html", {"said": sentence}), status=status)
        response["Content-Language"] = translation.get_language() or ""
    response["Content-Length"] = str(len(response.content))
    response["Cache-Control"] = "no-store"
    if status in (HTTPStatus.SERVICE_UNAVAILABLE, HTTPStatus.TOO_MANY_REQUESTS):
        response["Retry-After"] = "5"
    patch_vary_headers(response, ("Accept-Language", "Cookie"))
    return response


def bad_request(request: HttpRequest, exception: Exception) -> HttpResponse:
    """Django's handler400, for requests that Django or its parsers refuse."""
    if isinstance(exception, RequestDataTooBig):
        return refusal(request, HTTPStatus.REQUEST_ENTITY_TOO_LARGE, TOO_LARGE, limit=get_limit(request.path))
    said = next((said for kinds, said in REASONS if isinstance(exception, kinds)), UNREADABLE)
    return refusal(request, HTTPStatus.BAD_REQUEST, said)


# Static files: found by WhiteNoise and sent from the small pool.


FILE = "file"  # key of the scope that holds the found file


class Files:
    """ASGI application for the files of STATIC_ROOT; other requests go to `otherwise`."""

    def __init__(self, otherwise: Any):
        self.otherwise = otherwise
        self.noise = WhiteNoiseMiddleware()
        self.safe = wrap_view(self._view)

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        answer = await in_a_thread(receive, self._answer, scope)
        if answer is None:
            await self.otherwise(scope, receive, send)
        else:
            await give(answer, send)

    def _answer(self, scope: Any) -> Answer | None:
        path = scope["path"]
        file = self.noise.find_file(path) if self.noise.autorefresh else self.noise.files.get(path)
        if file is None:
            return None

        return answer_view(self.safe, {**scope, FILE: file})

    def _view(self, request: HttpRequest) -> HttpResponseBase:
        return self.noise.serve(cast(ASGIRequest, request).scope[FILE], request)
