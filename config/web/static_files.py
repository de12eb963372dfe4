"""Static files: found by WhiteNoise and sent without a worker thread."""

from __future__ import annotations

from typing import Any, cast

from django.core.handlers.asgi import ASGIRequest
from django.http import HttpRequest, HttpResponseBase
from whitenoise.middleware import WhiteNoiseMiddleware

from config.web.responses import Answer, give
from config.web.small_pool import answer_view, in_a_thread, wrap_view

FILE = "file"  # where the scope carries what was found


class Files:
    """An ASGI application for the files of STATIC_ROOT; what is none of them is left to `otherwise`."""

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
