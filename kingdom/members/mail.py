"""Short mails to members of a campaign, each in the reader's language, sent after the transaction commits.

Mails go to confirmed addresses only, so nobody can have mail sent to somebody else's address.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from functools import partial
from typing import NamedTuple
from uuid import UUID

from allauth.account.models import EmailAddress
from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.utils import translation

from core.text import render
from kingdom.models import Campaign, Membership, Role, User
from rules.core.text import Said


def gms_of(campaign: Campaign, *, but: Iterable[UUID] = ()) -> list[User]:
    """Return the present GMs of the campaign, without the users in `but`."""
    seats = Membership.objects.filter(campaign=campaign, role=Role.GM).exclude(user__in=list(but))
    return [seat.user for seat in seats.select_related("user")]


def send(people: Iterable[User], subject: Said, text: Said, *, page: str = "", language: str = "") -> None:
    """Mail those of `people` who have confirmed an address.

    `page` is an address put below the text. `language` is for people who have chosen none. A mail that cannot be sent
    is logged and raises nothing.
    """
    send_composed(people, lambda: Composed(render(subject), render(text)), page=page, language=language)


class Composed(NamedTuple):
    """A mail in one language. `foot` stands below the address of its page."""

    subject: str
    text: str
    foot: str = ""


def send_composed(
    people: Iterable[User], compose: Callable[[], Composed | None], *, page: str = "", language: str = ""
) -> None:
    """Mail each person what `compose()` returns in their language (as for `send`); nothing if it returns None."""
    for one in _addresses(people):
        reads = one.user.language or language or settings.LANGUAGE_CODE
        transaction.on_commit(partial(_send, one.email, reads, compose, page), robust=True)


def get_address(user: User) -> str:
    """Return the user's confirmed mail address, or ""."""
    return next((one.email for one in _addresses([user])), "")


def _addresses(people: Iterable[User]) -> Iterable[EmailAddress]:
    known = EmailAddress.objects.filter(user__in=list(people), verified=True, primary=True)
    return known.select_related("user").order_by("email")


def _send(to: str, language: str, compose: Callable[[], Composed | None], page: str) -> None:
    with translation.override(language):
        told = compose()
        if told is not None:
            below = [part for part in (page, told.foot) if part]
            body = "\n\n".join([told.text, *below]) + ("\n" if below else "")
            send_mail(" ".join(told.subject.split()), body, None, [to])
