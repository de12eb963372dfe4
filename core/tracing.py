"""Trace of a request: its id, for the log and for the answer."""

from __future__ import annotations

from collections.abc import Callable
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Any


@dataclass(slots=True)
class RequestNote:
    """A request and its answer. `route`: the pattern of its address, never the address: that may hold a secret."""

    id: str
    method: str
    route: str = "-"
    status: int = 0
    user: str = "-"
    queries: int = 0

    def count(self, execute: Callable[..., Any], *arguments: Any) -> Any:
        """Wraps each query of the thread that answers."""
        self.queries += 1
        return execute(*arguments)


under_way: ContextVar[RequestNote | None] = ContextVar("under_way", default=None)


def request_id() -> str:
    """The id of the request under way, "" beside one."""
    exchange = under_way.get()
    return exchange.id if exchange else ""
