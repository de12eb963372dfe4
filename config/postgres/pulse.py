"""Pulse of the database: one thread asks all the time whether it answers, on a connection of its own.

Requests go by its verdict instead of finding out for themselves, one after the other, each waiting its turn.
What the thread sees also acts: a server that is away has its connections cut, so that whoever waits for it
gets an error at once; the pool is made anew whenever the database comes back, because the old one still waits
out the pauses between its attempts; the embedded server is started again.
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

INTERVAL = 0.5  # seconds between two questions; a connection that breaks is noticed at once
SLICE, SLICES = 0.25, 4  # an answer may take a second. Counted in slices: a machine that slept has used up one
RETRY = 0.25  # seconds between attempts to reach the database again
CONNECT = 2  # seconds an attempt may take; the driver knows no shorter limit

log = logging.getLogger(__name__)
_pulse: Pulse | None = None


class DatabaseAway(psycopg.OperationalError):
    """The database is known not to answer; it was not asked."""


def start(revive: Callable[[], None] = lambda: None) -> None:
    """Feel the pulse of the default database until `stop`. `revive` is called whenever it cannot be reached."""
    global _pulse
    _pulse = Pulse(revive)
    _pulse.start()


def stop() -> None:
    global _pulse
    if _pulse:
        _pulse.stop()
        _pulse = None


def require() -> None:
    """Raises `Away` while the database is known not to answer."""
    if _pulse and _pulse.away:
        raise DatabaseAway("the database does not answer")


def hold(connection: psycopg.Connection[Any]) -> None:
    """Keep an end of this connection in the hand, to cut it when the server falls silent."""
    if _pulse:
        _pulse.hold(connection)


class Pulse:
    """The thread and its verdict."""

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
        # A duplicate: the number of the connection's own descriptor may mean another file by the time it is cut.
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
        """Ask until there is no answer. True when the server is silent, False when the connection broke."""
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
            _forget_pool()  # whoever waits for a connection need not wait on
        self._cut()

    def _lost(self, *, silent: bool) -> None:
        """A new attempt tells whether the database is away. Where it lives, connections that broke too are found when
        they are lent again, and those that have been made since are good: none is cut.
        """
        if silent:
            self._miss("it does not answer")
        _forget_pool()

    def _cut(self) -> None:
        """Whoever waits for an answer on a connection need not wait on."""
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
    """Whether an empty question is answered in time. Raises `psycopg.OperationalError` when the connection breaks."""
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
    """The next request opens a new one. Connections in use go on until they are given back."""
    pool = base.DatabaseWrapper._connection_pools.pop("default", None)  # type: ignore[attr-defined]
    if pool:
        pool.close(timeout=0)
