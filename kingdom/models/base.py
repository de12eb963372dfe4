"""Abstract base models and fields of the game's tables."""

from __future__ import annotations

import secrets
import threading
import time
import uuid
from typing import Any

from django.core.validators import MaxValueValidator
from django.db import models

from core.clean_input import LAST_DAY

_lock = threading.Lock()
_last = 0


def uuid7() -> uuid.UUID:
    """Return a UUIDv7 (RFC 9562). Ids sort by creation, within one process even inside a millisecond.

    It is made here because the database's own function needs a query and PostgreSQL 18.
    """
    global _last
    with _lock:
        # 48 bits of time and 74 random bits; a value not above the last one becomes its successor.
        _last = max(time.time_ns() // 1_000_000 << 74 | secrets.randbits(74), _last + 1)
        value = _last
    moment, high, low = value >> 74, value >> 62 & 0xFFF, value & (1 << 62) - 1
    return uuid.UUID(int=moment << 80 | 0x7 << 76 | high << 64 | 0x2 << 62 | low)


class Uuid7Model(models.Model):
    id = models.UUIDField(primary_key=True, default=uuid7, editable=False)

    class Meta:
        abstract = True


class CampaignOwned(Uuid7Model):
    """A row below a campaign. Its `campaign_id` makes access one indexed condition."""

    campaign = models.ForeignKey("kingdom.Campaign", models.CASCADE, related_name="+")

    class Meta:
        abstract = True


class DayField(models.PositiveIntegerField):
    """A day of the campaign, up to `most`. The database column is a plain integer."""

    def __init__(self, *args: Any, most: int = LAST_DAY, **options: Any):
        super().__init__(*args, **{**options, "validators": [MaxValueValidator(most)]})
        self.most = most

    def deconstruct(self) -> Any:
        name, _path, args, options = super().deconstruct()
        options.pop("validators", None)
        return name, "django.db.models.PositiveIntegerField", args, options

    def clone(self) -> Any:
        _name, _path, args, options = self.deconstruct()
        return type(self)(*args, most=self.most, **options)
