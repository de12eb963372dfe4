"""Command `backup`: writes the database and the keys to one file."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandParser

from config.ops import backups


class Command(BaseCommand):
    help = "Writes everything into one file: the database as it is at one moment, and the keys of this installation."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--replace", action="store_true", help="write over a file that is there")

    def handle(self, *, file: Path, replace: bool, **options: Any) -> None:
        size = backups.back_up(file, replace=replace)
        self.stdout.write(f"{file}: {size} bytes. It holds passwords' hashes and keys: keep it as you keep those.")
