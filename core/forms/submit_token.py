"""Token against double submission: a form sent again (a page reloaded) creates no second thing.

A form bears a mark (`new_submit_token`, as its hidden field `once`); the session keeps that of the latest that made
something.
"""

from __future__ import annotations

from django.http import HttpRequest
from django.utils.crypto import get_random_string

LONGEST = 22


def new_submit_token() -> str:
    """For a form that is drawn."""
    return get_random_string(LONGEST)


def was_submitted(request: HttpRequest, what: str) -> bool:
    """Whether this very form has made its `what` already."""
    mark = _mark(request)
    return bool(mark) and mark == request.session.get(_key(what))


def mark_submitted(request: HttpRequest, what: str) -> None:
    """It has made it now."""
    if mark := _mark(request):
        request.session[_key(what)] = mark


def _mark(request: HttpRequest) -> str:
    return str(request.POST.get("once", ""))[:LONGEST]


def _key(what: str) -> str:
    return f"{what}_sent"
