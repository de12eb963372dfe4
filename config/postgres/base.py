"""Django's PostgreSQL backend, except that the first connection starts the embedded server."""

from __future__ import annotations

from typing import Any

from django.db.backends.postgresql import base

from config import embedded


class DatabaseWrapper(base.DatabaseWrapper):
    def get_connection_params(self) -> dict[str, Any]:
        self.settings_dict["HOST"] = embedded.start(self.settings_dict["EMBEDDED"])
        return super().get_connection_params()
