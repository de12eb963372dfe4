"""Services for a person's own settings."""

from __future__ import annotations

from datetime import timedelta

from django.conf import settings
from django.db.models import F
from django.utils import timezone

from core.clean_input import clean_slug
from core.client_info import caller
from core.time_zones import clean_zone
from kingdom.access.decorators import unrestricted
from kingdom.models import DiceThrownBy, SecurityEvent, Units, User


@unrestricted("It is his own account.")
def choose_settings(
    *,
    by: User,
    language: str | None = None,
    dice: str | None = None,
    sound: bool | None = None,
    notices: bool | None = None,
    keys: bool | None = None,
    units: str | None = None,
    time_zone: str | None = None,
) -> None:
    """What a person settles for themselves (`User`); what is None stays. Raises `InvalidInput`."""
    if language is not None:
        by.language = clean_slug(language, field="/language", among=["", *dict(settings.LANGUAGES)])
    if dice is not None:
        by.dice = clean_slug(dice, field="/dice", among=DiceThrownBy.values)
    if units:
        by.units = clean_slug(units, field="/units", among=Units.values)
    if time_zone is not None:
        by.time_zone = clean_zone(time_zone, field="/time_zone")
    by.sound = by.sound if sound is None else sound
    by.notices = by.notices if notices is None else notices
    by.keys = by.keys if keys is None else keys
    by.save(update_fields=["language", "dice", "sound", "notices", "keys", "units", "time_zone"])


# Services that write an account's security log.


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
