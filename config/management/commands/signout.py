"""Command `signout`: ends the sessions of one account or of all."""

from __future__ import annotations

from typing import Any

from django.core.management.base import BaseCommand, CommandError, CommandParser

from kingdom.accounts.services import end_sessions, end_tokens
from kingdom.models import User


class Command(BaseCommand):
    help = "Ends every session of an account, or of everybody; with --tokens their API tokens, too."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("username", nargs="?", default="")
        parser.add_argument("--everybody", action="store_true")
        parser.add_argument("--tokens", action="store_true")

    def handle(self, *, username: str, everybody: bool, tokens: bool, **options: Any) -> None:
        if bool(username) == everybody:
            raise CommandError("Name an account, or say --everybody.")
        users = User.objects.all() if everybody else User.objects.filter(username=username)
        if not users:
            raise CommandError(f"There is no account named {username}.")
        sessions = sum(end_sessions(of=user) for user in users)
        ended = sum(end_tokens(of=user) for user in users) if tokens else 0
        self.stdout.write(f"{sessions} sessions and {ended} tokens ended.")
