"""Services for sign-ins: noted by the sessions (`config/accounts/sessions.py`), ended by their owner."""

from __future__ import annotations

from datetime import datetime, timedelta
from uuid import UUID

from django.contrib.sessions.models import Session
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from core.clean_input import parse_uuid
from core.client_info import caller
from kingdom.access.decorators import unrestricted
from kingdom.accounts.services import Happening, note
from kingdom.models import SignIn, User

SEEN_NOTED = timedelta(minutes=10)
UNUSED_MOST, LONGEST = timedelta(days=14), timedelta(days=30)  # docs/asvs.md says why


def note_sign_in(*, session: str, user: str) -> None:
    """The session of this key is this user's from now on, on the device that sends the request there is."""
    known = User.objects.filter(pk=key).only("pk").first() if (key := parse_uuid(user)) else None
    if known:
        row = SignIn(session_id=session, user=known, **caller()._asdict())
        fields = ["user", "seen", "address", "device"]
        SignIn.objects.bulk_create([row], update_conflicts=True, update_fields=fields, unique_fields=["session"])


def is_due(seen: datetime) -> bool:
    """Whether a session that was last seen then is written down again."""
    return timezone.now() - seen >= SEEN_NOTED


def is_over(*, since: datetime, seen: datetime) -> bool:
    """Whether a session has gone unused, or gone on, for too long."""
    now = timezone.now()
    return now - seen >= UNUSED_MOST or now - since >= LONGEST


@unrestricted("They are his own sessions.")
@transaction.atomic
def end_sign_in(*, by: User, sign_in_id: UUID) -> None:
    """Sign the user out on one device. Raises Http404."""
    found = SignIn.objects.filter(user=by, pk=sign_in_id).first()
    if found is None:
        raise Http404
    Session.objects.filter(session_key=found.session_id).delete()
    note(Happening.SESSION_ENDED, of=by, about=found.device)


@unrestricted("They are his own sessions.")
@transaction.atomic
def end_other_sign_ins(*, by: User, but: str) -> int:
    """Sign the user out everywhere but in the session of this key. Answers how many ended."""
    ended = end_sessions(of=by, but=but)
    note(Happening.OTHERS_ENDED, of=by)
    return ended


def end_sessions(*, of: User, but: str = "") -> int:
    """End the user's sessions, except one. Answers how many there were."""
    theirs = SignIn.objects.filter(user=of).exclude(session_id=but)
    return Session.objects.filter(session_key__in=theirs.values("session_id")).delete()[0]
