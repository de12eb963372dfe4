"""Services for accounts: settings, security log, API tokens, sign-ins, and deletion."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime, timedelta
from typing import NamedTuple
from uuid import UUID

from django.conf import settings
from django.contrib.sessions.models import Session
from django.core.exceptions import PermissionDenied
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.shortcuts import get_object_or_404
from django.utils import timezone
from django.utils.formats import date_format
from django.utils.translation import gettext
from psycopg.errors import SerializationFailure

from core.clean_input import clean_slug, clean_text, clean_whole, parse_uuid
from core.client_info import caller
from core.live import notify_access
from core.text import clean_zone
from kingdom.access.decorators import unrestricted
from kingdom.access.guests import require_account
from kingdom.accounts.queries import in_the_way
from kingdom.members.services import remove_member
from kingdom.models import (
    ApiToken,
    Campaign,
    DeletedMembership,
    DiceThrownBy,
    Membership,
    Scope,
    SecurityEvent,
    ShareLink,
    SignIn,
    Units,
    User,
)
from kingdom.webhooks.event_types import list_letters
from rules.core.errors import demand, require
from rules.core.text import _


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
    mails: Collection[str] | None = None,
) -> None:
    """Change a user's settings (`User`); None leaves one as it is. Raises `InvalidInput`."""
    if language is not None:
        by.language = clean_slug(language, field="/language", among=["", *dict(settings.LANGUAGES)])
    if dice is not None:
        by.dice = clean_slug(dice, field="/dice", among=DiceThrownBy.values)
    if units is not None:
        by.units = clean_slug(units, field="/units", among=["", *Units.values])
    if time_zone is not None:
        by.time_zone = clean_zone(time_zone, field="/time_zone")
    if mails is not None:
        known = [slug for slug, _label in list_letters()]
        by.mails = [clean_slug(slug, field="/mails", among=known) for slug in dict.fromkeys(mails)]
    by.sound = by.sound if sound is None else sound
    by.notices = by.notices if notices is None else notices
    by.keys = by.keys if keys is None else keys
    by.save(update_fields=["language", "dice", "sound", "notices", "keys", "units", "time_zone", "mails"])


@unrestricted("It is his own account.")
def answer_call_offer(*, by: User, sound: bool = False, notices: bool = False) -> None:
    """Store the answer to a battle's first offer of sound and notifications, so that it is not offered again."""
    by.sound, by.notices, by.call_offered = sound, notices, True
    by.save(update_fields=["sound", "notices", "call_offered"])


# Services that write an account's security log.


IN_A_ROW = timedelta(hours=1)
Happening = SecurityEvent.Happening


def note(kind: str, *, of: User, about: str = "") -> None:
    """Add an event to the account's security log, with address and device of the present request."""
    who = caller()
    told = {"user": of, "kind": kind, "address": who.address, "device": who.device}
    SecurityEvent.objects.create(**told, about=about[:120])


def note_failed(*, account: str) -> None:
    """Log a wrong password or code for the account of this name, if there is one.

    Repetitions from the same place within an hour are one line, so nobody can flood another user's log.
    """
    user = User.objects.filter(username__iexact=account).first() if account.isprintable() else None
    if user is None:
        return
    who = caller()
    told = {"user": user, "kind": Happening.SIGN_IN_FAILED, "address": who.address, "device": who.device}
    since = timezone.now() - IN_A_ROW
    last = SecurityEvent.objects.filter(**told, at__gt=since).values("pk")[:1]
    if not SecurityEvent.objects.filter(pk__in=last).update(times=F("times") + 1):
        SecurityEvent.objects.create(**told)


# Services that store the last use of a token or link.


NOTED = timedelta(minutes=1)


def update_last_used(*, of: ApiToken | ShareLink) -> None:
    """Update the time of last use, at most once a minute."""
    now = timezone.now()
    if of.last_used_at is None or of.last_used_at <= now - NOTED:
        type(of).objects.filter(pk=of.pk).update(last_used_at=now)


# Services for API tokens.


TOKENS_MAX = 100


class NewToken(NamedTuple):
    """A new token and its key, which is known only now."""

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
    """Create a token that is valid for `days` days or until `expiry`, by default for `settings.TOKEN_LIFE`, and at most
    for `settings.TOKEN_DAYS_MOST` days.

    It has this `scope` and is limited to `campaign`, of which `by` is a member; None for all their campaigns. Expired
    tokens are deleted.

    Raises `PermissionDenied` for a request by password alone (`with_password`) if the account has a second factor, and
    for a guest. Raises `IllegalCommand` for too many tokens, and `InvalidInput`.
    """
    require_account(by)
    if with_password and has_second_factor(by):
        raise PermissionDenied(gettext("This account uses two-factor authentication. Create its tokens on the site."))
    life = _life(days, expiry)
    scope = clean_slug(scope, field="/scope", among=Scope.values)
    today = date_format(timezone.localdate(), "SHORT_DATE_FORMAT")
    name = clean_text(name, field="/name") if name.strip() else gettext("Token of {date}").format(date=today)
    ApiToken.objects.filter(user=by, expiry__lte=timezone.now()).delete()
    held = ApiToken.objects.filter(user=by).count()
    require(held < TOKENS_MAX, _("You already have {most} tokens. Revoke one first."), most=TOKENS_MAX)
    note(Happening.TOKEN_MADE, of=by, about=name)
    return NewToken(*ApiToken.objects.create(user=by, expiry=life, name=name, scope=scope, campaign=campaign))


