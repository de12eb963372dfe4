"""Sessions as Django keeps them in the database. Every page of somebody signed in reads one."""

from __future__ import annotations

from datetime import datetime
from typing import Any

from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import QuerySet
from django.utils import timezone

from kingdom.prepared import Prepared


def _rows(key: str, now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now)


_ask = Prepared(_rows, str, datetime)


class SessionStore(db.SessionStore):
    """Django's own, with its query put together once."""

    def _get_session_from_db(self) -> Any:
        found = _ask.first(self.session_key, timezone.now())
        if found is None:
            self._session_key = None
        return found
