"""Command `messages`: collects every translatable sentence in the catalogues."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from config import translation
from config.translation import extract_sentences


class Command(BaseCommand):
    help = "Extracts every translatable sentence and merges it into the catalogues; needs no gettext installation."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--language", default="fr")
        parser.add_argument("--fill", nargs="+", default=[], type=Path, metavar="FILE.json")
        parser.add_argument("--check", action="store_true", help="write nothing; exit 1 naming what is not translated")

    def handle(self, *, language: str, fill: list[Path], check: bool, **options: Any) -> None:
        if check:
            self._check(language)
        else:
            self._merge(language, fill)

    def _check(self, language: str) -> None:
        faults = list(translation.faults(language, extract_sentences()))
        if faults:
            raise CommandError("\n".join([*faults, f"{len(faults)} sentences lack their translation."]))
        self.stdout.write("Every sentence is translated.")

    def _merge(self, language: str, fill: list[Path]) -> None:
        merged = translation.merge(language, extract_sentences())
        for path in fill:
            for unknown in translation.fill(merged, json.loads(path.read_text())):
                self.stderr.write(f"{path.name}: no source says {unknown!r}")
        translation.save(merged, language)
        translation.compile_stale()
        self.stdout.write(f"{language}: {len(merged)} sentences, {merged.percent_translated()}% translated.")
