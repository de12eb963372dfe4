"""Throttling: the API by token, account and address, pages by account and address, and costly requests.

The counts stand beside those of wrong passwords (`kingdom.accounts.rate_limits`), so all processes share them: one
query for a request, whatever it is counted under. `settings.PER_MINUTE` says how often; 0 counts nothing.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from functools import wraps
from typing import Any

from django.conf import settings
from django.db import OperationalError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import render

from core.client_info import get_limit_address, request_words
from kingdom.accounts.rate_limits import Limit, count_attempts
from kingdom.middleware import API_PREFIX
from kingdom.models import ApiToken

MINUTES = 1


def count_call(request: Any, counted: str = "") -> float:
    """Count a request to the API, as `counted` besides. Answers the seconds to wait when there were too many, else 0.

    `counted`: "costly", "search"; "": as nothing more than a request.
    """
    return count_attempts([*_called(request), *(_dear(request, counted) if counted else ())])


def count_page(request: Any) -> float:
    """Count a page: of whoever has signed in by account, of anybody else by address."""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
    counted = ("page-account", str(request.user.pk)) if known else ("page-address", get_limit_address(request))
    return count_attempts([*_limited(*counted)])


def count_wrong_token(request: Any) -> float:
    """Count a token that is none, by the address it comes from."""
    return count_attempts([*_limited("wrong-token", get_limit_address(request))])


def _called(request: Any) -> Iterator[tuple[Limit, str]]:
    if not request.user.is_authenticated:
        yield from _limited("api-address", get_limit_address(request))
        return
    yield from _limited("api-account", str(request.user.pk))
    if isinstance(request.auth, ApiToken):
        yield from _limited("api-token", str(request.auth.public_id))


def _dear(request: Any, counted: str) -> Iterator[tuple[Limit, str]]:
    user = request.user
    yield from _limited(counted, str(user.account.pk) if user.is_authenticated else get_limit_address(request))


def _limited(what: str, who: str) -> Iterator[tuple[Limit, str]]:
    if most := settings.PER_MINUTE[what]:
        yield Limit(what, most, MINUTES), who


def limit_page[**P](what: str) -> Callable[[Callable[P, HttpResponseBase]], Callable[P, HttpResponseBase]]:
    """Decorator of a page that takes long to make or is large ("costly", "search"): 429 for who asks for too many."""

    def around(view: Callable[P, HttpResponseBase]) -> Callable[P, HttpResponseBase]:
        @wraps(view)
        def asked(*args: P.args, **given: P.kwargs) -> HttpResponseBase:
            request: Any = args[0]
            if wait := count_attempts([*_dear(request, what)]):
                return render_too_often(request, request_words(wait), wait)
            return view(*args, **given)

        return asked

    return around


class PageLimits:
    """Middleware: 429 for whoever asks for too many pages. The API counts what it is asked itself."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if not request.path.startswith(API_PREFIX) and (wait := self._wait(request)):
            return render_too_often(request, request_words(wait), wait)
        return self.get_response(request)

    @staticmethod
    def _wait(request: HttpRequest) -> float:
        try:
            return count_page(request)
        except OperationalError:  # some pages need no database, and the others say that it is away
            return 0


def render_too_often(request: HttpRequest, words: str, wait: float) -> HttpResponse:
    """The page that says so. `wait`: seconds."""
    response = render(request, "429.html", {"words": words}, status=429)
    response["Retry-After"] = str(math.ceil(wait))
    return response
