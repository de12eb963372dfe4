"""Command `housekeeping`: deletes expired rows."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand

from config.ops.worker import tidy


class Command(BaseCommand):
    help = "Deletes expired sessions, answers, counts, logs, tasks, guests and campaigns. `serve` does it daily."

    def handle(self, **options: Any) -> None:
        for kind, removed in tidy().items():
            self.stdout.write(f"{kind}: {removed} removed")
