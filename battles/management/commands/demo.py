"""Command `demo`: creates the demo campaigns."""

from __future__ import annotations

import locale
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import translation

from kingdom.models import Campaign, User
from kingdom.onboarding import checklist


class Command(BaseCommand):
    help = "Creates the demo campaign of each ruleset, with armies and a battle under way."

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--once", action="store_true", help="do nothing if there is a campaign already")
        parser.add_argument("--law", default="", help="slug of a ruleset: only its demo campaign")
        parser.add_argument("--owner", help="name of the account that becomes the GM (default: the first one)")

    def handle(self, *, once: bool, owner: str | None, law: str, **options: Any) -> None:
        if once and Campaign.objects.exists():
            return
        user, known = self._owner(owner), [slug for slug, _name in checklist.list_demos()]
        if law and law not in known:
            raise CommandError(f"There is no demo campaign of “{law}”. Choose one of: {', '.join(known)}.")
        for slug in known:
            if law in ("", slug):
                with translation.override(_language_of(user)):
                    campaign = checklist.make(owner=user, law=slug)
                if options["verbosity"]:
                    self.stdout.write(f"The campaign “{campaign}” is loaded.")

    def _owner(self, name: str | None) -> User:
        users = User.objects.order_by("date_joined", "id")
        user = users.filter(username=name).first() if name else users.first()
        if user is None:
            raise CommandError(f"There is no user “{name}”." if name else "There is no user yet: make one first.")
        return user


def _language_of(user: User) -> str:
    """The account's language, by default that of this machine."""
    spoken = user.language or (locale.getlocale()[0] or "")[:2]
    return spoken if spoken in dict(settings.LANGUAGES) else settings.LANGUAGE_CODE
