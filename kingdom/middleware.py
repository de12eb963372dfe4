"""Middleware for every request: client address, language, time zone, charset, and no caching of answers."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING
from zoneinfo import ZoneInfo

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.middleware.common import CommonMiddleware
from django.utils import timezone, translation
from django.utils.http import escape_leading_slashes

from core.client_info import calling, client_address
from core.time_zones import DEVICE, zone_of

if TYPE_CHECKING:
    from kingdom.models import User

API_PREFIX = "/api/"
PRIVATE = "private, no-store"


class OneCharset:
    """Queries and forms are UTF-8, whatever charset the header names: some of those Python knows are no text at all."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        if request.encoding:
            request.encoding = None  # type: ignore[assignment]
        return self.get_response(request)


class KeptMethod:
    """A permanent redirect of anything but a read is 308: after 301 clients ask again with GET and drop the body."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        if response.status_code == 301 and request.method not in ("GET", "HEAD"):
            response.status_code = 308
        return response


class Slashes(CommonMiddleware):
    """Django's own middleware. It redirects to the address with its slash in development, too: 308 keeps the body."""

    def get_full_path_with_slash(self, request: HttpRequest) -> str:
        return escape_leading_slashes(request.get_full_path(force_append_slash=True))


class KeptNowhere:
    """No browser and no proxy keeps an answer that depends on who asks: after signing out nothing shows it again.

    That is every answer of a view, unless the view itself said how long it may be kept. What the app's worker shows of
    it without a line (`config/app/worker.js`) goes with the sign-out.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        response.headers.setdefault("Cache-Control", PRIVATE)
        return response


class ClientAddress:
    """The one place that decides whom a request comes from. After it REMOTE_ADDR is the client's address.

    X-Forwarded-For counts only as far as trusted proxies wrote it (`TRUSTED_PROXIES`), and is gone afterwards.
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
    """Pages speak the account's language on a device that has no choice of its own yet (its cookie wins), and tell the
    hour of the account's time zone, or of the device's.

    The API is left alone: there Accept-Language decides, and every hour is UTC.
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
        """None: the site's. Programs are told UTC, wherever the site is."""
        if request.path.startswith(API_PREFIX):
            return ZoneInfo("UTC")
        account = _account(request)
        return zone_of(account.time_zone if account else "", request.COOKIES.get(DEVICE, ""))


def _account(request: HttpRequest) -> User | None:
    """Who has signed in here; nobody is asked for where no session is."""
    known = settings.SESSION_COOKIE_NAME in request.COOKIES and request.user.is_authenticated
    return request.user if known else None  # type: ignore[return-value]
