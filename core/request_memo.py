"""Memo of a request for database reads. It is emptied when the request changes something."""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from threading import Lock
from typing import Any

import cachetools
from django.db import connection
from django.http import HttpRequest, HttpResponseBase

_memo: ContextVar[dict[Hashable, Any] | None] = ContextVar("request_memo", default=None)


class RequestMemo:
    """Middleware that keeps the memo. Any statement that writes or locks a row empties it."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        with remember_reads():
            return self.get_response(request)


@contextmanager
def remember_reads() -> Iterator[None]:
    """Context manager with a memo outside of requests, for work that reads the same things repeatedly."""
    token = _memo.set({})
    try:
        with connection.execute_wrapper(_forget_on_change):
            yield
    finally:
        _memo.reset(token)


def _forget_on_change(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: dict[str, Any]) -> Any:
    memo = _memo.get()
    if memo and (" FOR " in sql or not sql.startswith(("SELECT", "(SELECT"))):
        forget()
    return execute(sql, params, many, context)


def forget() -> None:
    """Empty the memo: what was read may not be so any more."""
    memo = _memo.get()
    if memo is not None:
        memo.clear()


def remember(key: Hashable, found: Any) -> None:
    """Store a value that was read together with something else, for `read_once`."""
    memo = _memo.get()
    if memo is not None:
        memo[key] = found


def read_once[Found](key: Hashable, read: Callable[[], Found]) -> Found:
    """Return the result of `read`, cached under this key during the request. The key must name the user if the result
    depends on them. Without a memo it is read each time.
    """
    memo = _memo.get()
    if memo is None:
        return read()
    if key not in memo:
        memo[key] = read()
    found: Found = memo[key]
    return found


# LRU cache shared by threads, for keys whose value never changes.


class LRUCache[Key: Hashable, Value]:
    """LRU cache of at most `most` values."""

    def __init__(self, most: int):
        self._found: cachetools.LRUCache[Key, Value] = cachetools.LRUCache(most)
        self._lock = Lock()

    def get(self, key: Key) -> Value | None:
        with self._lock:
            return self._found.get(key)

    def keep(self, key: Key, value: Value) -> Value:
        with self._lock:
            self._found[key] = value
        return value

    def clear(self) -> None:
        with self._lock:
            self._found.clear()

    def __len__(self) -> int:
        return len(self._found)