def _life(days: int | None, expiry: datetime | None) -> timedelta:
    most = settings.TOKEN_DAYS_MOST
    if days is not None:
        return timedelta(days=clean_whole(days, field="/days", least=1, most=most))
    if expiry is None:
        return min(settings.TOKEN_LIFE, timedelta(days=most))
    life = expiry - timezone.now()
    demand(life > timedelta(0), _("This date is in the past. Choose a later one."), field="/expiry")
    demand(
        life <= timedelta(days=most),
        _("A token is valid for {most} days at most. Choose an earlier date."),
        field="/expiry",
        most=most,
    )
    return life


@unrestricted("They are his own tokens.")
@transaction.atomic
def revoke_token(*, by: User, public_id: UUID) -> None:
    """Delete one of the user's own tokens; it ends at once. Raises Http404."""
    token = get_object_or_404(ApiToken, user=by, public_id=public_id)
    token.delete()
    notify_access(f"user:{by.pk}")
    note(Happening.TOKEN_REVOKED, of=by, about=token.name)


def end_tokens(*, of: User) -> int:
    """Delete all tokens of the user. Return their number."""
    gone, _details = ApiToken.objects.filter(user=of).delete()
    notify_access(f"user:{of.pk}")
    return gone


def has_second_factor(user: User) -> bool:
    from allauth.mfa.utils import is_mfa_enabled

    return bool(is_mfa_enabled(user))


# Services for sign-ins: stored by the session backend (`config/accounts/adapter.py`), ended by their owner.


SEEN_NOTED = timedelta(minutes=10)
UNUSED_MOST, LONGEST = timedelta(days=14), timedelta(days=30)  # docs/asvs.md gives the reasons


def note_sign_in(*, session: str, user: str) -> None:
    """Assign the session with this key to the user, with the device of the present request. Outside of a request, such
    as for a page that listens, the device already known is kept.
    """
    known = User.objects.filter(pk=key).only("pk").first() if (key := parse_uuid(user)) else None
    if known:
        where = who._asdict() if any(who := caller()) else {}
        row = SignIn(session_id=session, user=known, **where)
        fields = ["user", "seen", *where]
        SignIn.objects.bulk_create([row], update_conflicts=True, update_fields=fields, unique_fields=["session"])


def is_due(seen: datetime) -> bool:
    """Return whether the last use of a session is so old that it has to be stored again."""
    return timezone.now() - seen >= SEEN_NOTED


def is_over(*, since: datetime, seen: datetime) -> bool:
    """Return whether a session was unused, or has lasted, for too long."""
    now = timezone.now()
    return now - seen >= UNUSED_MOST or now - since >= LONGEST


@unrestricted("They are his own sessions.")
@transaction.atomic
def end_sign_in(*, by: User, sign_in_id: UUID) -> None:
    """Sign the user out on one device. Raises Http404."""
    found = get_object_or_404(SignIn, user=by, pk=sign_in_id)
    Session.objects.filter(session_key=found.session_id).delete()
    note(Happening.SESSION_ENDED, of=by, about=found.device)


@unrestricted("They are his own sessions.")
@transaction.atomic
def end_other_sign_ins(*, by: User, but: str) -> int:
    """Sign the user out everywhere but in the session with this key. Return how many sessions ended."""
    ended = end_sessions(of=by, but=but)
    note(Happening.OTHERS_ENDED, of=by)
    return ended


def end_sessions(*, of: User, but: str = "") -> int:
    """End the user's sessions except one. Return their number."""
    theirs = SignIn.objects.filter(user=of).exclude(session_id=but)
    return Session.objects.filter(session_key__in=theirs.values("session_id")).delete()[0]


# Services that delete an account: the user leaves every campaign, and what they wrote stays as a former member's.


@unrestricted("It is his own account.")
@transaction.atomic
def delete_account(*, by: User) -> None:
    """Delete the account for good, with its tokens, second factors, settings and security log. The user leaves every
    campaign as by `remove_member`. Campaigns they have deleted are removed in time and cannot be restored.

    Raises `IllegalCommand` while they own a campaign, or one would have no GM. Raises a database error if they were
    made a member elsewhere at the same moment.
    """
    held = list(_his(by).select_for_update(no_key=True).order_by("pk"))
    user = User.objects.select_for_update().get(pk=by.pk)  # with the row locked, nobody can make them a member
    if _his(user).exclude(pk__in=[campaign.pk for campaign in held]).exists():
        raise SerializationFailure("He was seated at another table meanwhile.")
    blocking = in_the_way(user)
    names = ", ".join(campaign.name for campaign in blocking)
    require(
        not blocking,
        _("You are the owner of these campaigns: {campaigns}. Transfer or delete them first."),
        campaigns=names,
    )
    seated = set(Membership.objects.filter(user=user).values_list("campaign", flat=True))
    for campaign in held:
        if campaign.pk in seated:
            remove_member(by=user, campaign=campaign, user=user)
    user.delete()


def _his(user: User) -> QuerySet[Campaign]:
    """Return the campaigns that refer to the user or have them as a member, including deleted ones.

    They are locked before the account, in the order of their ids. Other services lock a campaign before a user's row
    too, so no deadlock arises.
    """
    seats = Q(pk__in=Membership.objects.filter(user=user).values("campaign"))
    vacated = Q(pk__in=DeletedMembership.objects.filter(user=user).values("campaign"))
    return Campaign.objects.filter(seats | vacated | Q(owner=user) | Q(offered_to=user))
