"""Session store in the database, with a compiled query: every page of a signed-in person reads one."""

from __future__ import annotations

import re
from datetime import datetime
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import F, QuerySet
from django.utils import timezone

from core.db.compiled_queries import CompiledQuery
from kingdom.accounts.services import is_due, is_over, note_sign_in


def _rows(key: str, now: datetime) -> QuerySet[Session]:
    return Session.objects.filter(session_key=key, expire_date__gt=now).annotate(
        seen=F("sign_in__seen"), since=F("sign_in__since")
    )


KEY = re.compile("[0-9a-z]+")
_ask = CompiledQuery(_rows, str, datetime)


class SessionStore(db.SessionStore):
    """Django's own, with its query put together once. Keys that it never gives are not looked for: a NUL in a cookie
    is no text for the database. Whose they are and when they were used is written down for their owner.
    """

    noted = ""  # the key under which that stands already

    def _validate_session_key(self, key: Any) -> bool:
        return bool(super()._validate_session_key(key) and KEY.fullmatch(key))  # type: ignore[misc]

    def _get_session_from_db(self) -> Any:
        found = _ask.first(self.session_key, timezone.now())
        if found is None:
            self._session_key = None
        elif found.seen and is_over(since=found.since, seen=found.seen):
            found = self._session_key = None
        elif found.seen and not is_due(found.seen):
            self.noted = found.session_key
        return found

    def load(self) -> Any:
        data = super().load()
        if self.noted != self.session_key and SESSION_KEY in data:
            self._note(data[SESSION_KEY])
        return data

    def save(self, must_create: bool = False) -> None:
        super().save(must_create)
        if not must_create and self.noted != self.session_key and (user := self.get(SESSION_KEY)):
            self._note(user)

    def _note(self, user: str) -> None:
        key = self.session_key or ""
        note_sign_in(session=key, user=user)
        self.noted = key
