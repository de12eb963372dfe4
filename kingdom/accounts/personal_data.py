"""Personal data: everything stored about a user, as one document for them. Apps contribute to it.

It contains no secrets: tokens, links and second factors are listed without their keys.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Any

from allauth.account.models import EmailAddress
from allauth.mfa.models import Authenticator

from core.text import load_said, render
from kingdom.contributions import contributed
from kingdom.models import (
    ApiToken,
    ApprovalRequest,
    ChronicleEntry,
    Invitation,
    KingdomPlayer,
    LedgerEntry,
    Membership,
    NoteVersion,
    Picture,
    SecurityEvent,
    ShareLink,
    User,
)

FORMAT, VERSION = "warhost-personal-data", 1
SETTINGS = (
    "language", "dice", "sound", "notices", "keys", "units", "time_zone", "mails", "call_offered", "tour_taken"
)  # fmt: skip

PersonalRow = dict[str, Any]
Provider = Callable[[User], Iterator[PersonalRow]]


def personal_data(user: User) -> dict[str, Any]:
    """Return all personal data of the user, oldest first."""
    return {
        "format": FORMAT,
        "version": VERSION,
        "account": _account(user),
        **{name: list(provider(user)) for name, provider in contributed().personal_data.items()},
    }


def _account(user: User) -> PersonalRow:
    return {
        "id": user.pk,
        "username": user.username,
        "first_name": user.first_name,
        "last_name": user.last_name,
        "email": user.email,
        "guest": user.guest,
        "email_addresses": list(EmailAddress.objects.filter(user=user).values("email", "verified", "primary")),
        "joined": user.date_joined,
        "last_sign_in": user.last_login,
        "settings": {name: getattr(user, name) for name in SETTINGS},
    }


def _seats(user: User) -> Iterator[PersonalRow]:
    run: dict[Any, list[str]] = {}
    for campaign, name in KingdomPlayer.objects.filter(user=user).values_list("campaign", "kingdom__name"):
        run.setdefault(campaign, []).append(name)
    for seat in Membership.objects.filter(user=user).select_related("campaign").order_by("id"):
        told = {"campaign": seat.campaign_id, "name": seat.campaign.name, "role": seat.role}
        yield {**told, "owner": seat.campaign.owner_id == user.pk, "kingdoms": run.get(seat.campaign_id, [])}


def _notes(user: User) -> Iterator[PersonalRow]:
    """Yield every text they wrote, including changed and deleted ones."""
    wrote = NoteVersion.objects.filter(by=user).select_related("note").order_by("id")
    for version in wrote.iterator():
        note = version.note
        about = {"kind": note.about_kind, "id": note.about_id, "name": note.about_name}
        told = {"campaign": note.campaign_id, "note": note.pk, "about": about, "number": version.number}
        yield {**told, "at": version.at, "text": version.text}


def _chronicle(user: User) -> Iterator[PersonalRow]:
    entries = ChronicleEntry.objects.filter(by=user).defer("changes").order_by("id")
    for entry in entries.iterator():
        text = render(load_said(entry.text))
        yield {"campaign": entry.campaign_id, "day": entry.day, "at": entry.at, "kind": entry.kind, "text": text}


def _ledger(user: User) -> Iterator[PersonalRow]:
    for entry in LedgerEntry.objects.filter(by=user).order_by("id").iterator():
        told = {"kingdom": entry.kingdom_id, "day": entry.day, "at": entry.at, "amount": entry.amount}
        yield {**told, "reason": render(load_said(entry.reason))}


def _requests(user: User) -> Iterator[PersonalRow]:
    for petition in ApprovalRequest.objects.filter(by=user).order_by("id").iterator():
        told = {"campaign": petition.campaign_id, "at": petition.at, "kind": petition.kind, "status": petition.status}
        yield {**told, "text": render(load_said(petition.text))}


# Tables that are listed unchanged: the model, the column of its user, the order, and the columns.
AS_THEY_ARE: tuple[tuple[str, Any, str, str, tuple[str, ...]], ...] = (
    ("second_factors", Authenticator, "user", "id", ("type", "created_at", "last_used_at")),
    ("tokens", ApiToken, "user", "created",
     ("public_id", "name", "scope", "campaign", "created", "expiry", "last_used_at")),
    ("security_log", SecurityEvent, "user", "id", ("at", "kind", "address", "device", "about", "times")),
    ("invitations", Invitation, "created_by", "id", ("campaign", "role", "uses", "used", "expires")),
    ("share_links", ShareLink, "created_by", "id",
     ("campaign", "kind", "thing", "created_at", "expires", "revoked_at", "last_used_at")),
    ("pictures", Picture, "by", "id", ("campaign", "kind", "name", "width", "height", "shown", "at")),
)  # fmt: skip


def _as_they_are(model: Any, owner: str, order: str, columns: tuple[str, ...]) -> Provider:
    def rows(user: User) -> Iterator[PersonalRow]:
        yield from model.objects.filter(**{owner: user}).order_by(order).values(*columns).iterator()

    return rows


PROVIDERS: dict[str, Provider] = {
    "seats": _seats,
    **{name: _as_they_are(model, owner, order, columns) for name, model, owner, order, columns in AS_THEY_ARE},
    "notes": _notes,
    "chronicle": _chronicle,
    "ledger": _ledger,
    "requests": _requests,
}
