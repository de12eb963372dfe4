"""Command `compilemo`: compiles the translations."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.translation import compile_stale


class Command(BaseCommand):
    help = "Compiles the message catalogues that are older than their source; needs no gettext installation."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--force", action="store_true", help="compile them all")

    def handle(self, *, force: bool, **options: Any) -> None:
        for path in compile_stale(force=force):
            self.stdout.write(f"Compiled {path}")
