"""Token scopes: every view says what its changes need, and it is checked here.

`scope` of a view, or of one of its actions (`@action(scope=...)`), is what whoever changes something there needs;
reading takes `Scope.READ`, or what the view's `reading` says. What says nothing takes everything (a test finds it).
`beyond` names the actions that reach past any campaign there is: no token of one campaign does them. `counted`: as what
its requests are counted besides (`kingdom.accounts.request_limits`).
"""

from __future__ import annotations

from collections.abc import Collection
from typing import Any, ClassVar

from django.utils.translation import gettext_lazy as _
from rest_framework.exceptions import PermissionDenied
from rest_framework.permissions import SAFE_METHODS

from kingdom.models import ApiToken, Scope


class Scoped:
    """View mixin: what a token must be good for. See this module."""

    scope: Scope | None = None
    reading: Scope | None = None
    counted: str = ""
    beyond: ClassVar[Collection[str]] = ()


def needed_scope(view: Any, method: str) -> Scope:
    if method in SAFE_METHODS:
        return getattr(view, "reading", None) or Scope.READ
    return getattr(view, "scope", None) or Scope.MANAGE


def require_scope(token: ApiToken, view: Any, method: str) -> None:
    """Raise `PermissionDenied` (403) where the token does not go that far."""
    needed, has = needed_scope(view, method), Scope(token.scope)
    if not has.covers(needed):
        said = _("This takes a token that may “%(needed)s”; this one may “%(has)s”.")
        raise PermissionDenied(said % {"needed": needed.value, "has": has.value})
    if token.campaign_id and getattr(view, "action", None) in getattr(view, "beyond", ()):
        raise PermissionDenied(_("This token is of one campaign: it cannot do this."))
