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
            pulse.require()
            try:
                connection = super().get_new_connection(conn_params)
            except PoolClosed:  # the pulse has replaced the pool
                continue
            except PoolTimeout:
                pulse.require()  # the database went away meanwhile: not the same as a full pool
                raise
            if not self.pool or _works(connection):
                return connection
            connection._pool.putconn(connection)

    def _configure_connection(self, connection: psycopg.Connection[Any]) -> bool:
        pulse.hold(connection)
        return super()._configure_connection(connection)  # type: ignore[misc]

    def _close(self) -> None:
        """Close a connection that was opened before the pool existed, instead of returning it to the pool."""
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
