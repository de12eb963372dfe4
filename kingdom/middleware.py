"""Middleware for every request: client address, CORS, language, time zone, charset, and no caching of answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any
from urllib.parse import SplitResult
from zoneinfo import ZoneInfo

from corsheaders.middleware import CorsMiddleware
from django.apps import apps
from django.conf import settings
from django.db import DatabaseError
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.shortcuts import render
from django.utils import timezone, translation
from django.utils.http import escape_leading_slashes

from core.clean_input import ORIGIN
from core.client_info import API_PREFIX, calling, client_address
from core.text import DEVICE, zone_of
from kingdom.access.decorators import ApprovalRequested
from kingdom.access.guests import is_account_page
from kingdom.rendering import go

if TYPE_CHECKING:
    from kingdom.models import User


PRIVATE = "private, no-store"


class OneCharset:
    """Middleware that reads queries and forms as UTF-8, whatever charset the header names: some of Python's codecs are
    no text encodings.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.encoding:
            request.encoding = None  # type: ignore[assignment]
        return self.get_response(request)


class KeptMethod:
    """Middleware that turns a 301 to a POST (or another write) into 308: after 301 clients send GET without the
    body.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code == 301 and request.method not in ("GET", "HEAD"):
            response.status_code = 308
        return response


class Origins(CorsMiddleware):
    """Middleware of CORS that also admits the web sites that campaigns name. It asks the database only for requests to
    the API from a site that the settings do not name.
    """

    def origin_found_in_white_lists(self, origin: str, url: SplitResult) -> bool:
        return super().origin_found_in_white_lists(origin, url) or _is_named(origin)


def _is_named(origin: str) -> bool:
    """Whether a campaign allows this origin to call the API. False while the database is unreachable."""
    if not ORIGIN.fullmatch(origin):
        return False
    campaigns = apps.get_model("kingdom", "Campaign").objects  # this module is read before there are models
    try:
        return campaigns.filter(origins__contains=[origin], deleted_at=None).exists()
    except DatabaseError:
        return False


class Slashes(CommonMiddleware):
    """Django's CommonMiddleware, which also redirects a POST to the address with a slash in development: 308 keeps the
    body.
    """

    def get_full_path_with_slash(self, request: HttpRequest) -> str:
        return escape_leading_slashes(request.get_full_path(force_append_slash=True))


class KeptNowhere:
    """Middleware that forbids browsers and proxies to store answers: after sign-out nothing can show them again.

    It applies unless the view sets Cache-Control itself. Pages that the app's service worker keeps for offline use
    (`config/app/worker.js`) are deleted at sign-out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", PRIVATE)
        return response


class ClientAddress:
    """Middleware that sets REMOTE_ADDR to the client's address. Nothing else reads the proxy headers.

    X-Forwarded-For is trusted only as far as proxies of `TRUSTED_PROXIES` wrote it, and is removed.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        meta = request.META
        forwarded = meta.pop("HTTP_X_FORWARDED_FOR", "")
        meta["REMOTE_ADDR"] = client_address(meta.get("REMOTE_ADDR", ""), forwarded, settings.TRUSTED_PROXIES)
        with calling(request):
            return self.get_response(request)


class AccountLanguage:
    """Middleware that sets the language and time zone of the account. The device's language cookie takes precedence;
    the device's time zone is used if the account has none.

    The API is excluded: Accept-Language sets its language, and its times are UTC.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if language := self._chosen(request):
            translation.activate(language)
            request.LANGUAGE_CODE = language
        with timezone.override(self._zone(request)):
            return self.get_response(request)

    @staticmethod
    def _chosen(request: HttpRequest) -> str:
        if settings.LANGUAGE_COOKIE_NAME in request.COOKIES or request.path.startswith(API_PREFIX):
            return ""
        account = _account(request)
        return account.language if account and account.language in dict(settings.LANGUAGES) else ""

    @staticmethod
    def _zone(request: HttpRequest) -> ZoneInfo | None:
        """Return the reader's time zone; None for the site's. The API gets UTC."""
        if request.path.startswith(API_PREFIX):
            return ZoneInfo("UTC")
        account = _account(request)
        return zone_of(account.time_zone if account else "", request.COOKIES.get(DEVICE, ""))


def _account(request: HttpRequest) -> User | None:
    """Return the signed-in user; None, without a query, if there is no session cookie."""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
    return request.user if known else None  # type: ignore[return-value]


# Middleware that keeps guests from pages that need an account, and warns them before they sign out.

LOGOUT = "account_logout"
FREE = frozenset({LOGOUT, "account_login", "account_signup", "account_inactive", "account_signup_closed"})
NEED_ACCOUNT = frozenset(
    {
        "kingdom:tokens", "kingdom:token_revoke", "kingdom:security", "kingdom:session_end", "kingdom:sessions_end",
        "kingdom:account_data", "kingdom:account_data_ready", "kingdom:account_delete", "kingdom:campaign_new",
        "kingdom:campaign_begin", "kingdom:campaign_import", "kingdom:demo",
    }
)  # fmt: skip
"""View names that need an account besides the account pages themselves."""


class GuestGate:
    """Middleware: pages that need an account answer a guest with 403 and a way to create one."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_view(self, request: HttpRequest, view: Any, args: Any, kwargs: Any) -> HttpResponse | None:
        name = request.resolver_match.view_name if request.resolver_match else ""
        if name == LOGOUT and "anyway" not in request.POST and is_guest(request):
            return render(request, "kingdom/members/guest_sign_out.html")
        if needs_account(name) and is_guest(request):
            return render(request, "kingdom/members/account_needed.html", status=403)
        return None


def needs_account(page: str) -> bool:
    """Return whether the page of this view name needs an account."""
    return page in NEED_ACCOUNT or (is_account_page(page) and page not in FREE)


def is_guest(request: HttpRequest) -> bool:
    """Return whether the request comes from a guest. Without a session cookie no query is made."""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
    return known and request.user.guest  # type: ignore[union-attr]


# Middleware that answers an action that needs approval with its request, on any page.


class ShowApprovalRequest:
    """Middleware that redirects to the approval request's page."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        return self.get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> HttpResponseBase | None:
        if not isinstance(error, ApprovalRequested):
            return None
        return go(request, "kingdom:petition", error.petition.pk)
