"""Bounded queue before the worker threads: a limit on running requests and on waiting ones. A client that disconnects
leaves the queue.

The queue of a `ThreadPoolExecutor` is unbounded and would still run requests whose clients are gone.
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from typing import Any

from django.conf import settings

from config.web.request_bodies import ClientGone


class Full(Exception):
    """The queue is full."""


class Gate:
    """`inside`: requests that run at once. `waiting`: how many more may wait, in the order of arrival."""

    def __init__(self, inside: int, waiting: int):
        self._turns = asyncio.Semaphore(inside)
        self._most = waiting
        self._waiting = 0

    @property
    def is_full(self) -> bool:
        return self._waiting >= self._most

    @asynccontextmanager
    async def entered(self, receive: Any) -> AsyncIterator[None]:
        """Context of a running request, whose body has been read. Raises `Full`, or `ClientGone` while it waits."""
        if self._turns.locked():
            await self._wait(receive)
        else:
            await self._turns.acquire()
        try:
            yield
        finally:
            self._turns.release()

    async def _wait(self, receive: Any) -> None:
        if self.is_full:
            raise Full
        turn, gone = asyncio.ensure_future(self._turns.acquire()), asyncio.ensure_future(hung_up(receive))
        has_turn = False
        self._waiting += 1
        try:
            await asyncio.wait((turn, gone), return_when=asyncio.FIRST_COMPLETED)
            if gone.done():
                raise ClientGone
            has_turn = True
        finally:
            self._waiting -= 1
            gone.cancel()
            if not has_turn and not turn.cancel():
                self._turns.release()  # the client left at the same moment


async def hung_up(receive: Any) -> None:
    """Return when the client has disconnected."""
    while (await receive())["type"] != "http.disconnect":
        pass


pages = Gate(settings.WORKER_THREADS, settings.QUEUE)
