"""Checks for guests, who have no account: actions closed to them, and the pages about an account."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from kingdom.models import User

ACCOUNT_PREFIXES = ("account_", "mfa_")  # prefixes of allauth's view names


def is_account_page(page: str) -> bool:
    """Return whether the page of this view name is about an account: sign-in, password, second factor."""
    return page.startswith(ACCOUNT_PREFIXES)


def require_account(user: User) -> None:
    """Raise `PermissionDenied` for a guest."""
    if user.guest:
        raise PermissionDenied(gettext("Guests can’t do this. Create an account first: you keep your seat."))
