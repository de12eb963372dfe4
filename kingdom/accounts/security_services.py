"""Services that write an account's security log."""

from __future__ import annotations

from datetime import timedelta

from django.db.models import F
from django.utils import timezone

from core.client_info import caller
from kingdom.models import SecurityEvent, User

IN_A_ROW = timedelta(hours=1)
Happening = SecurityEvent.Happening


def note(kind: str, *, of: User, about: str = "") -> None:
    """It happened to this account, by whoever sends the request there is."""
    who = caller()
    told = {"user": of, "kind": kind, "address": who.address, "device": who.device}
    SecurityEvent.objects.create(**told, about=about[:120])


def note_failed(*, account: str) -> None:
    """Somebody gave a wrong password or code for the account of this name, if there is one.

    The same from the same place within an hour is one line: nobody fills the log of another.
    """
    user = User.objects.filter(username__iexact=account).first() if account.isprintable() else None
    if user is None:
        return
    who = caller()
    told = {"user": user, "kind": Happening.SIGN_IN_FAILED, "address": who.address, "device": who.device}
    since = timezone.now() - IN_A_ROW
    last = SecurityEvent.objects.filter(**told, at__gt=since).values("pk")[:1]
    if not SecurityEvent.objects.filter(pk__in=last).update(times=F("times") + 1):
        SecurityEvent.objects.create(**told)
