"""Services for guests: joining by a name, and turning the guest into an account.

A guest is a user without a password. The session in which they joined is their only access.
"""

from __future__ import annotations

from django.conf import settings
from django.contrib.auth.hashers import make_password
from django.db import IntegrityError, transaction

from core.clean_input import clean_text
from core.live import notify_campaign
from kingdom.access.decorators import unrestricted
from kingdom.accounts.services import Happening, note
from kingdom.campaign.queries import invitation_by
from kingdom.members.services import accept_invitation
from kingdom.models import Membership, User
from rules.core.errors import InvalidInput, demand, require
from rules.core.text import _, say

TAKEN = _("This name is taken. Choose another one.")
NO_GUESTS = _("This invitation is not open to guests. Sign in or create an account.")


@unrestricted("A guest takes the seat they were invited to.")
@transaction.atomic
def join_as_guest(*, token: str, name: str) -> User:
    """Create a guest who takes the seat of an open invitation, and return them.

    The form has checked `name` as a username. Raises Http404 for an unknown token, `IllegalCommand` for an invitation
    that is closed or does not admit guests, `InvalidInput` for a name that is taken.
    """
    invitation = invitation_by(token)
    require(settings.SIGNUP_OPEN and invitation.guests, NO_GUESTS)
    guest = _save_named(User(guest=True, password=make_password(None)), name)
    accept_invitation(by=guest, token=token)
    return guest


@unrestricted("It is their own seat.")
@transaction.atomic
def keep_seat(*, by: User, name: str, password: str) -> User:
    """Turn a guest into an account with this name and password. They keep their seats, kingdoms and orders.

    Raises `IllegalCommand` for somebody who has an account, `InvalidInput` for a name that is taken.
    """
    user = User.objects.select_for_update().get(pk=by.pk)
    require(user.guest, _("You already have an account."))
    user.guest = False
    user.set_password(password)
    _save_named(user, name)
    note(Happening.PASSWORD_CHANGED, of=user)
    for campaign in Membership.objects.filter(user=user).values_list("campaign", flat=True):
        notify_campaign(campaign)
    return user


def _save_named(user: User, name: str) -> User:
    user.username = clean_text(name, field="/name")
    others = User.objects.filter(username__iexact=user.username).exclude(pk=user.pk)
    demand(not others.exists(), TAKEN, field="/name")
    try:
        with transaction.atomic():
            user.save()
    except IntegrityError as error:  # another request has just taken the name
        raise InvalidInput(say(TAKEN), "/name") from error
    return user
