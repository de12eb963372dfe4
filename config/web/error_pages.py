"""Error handlers for requests that no view has answered: a problem document below /api/, a page elsewhere.

Unreadable requests are answered in config/web/small_pool.py.
"""

from __future__ import annotations

import logging
from collections.abc import Callable
from http import HTTPStatus
from typing import Any

from django.core.exceptions import ObjectNotUpdated
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render
from django.urls import resolve
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views import defaults

from config.ops.logs import route_of
from core.api.problems import build_plain_problem
from core.client_info import API_PREFIX
from core.text import render as render_words
from rules.core.errors import Refusal

log = logging.getLogger(__name__)

Handler = Callable[..., HttpResponse]


def _either(code: int, detail: str, page: Handler) -> Handler:
    """Return a handler for the URL configuration: `detail` for the API, `page` elsewhere."""

    def answer(request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        if request.path.startswith(API_PREFIX):
            return build_plain_problem(code, gettext(detail))
        return page(request, *args, **options)

    return answer


permission_denied = _either(403, _("You aren’t allowed to do this."), defaults.permission_denied)
page_not_found = _either(404, _("This address doesn’t exist."), defaults.page_not_found)


class ToldOnAPage:
    """Middleware that shows a page with a way on for errors of views; nothing has changed.

    It answers a form's address opened as a page (405, for which browsers show nothing), a refusal by the rules outside
    a form (422), and a change of an object just deleted (404). The API has its own errors (`core.api.problems`).
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code != HTTPStatus.METHOD_NOT_ALLOWED or request.path.startswith(API_PREFIX):
            return response
        page = _page(request, HTTPStatus.METHOD_NOT_ALLOWED)
        page["Allow"] = response["Allow"]
        return page

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        if request.path.startswith(API_PREFIX):
            return None
        if isinstance(error, ObjectNotUpdated):
            return page_not_found(request, error)
        if not isinstance(error, Refusal):
            return None
        log.warning("Refused outside of a form: %s", route_of(request), exc_info=error)
        words = [render_words(message) for _field, message in error.errors]
        return _page(request, HTTPStatus.UNPROCESSABLE_ENTITY, words=words)


def _page(request: HttpRequest, status: HTTPStatus, **told: Any) -> HttpResponse:
    return render(request, f"{status}.html", told | {"above": page_above(request.path)}, status=status)


def page_above(path: str) -> str:
    """Return the nearest parent address that a view answers."""
    parts = path.strip("/").split("/")
    for size in range(len(parts) - 1, 0, -1):
        above = f"/{'/'.join(parts[:size])}/"
        try:
            resolve(above)
        except Http404:
            continue
        return above
    return "/"
