"""Database backend: Django's PostgreSQL backend, which also starts the embedded server at the first connection and does
not wait for a database known to be away.
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
from django.db import OperationalError, connections
from django.db.backends.postgresql import base, creation
from psycopg.pq import ExecStatus
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from config.ops import embedded_postgres
from core import request_memo

# Pulse of the database: a thread that checks all the time, on its own connection, whether the database answers.
#
# Requests rely on its result instead of finding out one after the other, each with a timeout. When the database is
# silent the thread also closes the open connections, so that waiting requests fail at once. It discards the pool, whose
# pauses between attempts would delay requests after the database is back. And it restarts the embedded server.

INTERVAL = 0.5  # seconds between two checks; a connection that breaks is noticed at once
SLICE, SLICES = 0.25, 4  # limit for an answer: a second, in slices, so that a suspended machine loses only one
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


class InDoubt(OperationalError):
    """The connection broke during a commit: the transaction is done completely or not at all."""


class DatabaseCreation(creation.DatabaseCreation):
    def sql_table_creation_suffix(self) -> str:
        """Return SQL that gives the test database the same collation as the embedded one."""
        suffix = super().sql_table_creation_suffix()
        if "EMBEDDED" not in self.connection.settings_dict:
            return suffix
        return f"{suffix} LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"

    def _destroy_test_db(self, test_database_name: str, verbosity: int) -> None:
        """Drop the test database with FORCE: a live page of the last browser test may still be connected."""
        with self._nodb_cursor() as cursor:  # type: ignore[attr-defined]
            cursor.execute(f"DROP DATABASE {self.connection.ops.quote_name(test_database_name)} WITH (FORCE)")


class DatabaseWrapper(base.DatabaseWrapper):
    creation_class = DatabaseCreation

    @property
    def pool(self) -> Any:
        while True:
            try:
                return super().pool
            except KeyError:  # the pulse removed the pool meanwhile
                continue

    def get_connection_params(self) -> dict[str, Any]:
        if home := self.settings_dict.get("EMBEDDED"):
            durable = self.settings_dict.get("EMBEDDED_DURABLE", True)
            self.settings_dict["HOST"] = embedded_postgres.start(home, durable=durable)
        return super().get_connection_params()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a working connection. The pool's own check would wait a second for each broken one it finds."""
        while True:
            require()
            try:
                connection = super().get_new_connection(conn_params)
            except PoolClosed:  # the pulse has replaced the pool
                continue
            except PoolTimeout:
                require()  # the database went away meanwhile: not the same as a full pool
                raise
            if not self.pool or _works(connection):
                return connection
            connection._pool.putconn(connection)

    def _configure_connection(self, connection: psycopg.Connection[Any]) -> bool:
        hold(connection)
        return super()._configure_connection(connection)  # type: ignore[misc]

    def _close(self) -> None:
        """Close a connection that was opened before the pool existed, instead of returning it to the pool."""
        if self.connection is not None and getattr(self.connection, "_pool", None) is None:
            with self.wrap_database_errors:
                self.connection.close()
            return
        super()._close()  # type: ignore[misc]

    def _rollback(self) -> None:
        super()._rollback()  # type: ignore[misc]
        request_memo.forget()  # what the transaction wrote and read again is not so

    def _commit(self) -> None:
        try:
            super()._commit()  # type: ignore[misc]
        except OperationalError as error:
            if self.connection is None or self.connection.closed:
                raise InDoubt(*error.args) from error
            raise


def _works(connection: psycopg.Connection[Any]) -> bool:
    try:
        ConnectionPool.check_connection(connection)
        return True
    except psycopg.Error:
        return False
