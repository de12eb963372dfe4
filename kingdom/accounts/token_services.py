"""Services for API tokens."""

from __future__ import annotations

from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.http import Http404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext

from core.clean_input import clean_slug, clean_text, clean_whole
from kingdom.access.decorators import unrestricted
from kingdom.accounts.services import Happening, note
from kingdom.models import ApiToken, Campaign, Scope, User
from rules.core.errors import demand, require
from rules.core.text import _

TOKENS_MAX = 100


class NewToken(NamedTuple):
    """A token and its key, which is known only now."""

    token: ApiToken
    key: str


@unrestricted("They are his own tokens.")
@transaction.atomic
def create_token(
    *,
    by: User,
    name: str = "",
    days: int | None = None,
    expiry: datetime | None = None,
    scope: str = Scope.MANAGE,
    campaign: Campaign | None = None,
    with_password: bool = False,
) -> NewToken:
    """A token that lives `days` days or until `expiry` (default: the setting's, `settings.TOKEN_DAYS_MOST` at most).

    It goes as far as `scope` and is of one campaign that `by` sits at (None: of all of theirs). Expired ones are
    cleared away.

    Raises `PermissionDenied` when asked for by password alone (`with_password`) for an account that has a second
    factor: its owner makes tokens on the site. Raises `InvalidInput`.
    """
    if with_password and has_second_factor(by):
        raise PermissionDenied(
            gettext("This account has a second factor: its tokens are made on the site, by its owner.")
        )
    life = _life(days, expiry)
    scope = clean_slug(scope, field="/scope", among=Scope.values)
    today = date_format(timezone.localdate(), "SHORT_DATE_FORMAT")
    name = clean_text(name, field="/name") if name.strip() else gettext("Token of {date}").format(date=today)
    ApiToken.objects.filter(user=by, expiry__lte=timezone.now()).delete()
    held = ApiToken.objects.filter(user=by).count()
    require(held < TOKENS_MAX, _("There are {most} tokens already: revoke one first."), most=TOKENS_MAX)
    note(Happening.TOKEN_MADE, of=by, about=name)
    return NewToken(*ApiToken.objects.create(user=by, expiry=life, name=name, scope=scope, campaign=campaign))


def _life(days: int | None, expiry: datetime | None) -> timedelta:
    most = settings.TOKEN_DAYS_MOST
    if days is not None:
        return timedelta(days=clean_whole(days, field="/days", least=1, most=most))
    if expiry is None:
        return min(settings.TOKEN_LIFE, timedelta(days=most))
    life = expiry - timezone.now()
    demand(life > timedelta(0), _("That is over already."), field="/expiry")
    demand(life <= timedelta(days=most), _("A token works for {most} days at most."), field="/expiry", most=most)
    return life


@unrestricted("They are his own tokens.")
@transaction.atomic
def revoke_token(*, by: User, public_id: UUID) -> None:
    """Make one of the user's own tokens useless at once. Raises Http404."""
    token = ApiToken.objects.filter(user=by, public_id=public_id).first()
    if token is None:
        raise Http404
    token.delete()
    note(Happening.TOKEN_REVOKED, of=by, about=token.name)


def end_tokens(*, of: User) -> int:
    """Make every token of the user useless at once. Answers how many there were."""
    gone, _details = ApiToken.objects.filter(user=of).delete()
    return gone


def has_second_factor(user: User) -> bool:
    from allauth.mfa.utils import is_mfa_enabled

    return bool(is_mfa_enabled(user))
