"""Command `exportcampaign`: writes a campaign's document."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any
from uuid import UUID

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kingdom.archive.export_rows import write_document
from kingdom.models import Campaign


class Command(BaseCommand):
    help = "Writes a campaign as one JSON document (docs/campaign-documents.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("campaign", type=UUID, nargs="?", help="its id; without one, all campaigns are listed")
        parser.add_argument("file", nargs="?", default="-", help="where to write it; “-”, the default: standard output")
        parser.add_argument("--members", action="store_true", help="with the people at the table, by name")

    def handle(self, *, campaign: UUID | None, file: str, members: bool, **options: Any) -> None:
        if campaign is None:
            for pk, name in Campaign.objects.values_list("pk", "name"):
                self.stdout.write(f"{pk}  {name}")
            return
        found = Campaign.objects.filter(pk=campaign).first()
        if found is None:
            raise CommandError("There is no such campaign: without an id all of them are listed.")
        if file == "-":
            sys.stdout.buffer.writelines(write_document(found, named=members))
        else:
            self._keep(found, Path(file), members)

    def _keep(self, found: Campaign, path: Path, members: bool) -> None:
        """Write the file as a whole or not at all: after a failure the former file remains."""
        part = path.with_name(f"{path.name}.part")
        try:
            with part.open("wb") as stream:
                stream.writelines(write_document(found, named=members))
            part.replace(path)
        except OSError as error:
            raise CommandError(f"{path} cannot be written: {error}") from error
        finally:
            part.unlink(missing_ok=True)
