"""Database backend: Django's PostgreSQL backend, which also starts the embedded server at the first connection and does
not wait for a database known to be away.
"""

from __future__ import annotations

from typing import Any

import psycopg
from django.db import OperationalError
from django.db.backends.postgresql import base, creation
from psycopg_pool import ConnectionPool, PoolClosed, PoolTimeout

from config.ops import embedded_postgres
from config.postgres import pulse


class InDoubt(OperationalError):
    """The connection broke while a transaction was being committed: it is done, or nothing of it is."""


class DatabaseCreation(creation.DatabaseCreation):
    def sql_table_creation_suffix(self) -> str:
        """The test database collates like the one it stands for."""
        suffix = super().sql_table_creation_suffix()
        if "EMBEDDED" not in self.connection.settings_dict:
            return suffix
        return f"{suffix} LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"

    def _destroy_test_db(self, test_database_name: str, verbosity: int) -> None:
        """FORCE: a live page of the last browser test may still hold its connection."""
        with self._nodb_cursor() as cursor:  # type: ignore[attr-defined]
            cursor.execute(f"DROP DATABASE {self.connection.ops.quote_name(test_database_name)} WITH (FORCE)")


class DatabaseWrapper(base.DatabaseWrapper):
    creation_class = DatabaseCreation

    @property
    def pool(self) -> Any:
        while True:
            try:
                return super().pool
            except KeyError:  # the pulse took it away between two lines
                continue

    def get_connection_params(self) -> dict[str, Any]:
        if home := self.settings_dict.get("EMBEDDED"):
            durable = self.settings_dict.get("EMBEDDED_DURABLE", True)
            self.settings_dict["HOST"] = embedded_postgres.start(home, durable=durable)
        return super().get_connection_params()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """A connection that works. The pool's own check would wait a second after each broken one it finds."""
        while True:
            pulse.require()
            try:
                connection = super().get_new_connection(conn_params)
            except PoolClosed:  # the pulse has put another in its place
                continue
            except PoolTimeout:
                pulse.require()  # it went away meanwhile, which is another answer than "all connections are lent"
                raise
            if not self.pool or _works(connection):
                return connection
            connection._pool.putconn(connection)

    def _configure_connection(self, connection: psycopg.Connection[Any]) -> bool:
        pulse.hold(connection)
        return super()._configure_connection(connection)  # type: ignore[misc]

    def _close(self) -> None:
        """What was opened before there was a pool belongs to none: it is closed, not given back."""
        if self.connection is not None and getattr(self.connection, "_pool", None) is None:
            with self.wrap_database_errors:
                self.connection.close()
            return
        super()._close()  # type: ignore[misc]

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
