"""Bridge from ASGI to Django's synchronous stack: runs complete requests on worker threads.

The same middleware costs several times as much under ASGI as in a thread that runs it directly.
"""

from __future__ import annotations

import asyncio
import contextvars
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from http import HTTPStatus
from typing import Any

from django.conf import settings
from django.core import signals
from django.core.handlers.asgi import ASGIRequest
from django.core.handlers.base import BaseHandler
from django.urls import set_script_prefix
from django.utils.translation import gettext_lazy as _

from config.web import gate
from config.web.request_bodies import Arriving, BodyFile, Refused, set_length
from config.web.responses import Answer, answer_of, give
from config.web.small_pool import refusal_of, refuse

UNREADABLE = _("The address contains characters that can’t be read.")


class Pages(BaseHandler):
    """ASGI application. A thread is occupied from the complete request to the complete response."""

    def __init__(self) -> None:
        self.load_middleware()
        self.threads = ThreadPoolExecutor(settings.WORKER_THREADS, thread_name_prefix="page")

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        try:
            await give(await self._answer_to(scope, receive), send)
        except Refused as refused:
            await refuse(scope, receive, send, refused)

    async def _answer_to(self, scope: Any, receive: Any) -> Answer:
        demand_readable(scope)
        with Arriving(scope) as arriving:
            body = await arriving.wait(receive)
            async with gate.pages.entered(receive):
                return await self._in_a_thread(set_length(scope, arriving.size), body)

    async def _in_a_thread(self, scope: Any, body: BodyFile) -> Answer:
        work = contextvars.copy_context().run
        return await asyncio.get_running_loop().run_in_executor(self.threads, work, self.answer, scope, body)

    def answer(self, scope: Any, body: BodyFile) -> Answer:
        set_script_prefix(scope.get("root_path") or "/")
        signals.request_started.send(sender=type(self), scope=scope)
        request = ASGIRequest(scope, body)
        response = self.get_response(request)
        response._handler_class = type(self)  # type: ignore[attr-defined]
        try:
            return answer_of(response, partial(_whose, request))
        except Refused as refused:  # too many downloads; the request itself is complete
            return refusal_of(refused, scope)


def _whose(request: Any) -> str:
    """Return the id of the user, or the address of an anonymous client."""
    user = getattr(request, "user", None)
    return str(user.pk) if user is not None and user.is_authenticated else str(request.META.get("REMOTE_ADDR"))


def demand_readable(scope: Any) -> None:
    try:
        scope["query_string"].decode()
    except UnicodeDecodeError:
        raise Refused(HTTPStatus.BAD_REQUEST, UNREADABLE) from None
