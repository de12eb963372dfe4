"""Abstract base models and fields of the game's tables."""

from __future__ import annotations

import re
import secrets
import threading
import time
import uuid
from datetime import UTC, datetime, timedelta
from functools import lru_cache
from typing import Any

from django.conf import settings
from django.core.validators import MaxValueValidator
from django.db import models
from django.db.models import CharField, Func
from django.utils import timezone

from core.clean_input import LAST_DAY
from core.text_search import Plain, strip_accents

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


EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
MILLISECOND = timedelta(milliseconds=1)


def first_id(moment: datetime) -> uuid.UUID:
    """Return the least id that could have been made at this moment."""
    return uuid.UUID(int=max((moment - EPOCH) // MILLISECOND, 0) << 80 | 0x7 << 76 | 0x2 << 62)


def made_at(key: uuid.UUID) -> datetime:
    """Return the last moment at which this id could have been made: `key >= first_id(moment)` if `made_at(key) >=
    moment`. The epoch for an id of another version, which holds no time.
    """
    if key.version != 7:
        return EPOCH
    return EPOCH + (key.int >> 80) * MILLISECOND + (MILLISECOND - timedelta.resolution)


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


# Natural sort order of names: the 2nd company before the 10th, without regard to case and accents.
#
# It is a function of the column, not a collation: the embedded database has no natural one. Python sorts the same
# way.

DIGITS = 8
"""Numbers are compared by this many of their last digits."""


class Natural(Func):
    """SQL function: the sort key of a text column. Numbers are padded with zeros to the same length."""

    template = (
        r"CASE WHEN %(expressions)s ~ '[0-9]' OR octet_length(%(expressions)s) <> char_length(%(expressions)s) THEN"
        rf" regexp_replace(regexp_replace({Plain.template}, '([0-9]+)', '{'0' * DIGITS}\1', 'g'),"
        rf" '[0-9]*([0-9]{{{DIGITS}}})', '\1', 'g') ELSE lower(%(expressions)s) END"
    )
    output_field = CharField()
    arity = 1


@lru_cache(maxsize=4_096)
def make_natural_key(text: str) -> str:
    """Return the same key of a text, for `sorted`."""
    return re.sub("[0-9]+", lambda number: number[0].zfill(DIGITS)[-DIGITS:], strip_accents(text))


# Model of stored answers, so that a repeated request is not executed twice.


class IdempotencyRecord(models.Model):
    """The answer to a user's POST with an Idempotency-Key. `status` is null while the request runs."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, models.CASCADE, related_name="+")
    key = models.CharField(max_length=200)
    fingerprint = models.CharField(max_length=64)
    status = models.PositiveSmallIntegerField(null=True)
    headers = models.JSONField(default=dict)
    body = models.TextField(blank=True)
    at = models.DateTimeField(default=timezone.now, editable=False)

    class Meta:
        constraints = (models.UniqueConstraint(name="idempotency_key_once", fields=("user", "key")),)
        indexes = (models.Index(fields=("user", "at"), name="idempotency_age"),)

    def __str__(self) -> str:
        return self.key
