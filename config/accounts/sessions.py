"""Session store in the database, which also records when and where sessions are used."""

from __future__ import annotations

import re
from typing import Any

from django.contrib.auth import SESSION_KEY
from django.contrib.sessions.backends import db
from django.contrib.sessions.models import Session
from django.db.models import F
from django.utils import timezone

from kingdom.accounts.services import is_due, is_over, note_sign_in

KEY = re.compile("[0-9a-z]+")


class SessionStore(db.SessionStore):
    """Django's session store, which reads the last use with the session in one query. Malformed keys are not looked up:
    a NUL in a cookie would be an error in the database. Sign-ins and uses are recorded for the user.
    """

    noted = ""  # the key whose use is recorded already

    def _validate_session_key(self, key: Any) -> bool:
        return bool(super()._validate_session_key(key) and KEY.fullmatch(key))  # type: ignore[misc]

    def _get_session_from_db(self) -> Any:
        valid = Session.objects.filter(session_key=self.session_key, expire_date__gt=timezone.now())
        found: Any = valid.annotate(seen=F("sign_in__seen"), since=F("sign_in__since")).first()
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
