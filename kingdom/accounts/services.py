"""Services for a person's own settings."""

from __future__ import annotations

from django.conf import settings

from core.clean_input import clean_slug
from core.time_zones import clean_zone
from kingdom.access.decorators import unrestricted
from kingdom.models import DiceThrownBy, Units, User


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
