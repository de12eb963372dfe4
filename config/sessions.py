"""Sessions as Django keeps them in the database. Every page of somebody signed in reads one."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from kingdom.prepared import Prepared


def _rows(key: str, now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)


KEY = re.compile("[0-9a-z]+")
_ask = Prepared(_rows, str, datetime)


class SessionStore(db.SessionStore):
    """Django's own, with its query put together once. Keys that it never gives are not looked for: a NUL in a cookie
    is no text for the database.
    """

    def _validate_session_key(self, key: Any) -> bool:
        return bool(super()._validate_session_key(key) and KEY.fullmatch(key))  # type: ignore[misc]

    def _get_session_from_db(self) -> Any:
        found = _ask.first(self.session_key, timezone.now())
        if found is None:
            self._session_key = None
        return found
