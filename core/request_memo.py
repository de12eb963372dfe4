"""Memo of a request: what is read from the database once, until the request changes something."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

from django.db import connection
from django.http import HttpRequest, HttpResponseBase

_memo: ContextVar[dict[Hashable, Any] | None] = ContextVar("request_memo", default=None)


class RequestMemo:
    """Middleware: keeps the memo. Whatever writes or locks a row empties it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with remember_reads():
            return self.get_response(request)


@contextmanager
def remember_reads() -> Iterator[None]:
    """The same outside of a request: for work that asks the same of many."""
    token = _memo.set({})
    try:
        with connection.execute_wrapper(_forget_on_change):
            yield
    finally:
        _memo.reset(token)


def _forget_on_change(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    memo = _memo.get()
    if memo and (" FOR " in sql or not sql.startswith(("SELECT", "(SELECT"))):
        memo.clear()
    return execute(sql, params, many, context)


def remember(key: Hashable, found: Any) -> None:
    """This was read with something else: `read_once` gives it from now on."""
    memo = _memo.get()
    if memo is not None:
        memo[key] = found


def read_once[Found](key: Hashable, read: Callable[[], Found]) -> Found:
    """What `read` gives, or gave under this key before in the request. Whose it is stands in the key. Without a memo
    it is read each time.
    """
    memo = _memo.get()
    if memo is None:
        return read()
    if key not in memo:
        memo[key] = read()
    found: Found = memo[key]
    return found
