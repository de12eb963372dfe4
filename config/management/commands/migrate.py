"""Command `migrate`: Django's own, run by one process at a time."""

from __future__ import annotations

from typing import Any

from django.core.management.commands import migrate

from config.ops.backups import MIGRATING, startup_lock


class Command(migrate.Command):
    help = f"{migrate.Command.help} Several at once take turns."

    def handle(self, *args: Any, **options: Any) -> None:
        def waiting() -> None:
            self.stdout.write("Another process is migrating this database; waiting for it.")

        with startup_lock(MIGRATING, waiting=waiting, database=options["database"]):
            super().handle(*args, **options)
