"""Middleware that tells the service worker whose page it is, and whether it may be read offline."""

from __future__ import annotations

from collections.abc import Callable

from django.conf import settings
from django.http import HttpRequest, HttpResponseBase
from django.utils.crypto import salted_hmac

READER, SHEET = "Warhost-Reader", "Warhost-Sheet"
NOBODY = "nobody"
# Pages that are read, by the name of their address: what somebody wants to look up on the road.
SHEETS = frozenset(
    {
        "kingdom:home", "kingdom:campaign", "kingdom:chronicle", "kingdom:kingdom", "kingdom:people",
        "kingdom:outlook", "kingdom:ledger", "kingdom:story", "armies:map", "armies:army", "armies:commander",
        "battles:battle_list", "battles:battle", "battles:log", "battles:replay", "battles:codex",
        "battles:chapters",
    }
)  # fmt: skip
OF_NOBODY = frozenset({"kingdom:shared"})
"""Pages that are the same for everybody who has their address: they tell nothing of who reads on this device."""


class Readers:
    """Middleware: every page of one's own says whose it is by a name nobody can read, and whether it may be kept for
    them.
    """

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
        """Not what a GM sees with a player's eyes: they would take it for their own, later."""
        return reader_of(request) != NOBODY and getattr(request.user, "seen_by", None) is None

    @staticmethod
    def _whole_page(request: HttpRequest, response: HttpResponseBase) -> bool:
        """And not the machine's trouble, of which nothing more is asked."""
        html = response.headers.get("Content-Type", "").startswith("text/html")
        return html and response.status_code < 500 and "HX-Request" not in request.headers


def reader_of(request: HttpRequest) -> str:
    """A name for this user on every device; `nobody` who is not signed in."""
    if settings.SESSION_COOKIE_NAME not in request.COOKIES or not request.user.is_authenticated:
        return NOBODY
    return salted_hmac("config.app.readers", str(request.user.account.pk), algorithm="sha256").hexdigest()[:24]
