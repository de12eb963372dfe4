"""Short letters to people of a campaign, each in the language he reads: sent once what they tell is committed."""

from __future__ import annotations

from collections.abc import Iterable
from functools import partial
from uuid import UUID

from django.conf import settings
from django.core.mail import send_mail
from django.db import transaction
from django.utils import translation

from kingdom.models import Campaign, Membership, Role, User
from kingdom.text import render
from rules.text import Said


def gms_of(campaign: Campaign, *, but: Iterable[UUID] = ()) -> list[User]:
    """The GMs who sit at its table now."""
    seats = Membership.objects.filter(campaign=campaign, role=Role.GM).exclude(user__in=list(but))
    return [seat.user for seat in seats.select_related("user")]


def send(people: Iterable[User], subject: Said, text: Said) -> None:
    """To those of them who have a mail address. A mail that cannot be sent is logged and hinders nothing."""
    for user in people:
        if user.email:
            transaction.on_commit(partial(_send, user.email, user.language, subject, text), robust=True)


def _send(address: str, language: str, subject: Said, text: Said) -> None:
    with translation.override(language or settings.LANGUAGE_CODE):
        send_mail(render(subject), render(text), None, [address])
