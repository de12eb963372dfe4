"""Token authentication: the token's user, its scope and its last use."""

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
    """`Authorization: Token <key>`, or `Bearer <key>`. A malformed key is refused without a query.

    All views authenticate tokens here: the scope is checked for the method, and the user is bound to the token's
    campaign.
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
        """Return the scheme for the challenge: `Token`, or `Bearer` if the request used that."""
        sent = get_authorization_header(request).split()[:1]
        return "Bearer" if sent and sent[0].lower() == b"bearer" else str(super().authenticate_header(request))

    def authenticate_credentials(self, token: bytes) -> Any:
        if not KEY.fullmatch(token):
            raise AuthenticationFailed(_("This API token isn’t valid. Check it or create a new one."))
        text = token.decode()
        alike = ApiToken.objects.filter(token_key=text[: CONSTANTS.TOKEN_KEY_LENGTH])
        for known in alike.select_related("user").order_by():
            if not self._cleanup_token(known) and compare_digest(hash_token(text), known.digest):
                return self.validate_user(known)
        raise AuthenticationFailed(_("This API token isn’t valid. Check it or create a new one."))

    def _cleanup_token(self, auth_token: Any) -> bool:
        """Return whether the key has expired, and delete it if so. The owner's other expired tokens are deleted when
        they create a new one.
        """
        expired = auth_token.expiry is not None and auth_token.expiry < timezone.now()
        if expired:
            auth_token.delete()
        return expired


class TokenScheme(OpenApiAuthenticationExtension):
    """Description of the scheme for OpenAPI."""

    target_class = "kingdom.accounts.authentication.TokenAuthentication"
    name = "token"

    def get_security_definition(self, auto_schema: Any) -> Any:
        return build_bearer_security_scheme_object(header_name="Authorization", token_prefix="Token")


# Token scopes: every view declares what its changes need, and it is checked here. `scope` of a view, or of one of its
# actions (`@action(scope=...)`), is needed to change something; reading needs `Scope.READ`, or the view's `reading`. A
# view that declares nothing needs the widest scope (a test finds it). `beyond` names actions that reach beyond any one
# campaign: a token of one campaign cannot do them. `counted`: the further rate limit of its requests
# (`kingdom.accounts.rate_limits`).


class Scoped:
    """View mixin: the scope that a token needs for a view (see the comment above)."""

    scope: Scope | None = None
    reading: Scope | None = None
    counted: str = ""
    beyond: ClassVar[Collection[str]] = ()
    tallies: Sequence[LimitState] = ()

    def finalize_response(self, request: Any, response: Any, *args: Any, **kwargs: Any) -> Any:
        """Return the response with headers of the reader's rate limits."""
        answer = super().finalize_response(request, response, *args, **kwargs)  # type: ignore[misc]
        for name, value in build_headers(self.tallies).items():
            answer[name] = value
        return answer


def needed_scope(view: Any, method: str) -> Scope:
    if method in SAFE_METHODS:
        return getattr(view, "reading", None) or Scope.READ
    return getattr(view, "scope", None) or Scope.MANAGE


def require_scope(token: ApiToken, view: Any, method: str) -> None:
    """Raise `PermissionDenied` (403) if the token's scope does not allow this."""
    needed, has = needed_scope(view, method), Scope(token.scope)
    if not has.covers(needed):
        said = _("This request needs a token with the scope “%(needed)s”. This one has “%(has)s”.")
        raise PermissionDenied(said % {"needed": needed.value, "has": has.value})
    if token.campaign_id and getattr(view, "action", None) in getattr(view, "beyond", ()):
        raise PermissionDenied(_("This token is limited to one campaign and can’t do this. Use another token."))
