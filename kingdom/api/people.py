"""Serializer field for users: by username."""

from __future__ import annotations

from uuid import UUID

from core.api.problems import NotVisible
from kingdom.models import Campaign, Membership, User


def member(campaign: Campaign, name: str, pointer: str) -> User:
    """The campaign's member of that username (or id). Raises `NotVisible`: strangers are not told apart."""
    members = User.objects.filter(pk__in=Membership.objects.filter(campaign=campaign).values("user"))
    found = None if "\0" in name else members.filter(username=name).first() or _by_id(members, name)
    if found is None:
        raise NotVisible(pointer)
    return found


def members(campaign: Campaign, names: list[str], pointer: str) -> list[User]:
    return [member(campaign, name, f"{pointer}/{position}") for position, name in enumerate(names)]


def _by_id(users: object, name: str) -> User | None:
    try:
        return users.filter(pk=UUID(name)).first()  # type: ignore[attr-defined]
    except ValueError:
        return None
