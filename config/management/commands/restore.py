"""Command `restore`: restores a backup."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.ops import backups


class Command(BaseCommand):
    help = "Puts back what `backup` has written, whole or not at all. Older ones are brought up to this version."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="instead of what the database holds now")

    def handle(self, *, file: Path, replace: bool, **options: Any) -> None:
        told = backups.restore(file, replace=replace, say=self.stdout.write)
        self.stdout.write(f"Restored as it was at {told}.")
