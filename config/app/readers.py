"""Middleware that tells the service worker whose page it is, and whether it may be kept offline."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

READER, SHEET = "Warhost-Reader", "Warhost-Sheet"
NOBODY = "nobody"
# View names of pages kept offline: what one wants to look up on the road.
SHEETS = frozenset(
    {
        "kingdom:home", "kingdom:campaign", "kingdom:chronicle", "kingdom:kingdom", "kingdom:people",
        "kingdom:outlook", "kingdom:ledger", "kingdom:story", "armies:map", "armies:army", "armies:commander",
        "battles:battle_list", "battles:battle", "battles:log", "battles:replay", "battles:codex",
        "battles:chapters",
    }
)  # fmt: skip
OF_NOBODY = frozenset({"kingdom:shared"})
"""View names of public pages: they are the same for everybody and tell nothing about the device's reader."""


class Readers:
    """Middleware: marks each page with a pseudonym of its reader, and with whether it may be kept for them."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponseBase]):
        self.get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponseBase:
        response = self.get_response(request)
        match = request.resolver_match
        if self._whole_page(request, response) and not (match and match.view_name in OF_NOBODY):
            response[READER] = reader_of(request)
            if match and match.view_name in SHEETS and response.status_code == 200 and self._kept_for(request):
                response[SHEET] = "yes"
        return response

    @staticmethod
    def _kept_for(request: HttpRequest) -> bool:
        """Return whether the page may be kept: not for anonymous readers, nor during impersonation, when a GM could
        later mistake it for their own.
        """
        return reader_of(request) != NOBODY and getattr(request.user, "seen_by", None) is None

    @staticmethod
    def _whole_page(request: HttpRequest, response: HttpResponseBase) -> bool:
        """Return whether this is a whole page, and not a server error."""
        html = response.headers.get("Content-Type", "").startswith("text/html")
        return html and response.status_code < 500 and "HX-Request" not in request.headers


def reader_of(request: HttpRequest) -> str:
    """Return a pseudonym of the user, the same on every device; `nobody` for an anonymous one."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.user.is_authenticated:
        return NOBODY
    return salted_hmac("config.app.readers", str(request.user.account.pk), algorithm="sha256").hexdigest()[:24]
