"""Answers to what no view has answered: a problem document below /api/, a page elsewhere.

Requests that cannot be read at all are answered in config/web/refusals.py.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext
from django.utils.translation import gettext_noop as _
from django.views import defaults

from kingdom.api.problems import plain_problem
from kingdom.middleware import API_PREFIX

Handler = Callable[..., HttpResponse]


def _either(code: int, detail: str, page: Handler) -> Handler:
    """A handler for the urlconf: `detail` for tools, `page` for people."""

    def answer(request: HttpRequest, *args: Any, **options: Any) -> HttpResponse:
        if request.path.startswith(API_PREFIX):
            return plain_problem(code, gettext(detail))
        return page(request, *args, **options)

    return answer


permission_denied = _either(403, _("You may not do this."), defaults.permission_denied)
page_not_found = _either(404, _("There is no such address."), defaults.page_not_found)
