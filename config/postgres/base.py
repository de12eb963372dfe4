"""Django's PostgreSQL backend, except that the first connection starts the embedded server."""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base, creation

from config import embedded


class DatabaseCreation(creation.DatabaseCreation):
    def sql_table_creation_suffix(self) -> str:
        """The test database collates like the one it stands for."""
        return f"{super().sql_table_creation_suffix()} LOCALE_PROVIDER builtin BUILTIN_LOCALE 'C.UTF-8' LOCALE 'C'"

    def _destroy_test_db(self, test_database_name: str, verbosity: int) -> None:
        """FORCE: a live page of the last browser test may still hold its connection."""
        with self._nodb_cursor() as cursor:  # type: ignore[attr-defined]
            cursor.execute(f"DROP DATABASE {self.connection.ops.quote_name(test_database_name)} WITH (FORCE)")


class DatabaseWrapper(base.DatabaseWrapper):
    creation_class = DatabaseCreation

    def get_connection_params(self) -> dict[str, Any]:
        durable = self.settings_dict.get("EMBEDDED_DURABLE", True)
        self.settings_dict["HOST"] = embedded.start(self.settings_dict["EMBEDDED"], durable=durable)
        return super().get_connection_params()
