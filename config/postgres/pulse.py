"""Pulse of the database: a thread that checks all the time, on its own connection, whether the database answers.

Requests rely on its result instead of finding out one after the other, each with a timeout. When the database is silent
the thread also closes the open connections, so that waiting requests fail at once. It discards the pool, whose pauses
between attempts would delay requests after the database is back. And it restarts the embedded server.
"""

from __future__ import annotations

import logging
import os
import select
import socket
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from typing import Any
from weakref import WeakKeyDictionary

import psycopg
from django.db import connections
from django.db.backends.postgresql import base
from psycopg.pq import ExecStatus

INTERVAL = 0.5  # seconds between two checks; a connection that breaks is noticed at once
SLICE, SLICES = 0.25, 4  # an answer may take a second. Counted in slices, so that a suspended machine has lost only one
RETRY = 0.25  # seconds between attempts to reconnect
CONNECT = 2  # seconds of an attempt, the shortest limit of the driver

log = logging.getLogger(__name__)
_pulse: Pulse | None = None


class DatabaseAway(psycopg.OperationalError):
    """The database is known to be away; no query was sent."""


def start(revive: Callable[[], None] = lambda: None) -> None:
    """Start the pulse of the default database. `revive` is called whenever the database cannot be reached."""
    global _pulse
    _pulse = Pulse(revive)
    _pulse.start()


def stop() -> None:
    global _pulse
    if _pulse:
        _pulse.stop()
        _pulse = None


def require() -> None:
    """Raise `DatabaseAway` while the database is known to be away."""
    if _pulse and _pulse.away:
        raise DatabaseAway("the database does not answer")


def hold(connection: psycopg.Connection[Any]) -> None:
    """Register this connection, to close it when the server falls silent."""
    if _pulse:
        _pulse.hold(connection)


class Pulse:
    """The thread and its result."""

    def __init__(self, revive: Callable[[], None]):
        self.away = False
        self._revive = revive
        self._stopping = threading.Event()
        self._ends: WeakKeyDictionary[psycopg.Connection[Any], socket.socket] = WeakKeyDictionary()
        self._thread = threading.Thread(target=self._beat, name="database-pulse", daemon=True)

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self._stopping.set()
        self._thread.join(CONNECT + 1)

    def hold(self, connection: psycopg.Connection[Any]) -> None:
        # A duplicate: the descriptor's number may belong to another file by the time it is closed.
        self._ends[connection] = socket.socket(fileno=os.dup(connection.fileno()))

    def _beat(self) -> None:
        while not self._stopping.is_set():
            try:
                line = _connect()
            except Exception as error:
                self._miss(str(error))
                self._try_to_revive()
                self._stopping.wait(RETRY)
                continue
            with closing(line):
                self._found()
                silent = self._watch(line)
            if not self._stopping.is_set():
                self._lost(silent=silent)

    def _watch(self, line: psycopg.Connection[Any]) -> bool:
        """Check until there is no answer. Return True if the server is silent, False if the connection broke."""
        readable = select.poll()
        readable.register(line.fileno(), select.POLLIN)
        try:
            while not self._stopping.is_set():
                if not _answers(line, readable):
                    return True
                readable.poll(INTERVAL * 1000)
        except (psycopg.Error, OSError):
            pass
        return False

    def _found(self) -> None:
        if self.away:
            _forget_pool()
            log.warning("The database is back.")
        self.away = False

    def _miss(self, reason: str) -> None:
        if not self.away:
            log.error("The database is away: %s", reason)
            self.away = True
            _forget_pool()  # requests waiting for a connection fail at once
        self._cut()

    def _lost(self, *, silent: bool) -> None:
        """React to a lost connection: reconnecting will show whether the database is away. If it lives, other broken
        connections are found when they are next used, and newer ones are good, so none is closed.
        """
        if silent:
            self._miss("it does not answer")
        _forget_pool()

    def _cut(self) -> None:
        """Close the open connections, so that requests waiting for an answer fail at once."""
        for end in tuple(self._ends.values()):
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)

    def _try_to_revive(self) -> None:
        try:
            self._revive()
        except Exception as error:
            log.error("The database does not start: %s", error)
            self._stopping.wait(1)


def _connect() -> psycopg.Connection[Any]:
    params = {**connections["default"].get_connection_params(), "autocommit": True, "connect_timeout": CONNECT}
    return psycopg.connect(**params)


def _answers(line: psycopg.Connection[Any], readable: select.poll) -> bool:
    """Return whether an empty query is answered in time. Raises `psycopg.OperationalError` if the connection breaks."""
    line.pgconn.send_query(b"")
    for _ in range(SLICES):
        if readable.poll(SLICE * 1000):
            line.pgconn.consume_input()
        if not line.pgconn.is_busy():
            return _drained(line)
    return False


def _drained(line: psycopg.Connection[Any]) -> bool:
    while result := line.pgconn.get_result():
        if result.status == ExecStatus.FATAL_ERROR:
            raise psycopg.OperationalError(result.error_message.decode("utf-8", "replace"))
    return True


def _forget_pool() -> None:
    """Discard the pool; the next request opens a new one. Connections in use continue until they are returned."""
    pool = base.DatabaseWrapper._connection_pools.pop("default", None)  # type: ignore[attr-defined]
    if pool:
        pool.close(timeout=0)
