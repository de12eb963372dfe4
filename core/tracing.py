"""Trace of a request: its id, for the log and the answer."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class RequestNote:
    """Notes on a request and its answer. `route` is the URL pattern, never the URL, which may hold a secret."""

    id: str
    method: str
    route: str = "-"
    status: int = 0
    user: str = "-"
    queries: int = 0

    def count(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        """Count a query. It wraps each query of the answering thread."""
        self.queries += 1
        return execute(*arguments)


under_way: ContextVar[RequestNote | None] = ContextVar("under_way", default=None)


def request_id() -> str:
    """Return the id of the current request, "" outside of one."""
    exchange = under_way.get()
    return exchange.id if exchange else ""
