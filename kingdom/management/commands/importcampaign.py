"""Command `importcampaign`: imports a campaign's document."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from core.text import render
from kingdom.archive.services import restore_campaign
from kingdom.models import User
from rules.core.errors import Refusal


class Command(BaseCommand):
    help = "Brings a campaign in from its JSON document, plain or packed by gzip (docs/campaign-documents.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("file", type=Path)
        parser.add_argument("--gm", required=True, help="name of the account that becomes its GM")
        parser.add_argument(
            "--members", action="store_true", help="seat whoever is named and has an account of that name"
        )

    def handle(self, *, file: Path, gm: str, members: bool, **options: Any) -> None:
        by = User.objects.filter(username=gm).first()
        if by is None:
            raise CommandError(f"Nobody here is called {gm}.")
        try:
            with file.open("rb") as stream:
                found = restore_campaign(by=by, file=stream, everybody=members)
        except OSError as error:
            raise CommandError(f"{file} cannot be read: {error}") from error
        except Refusal as refusal:
            told = (f"{pointer or '/'}: {render(what)}" for pointer, what in refusal.errors)
            raise CommandError("Nothing was brought in.\n" + "\n".join(told)) from refusal
        for warning in found.warnings:
            self.stderr.write(render(warning))
        self.stdout.write(f"{found.campaign.pk}  {found.campaign.name}")
