"""Keys of outside tools."""

from __future__ import annotations

from datetime import timedelta
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.utils import timezone

from kingdom.inputs import clean_text, clean_whole
from kingdom.models import ApiToken, User
from kingdom.warrants import freely
from rules.errors import require
from rules.text import _

DAYS_MAX = 3650
TOKENS_MAX = 100


class NewToken(NamedTuple):
    """A token and its key, which is known only now."""

    token: ApiToken
    key: str


@freely("They are his own keys.")
@transaction.atomic
def create_token(*, by: User, name: str = "", days: int | None = None, with_password: bool = False) -> NewToken:
    """A key that lives `days` days (default: the setting's). Expired ones are cleared away.

    Raises `PermissionDenied` when asked for by password alone (`with_password`) for an account that
    has a second factor: its owner makes keys on the site.
    """
    if with_password and has_second_factor(by):
        raise PermissionDenied
    life = settings.REST_KNOX["TOKEN_TTL"]
    if days is not None:
        life = timedelta(days=clean_whole(days, field="/days", least=1, most=DAYS_MAX))
    name = clean_text(name, field="/name") if name.strip() else ""
    ApiToken.objects.filter(user=by, expiry__lte=timezone.now()).delete()
    held = ApiToken.objects.filter(user=by).count()
    require(held < TOKENS_MAX, _("There are {most} keys already: revoke one first."), most=TOKENS_MAX)
    token, key = ApiToken.objects.create(user=by, expiry=life, name=name)
    return NewToken(token, key)


@freely("They are his own keys.")
def revoke_token(*, by: User, public_id: UUID) -> None:
    """Make one of the user's own keys useless at once. Raises Http404."""
    gone, _details = ApiToken.objects.filter(user=by, public_id=public_id).delete()
    if not gone:
        raise Http404


def end_tokens(*, of: User) -> int:
    """Make every key of the user useless at once. Answers how many there were."""
    gone, _details = ApiToken.objects.filter(user=of).delete()
    return gone


def has_second_factor(user: User) -> bool:
    from allauth.mfa.utils import is_mfa_enabled

    return bool(is_mfa_enabled(user))
