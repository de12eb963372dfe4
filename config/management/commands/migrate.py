"""Command `migrate`: Django's own, run by one process at a time, and old databases by the old migrations."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.commands import migrate
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from config.ops.backups import MIGRATING, startup_lock

PARTIAL = ("migration_name", "plan", "check_unapplied", "fake")
OURS = {"armies", "battles", "kingdom", *(app.rpartition(".")[2] for app in settings.LAW_APPS)}


class Command(migrate.Command):
    help = f"{migrate.Command.help} Several at once take turns."

    def handle(self, *args: Any, **options: Any) -> None:
        def waiting() -> None:
            self.stdout.write("Another process is migrating this database; waiting for it.")

        with startup_lock(MIGRATING, waiting=waiting, database=options["database"]):
            if not any(options[name] for name in PARTIAL):
                finish_replaced_migrations(connections[options["database"]])
            super().handle(*args, **options)


def finish_replaced_migrations(connection: BaseDatabaseWrapper) -> None:
    """Apply the migrations that squashed ones replace, if this database has some of them but not all.

    Django chooses between old and squashed app by app. Old migrations move rows from one app to another, so a database
    that began with them needs them in all apps.
    """
    loader = MigrationLoader(connection)
    squashed = [migration for (app, _name), migration in loader.replacements.items() if app in OURS]
    replaced = {old for migration in squashed for old in migration.replaces}
    applied = loader.applied_migrations.keys() & replaced
    if not applied or applied == replaced:
        return
    executor = MigrationExecutor(connection)
    executor.loader = MigrationLoader(connection, replace_migrations=False)
    executor.migrate(sorted(migration.replaces[-1] for migration in squashed))
