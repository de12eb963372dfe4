"""Check that refuses guests, who have no account."""

from __future__ import annotations

from django.core.exceptions import PermissionDenied
from django.utils.translation import gettext

from kingdom.models import User


def require_account(user: User) -> None:
    """Raise `PermissionDenied` for a guest."""
    if user.guest:
        raise PermissionDenied(gettext("Guests can’t do this. Create an account first: your seat stays yours."))
