"""Token authentication: whose token it is, what its scope allows, when it was last used."""

from __future__ import annotations

import re
from collections.abc import Collection, Sequence
from hmac import compare_digest
from typing import Any, ClassVar

from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from drf_spectacular.extensions import OpenApiAuthenticationExtension
from drf_spectacular.plumbing import build_bearer_security_scheme_object
from knox.auth import TokenAuthentication as KnoxAuthentication
from knox.crypto import hash_token
from knox.settings import CONSTANTS
from rest_framework.authentication import get_authorization_header
from rest_framework.exceptions import AuthenticationFailed, PermissionDenied, Throttled
from rest_framework.permissions import SAFE_METHODS

from kingdom.accounts.rate_limits import LimitState, build_headers, count_wrong_token
from kingdom.accounts.services import update_last_used
from kingdom.models import ApiToken, Scope, User

KEY = re.compile(rb"[0-9A-Za-z]{15,128}")


class TokenAuthentication(KnoxAuthentication):
    """`Authorization: Token <key>`, or `Bearer <key>`. What cannot be a key is refused before anything looks it up.

    The one door of tokens: whichever view asks who it is learns it here, with the scope of its method held and the
    user bound to the token's campaign.
    """

    def authenticate(self, request: Any) -> tuple[User, ApiToken] | None:
        try:
            found: tuple[User, ApiToken] | None = super().authenticate(request)
        except AuthenticationFailed:
            if wait := count_wrong_token(request):
                raise Throttled(wait) from None
            raise
        if found is None:
            return None
        user, token = found
        require_scope(token, request.parser_context["view"], request.method)
        user.bound_to = token.campaign_id
        update_last_used(of=token)
        return user, token

    def authenticate_header(self, request: Any) -> str:
        """The word before the key: `Token`, or `Bearer` for whoever wrote that."""
        sent = get_authorization_header(request).split()[:1]
        return "Bearer" if sent and sent[0].lower() == b"bearer" else str(super().authenticate_header(request))

    def authenticate_credentials(self, token: bytes) -> Any:
        if not KEY.fullmatch(token):
            raise AuthenticationFailed(_("This API token isn’t valid. Check it or create a new one."))
        text = token.decode()
        for known in ApiToken.objects.filter(token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH]).select_related("user"):
            if not self._cleanup_token(known) and compare_digest(hash_token(text), known.digest):
                return self.validate_user(known)
        raise AuthenticationFailed(_("This API token isn’t valid. Check it or create a new one."))

    def _cleanup_token(self, auth_token: Any) -> bool:
        """Whether the key has expired. Others of its owner are cleared away when they make a new one."""
        expired = auth_token.expiry is not None and auth_token.expiry < timezone.now()
        if expired:
            auth_token.delete()
        return expired


class TokenScheme(OpenApiAuthenticationExtension):
    """How the schema describes it."""

    target_class = "kingdom.accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> Any:
        return build_bearer_security_scheme_object(header_name="Authorization", token_prefix="Token")


# Token scopes: every view says what its changes need, and it is checked here. `scope` of a view, or of one of its
# actions (`@action(scope=...)`), is what whoever changes something there needs; reading takes `Scope.READ`, or what
# the view's `reading` says. What says nothing takes everything (a test finds it). `beyond` names the actions that
# reach past any campaign there is: no token of one campaign does them. `counted`: as what its requests are counted
# besides (`kingdom.accounts.rate_limits`).


class Scoped:
    """View mixin: what a token must be good for. See this module."""

    scope: Scope | None = None
    reading: Scope | None = None
    counted: str = ""
    beyond: ClassVar[Collection[str]] = ()
    tallies: Sequence[LimitState] = ()

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """With how the limits of its reader stand."""
        answer = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[misc]
        for name, value in build_headers(self.tallies).items():
            answer[name] = value
        return answer


def needed_scope(view: Any, method: str) -> Scope:
    if method in SAFE_METHODS:
        return getattr(view, "reading", None) or Scope.READ
    return getattr(view, "scope", None) or Scope.MANAGE


def require_scope(token: ApiToken, view: Any, method: str) -> None:
    """Raise `PermissionDenied` (403) where the token does not go that far."""
    needed, has = needed_scope(view, method), Scope(token.scope)
    if not has.covers(needed):
        said = _("This request needs a token with the scope “%(needed)s”. This one has “%(has)s”.")
        raise PermissionDenied(said % {"needed": needed.value, "has": has.value})
    if token.campaign_id and getattr(view, "action", None) in getattr(view, "beyond", ()):
        raise PermissionDenied(_("This token is limited to one campaign and can’t do this. Use another token."))
